import type { SampleResult } from '../types.ts';
import { timedLatency } from './latency.ts';
import type { Pair } from './pairs.ts';
import { computeQuantile, sortNumbers } from './quantile.ts';
import { sumCost } from './totals.ts';

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
