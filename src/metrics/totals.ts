import { hasRun, isCorrect, isGraded } from '../states.ts';
import type { GroupSummary, SampleResult } from '../types.ts';
import type { Pair } from './compare.ts';
import { computeQuantile, sortNumbers, timedLatency } from './latency.ts';
import { sumAnyOrder } from './percent.ts';

/** Token sums over the results that report usage; null when none does. */
export function sumTokens(results: readonly SampleResult[]): GroupSummary['tokens'] {
  const usages = results.map(({ usage }) => usage).filter((usage) => usage !== null);
  if (usages.length === 0) return { input: null, output: null };
  return {
    input: usages.reduce((sum, usage) => sum + usage.input_tokens, 0),
    output: usages.reduce((sum, usage) => sum + usage.output_tokens, 0),
  };
}

/** US dollars; null when no cost is known, and when one is missing: the sum of the others would pass for the whole. */
export function sumCost(results: readonly SampleResult[]): number | null {
  return costFacts(results).cost_usd;
}

/**
 * The cost of a group, or the least it can be where some results have none, what of it this run itself spent, and
 * whether it is estimated. A result that was not run costs nothing.
 */
export function costFacts(
  results: readonly SampleResult[],
): Pick<GroupSummary, 'cost_usd' | 'cost_at_least_usd' | 'without_cost' | 'new_cost_usd' | 'cost_estimated'> {
  const ran = results.filter(hasRun);
  const asked = ran.filter(({ cached }) => !cached);
  const known = listCosts(ran);
  if (known.length === 0) return { cost_usd: null };
  const sum = sumAnyOrder(known);
  const without_cost = ran.length - known.length;
  const isNewKnown = results.some(({ cached }) => cached) && listCosts(asked).length === asked.length;
  const isEstimated = results.some(({ cost_estimated }) => cost_estimated === true);
  return {
    ...(without_cost === 0 ? { cost_usd: sum } : { cost_usd: null, cost_at_least_usd: sum, without_cost }),
    ...(isNewKnown ? { new_cost_usd: sumAnyOrder(listCosts(asked)) } : {}),
    ...(isEstimated ? { cost_estimated: true } : {}),
  };
}

function listCosts(results: readonly SampleResult[]): readonly number[] {
  return results.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
}

/** How many results came from the answer cache. */
export function countCached(results: readonly SampleResult[]): number {
  return results.filter(({ cached }) => cached).length;
}

/** How many results are second or later attempts at their question; absent where none is. */
export function countRetried(results: readonly SampleResult[]): Pick<GroupSummary, 'retried'> {
  const retried = results.filter(({ attempts }) => attempts > 1).length;
  return retried === 0 ? {} : { retried };
}

/** The trials of one question: how many are graded, and how many of those are right. */
export type Tally = { readonly correct: number; readonly graded: number };

type Counter = { correct: number; graded: number };

/** The tally of each question by id, in order of first appearance; one without graded trials has zeros. */
export function tallyQuestions(results: readonly SampleResult[]): ReadonlyMap<string, Tally> {
  const questions = new Map<string, Counter>();
  for (const result of results) {
    const tally = questions.get(result.id) ?? { correct: 0, graded: 0 };
    questions.set(result.id, tally);
    countTrial(tally, result);
  }
  return questions;
}

/** The tally of the trials of one question. */
export function tallyTrials(results: readonly SampleResult[]): Tally {
  const tally = { correct: 0, graded: 0 };
  for (const result of results) countTrial(tally, result);
  return tally;
}

function countTrial(tally: Counter, result: SampleResult): void {
  if (isGraded(result)) tally.graded += 1;
  if (isCorrect(result)) tally.correct += 1;
}

/**
 * Median over questions of latency b / latency a, where a question's latency is the median of its trials, timed-out
 * ones at their deadline; null when no question has a latency above 0 in a and one in b.
 */
export function computeLatencyRatio(pairs: readonly Pair[]): number | null {
  const ratios = pairs.flatMap((pair) => {
    const [a, b] = [computeMedianLatency(pair.a.results), computeMedianLatency(pair.b.results)];
    return a === null || b === null || a <= 0 ? [] : [b / a];
  });
  return computeQuantile(sortNumbers(ratios), 50)?.value ?? null;
}

/**
 * Cost of b / cost of a over the questions whose cost is known in both, per trial, so that runs with different
 * numbers of trials compare; null when there is none or a was free.
 */
export function computeCostRatio(pairs: readonly Pair[]): number | null {
  let [totalA, totalB] = [0, 0];
  for (const pair of pairs) {
    const [a, b] = [sumCost(pair.a.results), sumCost(pair.b.results)];
    if (a === null || b === null) continue;
    totalA += a / pair.a.results.length;
    totalB += b / pair.b.results.length;
  }
  return totalA > 0 ? totalB / totalA : null;
}

function computeMedianLatency(results: readonly SampleResult[]): number | null {
  const timed = results.map(timedLatency).filter((latency) => latency !== null);
  return computeQuantile(sortNumbers(timed), 50)?.value ?? null;
}
