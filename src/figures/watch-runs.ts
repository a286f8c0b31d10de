import type { StoredRun } from '../store/run-reader.ts';
import { hasRun } from '../words/row.ts';
import { namePrompt } from '../words/variant.ts';
import { compareVariants, isJudgedAlike, type SuiteComparison } from './compare-runs.ts';
import type { ComparedVariant } from './comparison-facts.ts';

/**
 * The watch run to compare another with: the latest earlier one that has an answer to each of its
 * questions, or else the one before. Null without one. `earlier` begins with the oldest.
 */
export function findReference(run: StoredRun, earlier: readonly StoredRun[]): StoredRun | null {
  const asked = listAnswered(run.results);
  const covers = (other: StoredRun) => asked.isSubsetOf(listAnswered(other.results));
  return earlier.findLast(covers) ?? earlier.at(-1) ?? null;
}

function listAnswered(results: StoredRun['results']): ReadonlySet<string> {
  return new Set(results.filter(hasRun).map(({ suite, id }) => JSON.stringify([suite, id])));
}

/**
 * Compares the variants of a watch run with those of an earlier one. A prompt is compared with the
 * earlier one of its file.
 */
export function compareWatchRuns(
  earlier: readonly ComparedVariant[],
  variants: readonly ComparedVariant[],
): readonly SuiteComparison[] {
  return variants.flatMap((variant) => {
    const reference = earlier.find((other) => isSameSubject(other, variant));
    return reference === undefined || !variant.results.some(hasRun)
      ? []
      : [compareVariants(reference, variant)];
  });
}

function isSameSubject(a: ComparedVariant, b: ComparedVariant): boolean {
  const isSameVariant =
    a.agent === b.agent && namePrompt(a) === namePrompt(b) && isJudgedAlike(a, b);
  return a.suite === b.suite && a.dataset === b.dataset && isSameVariant;
}
