import type { Manifest } from '../src/runs/manifest.ts';
import type { SampleResult } from '../src/types.ts';
import { formatCost } from './figures.ts';

/**
 * What a run with a budget has spent as far as that is known. The tables show no cost where one call did not say its own;
 * and of a merge nothing is said, since each shard had a budget of its own.
 */
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
  const silent = unknown === 0 ? '' : `, ${unknown} of which did not say their cost`;
  return [`EVAL_MAX_COST=${limit}: ${spent} were spent by ${calls.length} calls${silent}`];
}
