import type { Trial } from './run-trial.ts';

/**
 * The trials in the order in which they are best begun: those to ask by how long their questions took in an earlier run,
 * longest first, so that no long answer begins last and leaves the other slots idle; a question without an earlier
 * answer may be a long one. The order is else the given one, and trials that need no call come last.
 */
export function longestFirst(trials: readonly Trial[]): readonly Trial[] {
  const expected = new Map(trials.map((trial) => [trial, expectMs(trial)]));
  return trials.toSorted((a, b) => compareDescending(expected.get(a) ?? 0, expected.get(b) ?? 0));
}

function expectMs({ parts, station: { answers } }: Trial): number {
  if (parts === null || answers === null) return Number.POSITIVE_INFINITY;
  return answers.find(parts) === null ? (answers.lastLatencyMs(parts) ?? Number.POSITIVE_INFINITY) : -1;
}

/** Not by difference, which is NaN for two infinities. */
function compareDescending(a: number, b: number): number {
  return a === b ? 0 : a < b ? 1 : -1;
}
