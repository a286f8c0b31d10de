import { cut, quote } from '../records/show-value.ts';
import { nearest } from '../text/nearest.ts';
import { plural } from '../text/plural.ts';
import type { Sample } from '../types.ts';
import { matchesGlob } from './glob.ts';
import { shuffle } from './seeded-shuffle.ts';

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
