import { createHash } from 'node:crypto';
import { cut, quote } from '../text/show.ts';
import { nearest, plural } from '../text/wording.ts';
import type { Sample } from '../types.ts';

/** Which samples to run; what is absent (or an empty list) selects nothing away. */
export type Selection = {
  /** "1" or "level 1". */
  readonly levels?: readonly string[];
  /** Ids, or patterns with `*` and `?`. */
  readonly ids?: readonly string[];
  /** A whole number; the same seed gives the same order, whatever the order of the file. */
  readonly seed?: number;
  /** At most so many samples. */
  readonly limit?: number;
};

/**
 * The selected samples: first by level, then by id, then shuffled by the seed, then cut at the limit.
 * Throws an Error when a filter leaves nothing or an id pattern matches nothing.
 */
export function selectSamples(samples: readonly Sample[], selection: Selection): readonly Sample[] {
  const { levels = [], ids = [], seed, limit } = selection;
  const ofLevel = levels.length === 0 ? samples : selectLevels(samples, levels);
  const ofIds = ids.length === 0 ? ofLevel : selectIds(ofLevel, ids, samples);
  const ordered = seed === undefined ? ofIds : shuffle(sortById(ofIds), assertWhole('seed', seed, 0));
  return limit === undefined ? ordered : ordered.slice(0, assertWhole('limit', limit, 1));
}

/** Whether an id, or a pattern with `*` and `?`, names some of the samples. */
export function matchesAny(pattern: string, samples: readonly Sample[]): boolean {
  return samples.some(({ id }) => matchesGlob(pattern, id));
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

function selectIds(samples: readonly Sample[], patterns: readonly string[], all: readonly Sample[]): readonly Sample[] {
  for (const pattern of patterns) {
    if (!matchesAny(pattern, samples)) throw unmatched(pattern, samples, all);
  }
  return samples.filter(({ id }) => patterns.some((pattern) => matchesGlob(pattern, id)));
}

function unmatched(pattern: string, samples: readonly Sample[], all: readonly Sample[]): Error {
  const other = all.find(({ id }) => matchesGlob(pattern, id));
  if (other !== undefined) {
    return new Error(
      `The id ${quote(pattern)} matches no sample of the selected levels, only others such as ${quote(other.id)} ` +
        `(${cut(other.group)}). Change the level filter or the id.`,
    );
  }
  const nearestId = quote(nearestTo(pattern, samples));
  return new Error(
    `The id ${quote(pattern)} matches none of ${plural(samples.length, 'sample')}. Did you mean ${nearestId}?`,
  );
}

/** A pattern is compared with as much of each id as it spells out: "ab12*" is near to ids that begin like it. */
function nearestTo(pattern: string, samples: readonly Sample[]): string {
  const literal = pattern.replaceAll(/[*?]/g, '');
  const ids = samples.map(({ id }) => id);
  if (literal === pattern) return nearest(pattern, ids);
  const beginnings = ids.map((id) => id.slice(0, literal.length));
  return ids[beginnings.indexOf(nearest(literal, beginnings))] ?? '';
}

function sortById(samples: readonly Sample[]): Sample[] {
  return samples.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function assertWhole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`The ${name} of a selection must be a whole number from ${least} up, got ${value}. Correct it.`);
}

function quoteAll(texts: readonly string[]): string {
  return texts.map(quote).join(', ');
}

/** Whether a text matches a pattern in which `*` stands for any characters and `?` for one; all others are literal. */
export function matchesGlob(pattern: string, text: string): boolean {
  // Two positions and one way back instead of a regular expression, which many stars would make exponential.
  let [at, patternAt, starAt, retryAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === '*') {
      [starAt, retryAt] = [patternAt++, at];
    } else if (wanted === '?' || wanted === text[at]) {
      at++;
      patternAt++;
    } else if (starAt !== -1) {
      at = ++retryAt;
      patternAt = starAt + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(patternAt));
}

/**
 * A new order that depends on the seed alone: Fisher-Yates with the generator "mulberry32" (Tommy Ettinger, public
 * domain). The seed counts modulo 2^32. The same order on every machine, since all arithmetic is on 32-bit integers.
 */
export function shuffle<T extends object>(values: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const shuffled: T[] = [];
  for (const value of values) {
    // Inside-out Fisher-Yates: the new value takes a random place, what stood there moves to the end.
    const place = Math.floor(random() * (shuffled.length + 1));
    const moved = shuffled[place];
    if (place < shuffled.length && moved !== undefined) shuffled.push(moved);
    shuffled[place] = value;
  }
  return shuffled;
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

/** `index` is 1 for the first shard, as in `--shard=1/4`. */
export type Shard = { readonly index: number; readonly count: number };

/**
 * The samples of one shard, in their given order. Shards are disjoint, together are the whole, and differ in size by at
 * most one, overall and in each group. Who goes where follows from ids and groups, not from the order of the file.
 */
export function shardSamples(samples: readonly Sample[], { index, count }: Shard): readonly Sample[] {
  assertShard(index, count);
  // Dealing one group after the other, without starting again at the first shard, keeps both sizes even.
  const dealt = samples.map(toKeyed).sort(byGroupThenHash);
  const own = new Set(dealt.filter((_, position) => position % count === index - 1).map(({ sample }) => sample));
  return samples.filter((sample) => own.has(sample));
}

type Keyed = { readonly sample: Sample; readonly key: string };

function toKeyed(sample: Sample): Keyed {
  return { sample, key: createHash('sha256').update(sample.id).digest('hex') };
}

function byGroupThenHash(a: Keyed, b: Keyed): number {
  return compareText(a.sample.group, b.sample.group) || compareText(a.key, b.key);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function assertShard(index: number, count: number): void {
  if (Number.isSafeInteger(count) && Number.isSafeInteger(index) && index >= 1 && index <= count) return;
  throw new Error(`A shard is "index/count" with index from 1 to count, got "${index}/${count}". Correct --shard.`);
}
