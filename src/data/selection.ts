import { hash } from 'node:crypto';
import type { Sample, Shard } from '../words/sample.ts';
import { plural, quote, toLiteralPattern } from '../words/show.ts';
import { suggestId } from '../words/similar-names.ts';

/** Which samples to run. An absent or empty filter selects all. */
export type Selection = Readonly<{
  /** "1" or "level 1". */
  levels?: readonly string[] | null;
  /** Ids, or patterns with `*` and `?`. Those after `!` are left out, of all if no other is given. */
  ids?: readonly string[] | null;
  /** Where an id that is left out may be too: a replayed run may lack it already. */
  known?: readonly Sample[];
  /** A whole number. The same seed means the same order, whatever the order of the file. */
  seed?: number | null;
  /** The most samples to run. */
  limit?: number | null;
}>;

/**
 * The selected samples: first by level, then by id, then shuffled by the seed, then cut at the
 * limit. Throws an Error when a filter leaves nothing or an id pattern matches nothing.
 */
export function selectSamples(samples: readonly Sample[], selection: Selection): readonly Sample[] {
  const { levels, ids, known = samples, seed = null, limit } = selection;
  const ofLevel = levels?.length ? selectLevels(samples, levels) : samples;
  const ofIds = ids?.length
    ? selectIds(ofLevel, ids, known, levels?.length ? ' (after the level filter)' : '')
    : ofLevel;
  const byId = (a: Sample, b: Sample) => compareText(a.id, b.id);
  const ordered = seed === null ? ofIds : shuffle(ofIds.toSorted(byId), seed);
  return ordered.slice(0, limit ?? undefined);
}

/** Whether an id, or a pattern with `*` and `?`, names some of the samples; also after `!`. */
export function matchesAny(pattern: string, samples: readonly Sample[]): boolean {
  const glob = pattern.replace(/^!/, '');
  return samples.some(({ id }) => matchesGlob(glob, id));
}

/** The patterns that select, and those that leave out, without their `!`. */
export function splitPatterns(patterns: readonly string[]) {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const unwanted = patterns.flatMap((each) => (each.startsWith('!') ? each.slice(1) : []));
  return { wanted, unwanted };
}

/**
 * Whether a text matches a pattern in which `*` matches any characters and `?` one; all
 * others are literal. So does the "…" of an id that was cut to be shown.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern
    .split(/[*…]/)
    .map((piece) => toLiteralPattern(piece).replaceAll('\\?', '.'));
  const last = others.pop();
  // A piece between stars matches at the first place that fits. Trying all places would take
  // forever for many stars.
  const middle = others.map((piece, index) => `(?=(.*?${piece}))\\${index + 1}`).join('');
  const source = last === undefined ? first : `${first}${middle}.*${last}`;
  return new RegExp(`^${source}$`, 's').test(text);
}

/**
 * A new order that depends on the seed alone: Fisher-Yates with the generator "mulberry32" (Tommy
 * Ettinger, public domain). The seed is used modulo 2^32. The same order on every machine, since
 * all arithmetic is on 32-bit integers.
 */
export function shuffle<T extends object>(values: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const shuffled: T[] = [];
  for (const value of values) {
    // Inside-out Fisher-Yates: the new value takes a random place, and the value from that place
    // moves to the end.
    const place = Math.floor(random() * (shuffled.length + 1));
    const moved = shuffled[place];
    if (place < shuffled.length && moved !== undefined) shuffled.push(moved);
    shuffled[place] = value;
  }
  return shuffled;
}

/**
 * The samples of one shard, in their given order. Shards are disjoint, and together they have all
 * samples. Their sizes differ by at most one, overall and in each group. The split follows from ids
 * and groups, not from the order of the file.
 */
export function shardSamples(
  samples: readonly Sample[],
  { index, count }: Shard,
): readonly Sample[] {
  const keys = new Map(
    samples.map((sample) => [sample, `${sample.group}\0${hash('sha256', sample.id)}`]),
  );
  // The groups are dealt one after the other, without starting again at the first shard, so both
  // sizes stay even.
  const dealt = samples.toSorted((a, b) => compareText(keys.get(a) ?? '', keys.get(b) ?? ''));
  const ofShard = new Set(dealt.filter((_, position) => position % count === index - 1));
  return samples.filter((sample) => ofShard.has(sample));
}

function selectLevels(samples: readonly Sample[], levels: readonly string[]): readonly Sample[] {
  const groups = new Set(levels.flatMap((level) => [level.trim(), `level ${level.trim()}`]));
  const selected = samples.filter(({ group }) => groups.has(group));
  if (selected.length > 0) return selected;
  const present = [...new Set(samples.map(({ group }) => group))].sort();
  throw new Error(
    `The level filter ${quoteAll(levels)} selects none of ${plural(samples.length, 'sample')}. ` +
      `Choose from the levels present: ${quoteAll(present)}.`,
  );
}

function quoteAll(texts: readonly string[]): string {
  return texts.map(quote).join(', ');
}

function selectIds(
  samples: readonly Sample[],
  patterns: readonly string[],
  known: readonly Sample[],
  after: string,
): readonly Sample[] {
  const { wanted, unwanted } = splitPatterns(patterns);
  const unmatched =
    wanted.find((pattern) => !matchesAny(pattern, samples)) ??
    unwanted.find((pattern) => !matchesAny(pattern, known));
  const isNamed = (id: string, globs: readonly string[]) =>
    globs.some((glob) => matchesGlob(glob, id));
  if (unmatched === undefined) {
    const picked = samples.filter(({ id }) => wanted.length === 0 || isNamed(id, wanted));
    const left = picked.filter(({ id }) => !isNamed(id, unwanted));
    if (left.length > 0) return left;
    const all = plural(samples.length, 'sample');
    throw new Error(`EVAL_IDS=${patterns.join()} leaves out all of ${all}. Name fewer after "!".`);
  }
  const ids = samples.map(({ id }) => id);
  const all = `${plural(samples.length, 'sample')} of ${samples[0]?.suite}`;
  throw new Error(
    `EVAL_IDS: ${quote(unmatched)} matches none of ${all}${after}.${suggestId(unmatched, ids)}`,
  );
}

/** Numbers from 0 up to, not including, 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
