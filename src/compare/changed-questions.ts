import type { SampleResult } from '../types.ts';

/** Ids that both runs have but under which they asked, or expected, something else: verdicts on them do not compare. */
export function findChangedQuestions(a: readonly SampleResult[], b: readonly SampleResult[]): ReadonlySet<string> {
  const [before, after] = [knownQuestions(a), knownQuestions(b)];
  const reordered = findSeed(a) !== findSeed(b);
  const changed = [...after].filter(([id, row]) => {
    const earlier = before.get(id);
    return earlier !== undefined && !isSame(earlier, row, reordered);
  });
  return new Set(changed.map(([id]) => id));
}

/** A row for each question of which one tells what was asked; one that was not run tells it otherwise. */
function knownQuestions(results: readonly SampleResult[]): ReadonlyMap<string, SampleResult> {
  return new Map(results.filter(({ state }) => state !== 'not_run').map((row) => [row.id, row]));
}

/**
 * The hash of a question covers the order of its options, so that of reordered ones only truth (in the dataset's own
 * labels) and number can be compared.
 */
function isSame(a: SampleResult, b: SampleResult, reordered: boolean): boolean {
  const sameOptions = reordered && a.options !== undefined && a.options === b.options;
  return a.target === b.target && (a.question_hash === b.question_hash || sameOptions);
}

/** By which seed the options of a run were put into another order; null when they stood as in the dataset. */
export function findSeed(results: readonly SampleResult[]): number | null {
  return results.find(({ presented }) => presented !== undefined)?.presented?.seed ?? null;
}
