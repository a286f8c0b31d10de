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
  const ran = results.filter(({ state }) => state !== 'not_run');
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
