import type { SuiteComparison } from '../src/compare/compare-runs.ts';
import { lineIf, plural } from '../src/text/show.ts';
import { isOfVariant, type Variant } from '../src/text/wording.ts';
import type { SuiteSummary } from '../src/types.ts';
import { describeDifference, listFlips } from './comparison.ts';
import { nameColumns } from './tables.ts';

/** How the variants of a suite compare. */
export type SuitePairs = Readonly<{
  pairs: readonly Readonly<{ line: string; comparison: SuiteComparison }>[];
  /** What to know of the pairs, a sentence each. */
  notes: readonly string[];
}>;

/**
 * The comparisons of one suite's variants, which have the names of their columns. With more than
 * `most` variants only the pairs of the first one are shown.
 */
export function listPairs(
  comparisons: readonly SuiteComparison[],
  { suite, dataset }: Pick<SuiteSummary, 'suite' | 'dataset'>,
  most = Number.POSITIVE_INFINITY,
): SuitePairs {
  const own = comparisons.filter((one) => one.suite === suite && one.dataset === dataset);
  const first = own[0]?.a;
  if (first === undefined) return { pairs: [], notes: [] };
  const ofFirst = own.filter(({ a }) => isOfVariant(a, first));
  const variants = [first, ...ofFirst.map(({ b }) => b)];
  const names = nameColumns(variants);
  const nameOf = (variant: Variant) =>
    names[variants.findIndex((other) => isOfVariant(other, variant))] ?? '';
  const shown = variants.length > most ? ofFirst : own;
  const all = (variants.length * ofFirst.length) / 2;
  const chance = `${shown.length} comparisons: each p is of one pair alone, and the more pairs there are, the likelier luck brings one below 0.05.`;
  const others = `${all - shown.length} more pairs: ${names[0]} is compared with each; viva compare RUN:NAME RUN:NAME compares any two.`;
  return {
    pairs: shown.map((comparison) => ({ line: describePair(comparison, nameOf), comparison })),
    notes: [...lineIf(shown.length > 1, chance), ...lineIf(shown.length < all, others)],
  };
}

/** Of more variants, the terminal and summary.md show the pairs of the first one. */
const MOST_PAIRED = 3;

/**
 * The same as lines, with the ids of the questions whose verdicts differ; `isBrief` lists them only
 * where there is one pair.
 */
export function toPairLines(
  comparisons: readonly SuiteComparison[],
  suite: Pick<SuiteSummary, 'suite' | 'dataset'>,
  isBrief: boolean,
): readonly string[] {
  const { pairs, notes } = listPairs(comparisons, suite, MOST_PAIRED);
  const lines = pairs.flatMap(({ line, comparison }) => {
    const flips = listFlips({ ...comparison, changed_answers: [] });
    return [line, ...(isBrief && pairs.length > 1 ? [] : flips.map((ids) => `  ${ids}`))];
  });
  return [...lines, ...notes];
}

/** "large against small, on 200 questions: ", and how they differ. */
function describePair(
  { a, b, figures }: SuiteComparison,
  nameOf: (variant: Variant) => string,
): string {
  const subject = `${nameOf(b)} against ${nameOf(a)}, on ${plural(figures.questions, 'question')}`;
  return `${subject}: ${describeDifference(figures)}`;
}
