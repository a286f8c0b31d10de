import type { Manifest } from '../src/runs/manifest.ts';
import { plural } from '../src/text/plural.ts';
import type { SampleResult, Summary } from '../src/types.ts';
import { formatCost } from './figures.ts';
import type { Remark } from './remark.ts';

/** What each agent cost at least, where some of its answers have no cost. */
export function toCostRemarks({ suites }: Summary): readonly Remark[] {
  return suites.flatMap(({ suite, agent, groups }) => {
    const { cost_at_least_usd, without_cost = 0 } = groups.at(-1) ?? {};
    if (cost_at_least_usd === undefined) return [];
    const lacking = `${plural(without_cost, 'answer')} without a cost`;
    return [{ suite, agent, text: `cost: at least ${formatCost(cost_at_least_usd)}, ${lacking}` }];
  });
}

/** What a run with a budget has spent as far as that is known. Of a merge nothing is said: each shard had its own budget. */
export function toBudgetRemarks(
  { config, merged_from }: Manifest,
  results: readonly SampleResult[],
): readonly string[] {
  const limit = config['maxCost'];
  if (typeof limit !== 'number' || merged_from !== undefined) return [];
  const calls = results.filter(({ attempts, cached, state }) => state !== 'not_run' && attempts > 0 && !cached);
  const known = calls.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
  const spent = formatCost(known.reduce((sum, cost) => sum + cost, 0));
  const unknown = calls.length - known.length;
  const said = unknown === 0 ? spent : `at least ${spent}`;
  const silent = unknown === 0 ? '' : `, ${plural(unknown, 'answer')} without a cost`;
  return [`EVAL_MAX_COST=${limit}: ${said} were spent by ${plural(calls.length, 'call')}${silent}`];
}
