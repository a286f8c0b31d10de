import type { GroupSummary, SampleResult } from '../types.ts';
import { sumAnyOrder } from './sum.ts';

/** Token sums over the results that report usage; null when none does. */
export function sumTokens(results: readonly SampleResult[]): GroupSummary['tokens'] {
  const usages = results.map(({ usage }) => usage).filter((usage) => usage !== null);
  if (usages.length === 0) return { input: null, output: null };
  return {
    input: usages.reduce((sum, usage) => sum + usage.input_tokens, 0),
    output: usages.reduce((sum, usage) => sum + usage.output_tokens, 0),
  };
}

/**
 * US dollars: the sum of the known costs; null when none is known, and null when a result that called the agent in
 * this run (neither not_run nor cached) has no cost: the sum of the others would pass for the whole. A cached result
 * adds the cost that it carries, and an unknown one voids nothing.
 */
export function sumCost(results: readonly SampleResult[]): number | null {
  const costs = results.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
  const unknown = results.some(({ cost_usd, cached, state }) => cost_usd === null && !cached && state !== 'not_run');
  return costs.length === 0 || unknown ? null : sumAnyOrder(costs);
}

/** The cost of a group, what of it this run itself spent, and whether it is estimated. */
export function costFacts(
  results: readonly SampleResult[],
): Pick<GroupSummary, 'cost_usd' | 'new_cost_usd' | 'cost_estimated'> {
  const cost_usd = sumCost(results);
  if (cost_usd === null) return { cost_usd };
  const asked = results.filter(({ cached }) => !cached);
  const isEstimated = results.some(({ cost_estimated }) => cost_estimated === true);
  return {
    cost_usd,
    ...(asked.length === results.length ? {} : { new_cost_usd: sumCost(asked) ?? 0 }),
    ...(isEstimated ? { cost_estimated: true } : {}),
  };
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
