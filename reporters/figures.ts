import { formatPercent } from '../src/metrics/percent.ts';
import type { GroupSummary } from '../src/types.ts';

/** "58.3 %"; "-" for what is not known. */
export function formatRate(rate: number | null): string {
  return rate === null ? '-' : formatPercent(rate);
}

/** "42.3 - 75.4 %". */
export function formatInterval(interval: readonly [number, number] | null): string {
  return interval === null ? '-' : `${formatRate(interval[0]).replace(' %', '')} - ${formatRate(interval[1])}`;
}

/** While anything is not run there is no accuracy, only its bounds. */
export function formatAccuracy({ accuracy, bounds }: Pick<GroupSummary, 'accuracy' | 'bounds'>): string {
  return accuracy === null && bounds !== null ? `in ${formatInterval(bounds)}` : formatRate(accuracy);
}

/** Milliseconds as "850 ms", "12.4 s" or "180 s"; `censored` means "at least". */
export function formatLatency(ms: number | null, censored = false): string {
  if (ms === null) return '-';
  const sign = censored ? '> ' : '';
  if (ms < 1000) return `${sign}${ms < 10 && ms > 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return `${sign}${ms < 100_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
}

/** What a group cost: "$1.20", or "at least $1.20" where some of its answers have no cost. */
export function formatTotalCost({ cost_usd, cost_at_least_usd }: GroupSummary): string {
  return cost_at_least_usd === undefined ? formatCost(cost_usd) : `at least ${formatCost(cost_at_least_usd)}`;
}

/** Whether any cost of a group is known. */
export function hasCost({ cost_usd, cost_at_least_usd }: GroupSummary): boolean {
  return cost_usd !== null || cost_at_least_usd !== undefined;
}

/** US dollars with enough digits to tell small runs apart; "-" when the price is not known. */
export function formatCost(usd: number | null): string {
  if (usd === null) return '-';
  return `$${usd === 0 || usd >= 0.995 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}
