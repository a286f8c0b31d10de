import { formatDollars, formatLatency, formatPercent } from '../src/words/amounts.js';
import type { GroupSummary, Rate, ScoreFigures, TimeInterval } from '../src/words/figures.ts';

/** "95.0 % (86.3 - 98.3 %)"; "-" without a label. */
export function formatMeasured(rate: Pick<Rate, 'value' | 'ci95'> | null): string {
  return rate === null ? '-' : `${formatRate(rate.value)} (${formatInterval(rate.ci95)})`;
}

/** "58.3 %"; "-" for what is not known. */
export function formatRate(rate: number | null): string {
  return rate === null ? '-' : formatPercent(rate);
}

/** "42.3 - 75.4 %". */
export function formatInterval(interval: readonly [number, number] | null): string {
  return interval === null
    ? '-'
    : `${formatRate(interval[0]).replace(' %', '')} - ${formatRate(interval[1])}`;
}

/** If something was not run there is no accuracy, only its bounds. */
export function formatAccuracy({
  accuracy,
  bounds,
}: Pick<GroupSummary, 'accuracy' | 'bounds'>): string {
  return accuracy === null && bounds !== null
    ? `in ${formatInterval(bounds)}`
    : formatRate(accuracy);
}

/** Accuracy corrected for the judge's errors, or why it is not known. */
export function formatCorrected({ corrected }: Pick<GroupSummary, 'corrected'>): string {
  return corrected?.why ?? formatRate(corrected?.accuracy ?? null);
}

/** Whether the corrected accuracy is known. If not, a line below the table says why. */
export function hasCorrected({ corrected }: Pick<GroupSummary, 'corrected'>): boolean {
  return corrected !== undefined && corrected.accuracy !== null;
}

export function formatCorrectedInterval({ corrected }: Pick<GroupSummary, 'corrected'>): string {
  return formatInterval(corrected?.ci95 ?? null);
}

/** A latency as the report shows it, "> 60.0 s" if it is only known to be longer (`censored`). */
export function formatTime(ms: number | null, censored: boolean): string {
  return ms !== null && censored ? `> ${formatLatency(ms)}` : formatLatency(ms);
}

/** " (12.0 s - 41.3 s)", " (> 90.2 s)" without an upper end, " (< 90.2 s)" without a lower one. */
export function formatTimeInterval(interval: TimeInterval | null): string {
  if (interval === null) return '';
  const [low, high] = interval;
  if (low === null) return ` (< ${formatLatency(high)})`;
  return high === null
    ? ` (> ${formatLatency(low)})`
    : ` (${formatLatency(low)} - ${formatLatency(high)})`;
}

/**
 * What a group cost: "$1.20", or "at least $1.20" if the cost of some answers is not known. "free so
 * far" if all answers were free, and only calls under way are not counted.
 */
export function formatTotalCost(group: GroupSummary): string {
  const { cost_usd, cost_at_least_usd: least, without_cost } = group;
  if (least === undefined) return formatDollars(cost_usd);
  return least === 0 && without_cost === 0 ? 'free so far' : `at least ${formatDollars(least)}`;
}

type ScoreMean = Pick<ScoreFigures, 'kind' | 'mean' | 'bounds'>;

/**
 * The mean of a score: "65.0 %" of true and false, "0.650" of numbers; its bounds where values are
 * missing, else "-" if it is not known.
 */
export function formatScore({ kind, mean, bounds }: ScoreMean = UNKNOWN): string {
  if (bounds !== undefined) return `in ${formatScoreInterval({ kind, ci95: bounds })}`;
  return mean === null || kind === 'rate' ? formatRate(mean) : mean.toFixed(3);
}

const UNKNOWN: ScoreMean = { kind: 'rate', mean: null };

/** "42.3 - 75.4 %" of true and false, "0.423 - 0.754" of numbers. */
export function formatScoreInterval({ kind, ci95 }: Pick<ScoreFigures, 'kind' | 'ci95'>): string {
  if (ci95 === null || kind === 'rate') return formatInterval(ci95);
  return ci95.map((end) => end.toFixed(3)).join(' - ');
}

/** A score with its 95 % interval; its bounds alone where values are missing. */
export function formatScoreWithInterval(figures: ScoreFigures): string {
  const { ci95, bounds } = figures;
  const isWhole = bounds === undefined && ci95 !== null;
  return `${formatScore(figures)}${isWhole ? ` (${formatScoreInterval(figures)})` : ''}`;
}

/** Kappa with its 95 % interval: "0.71 (0.62 to 0.80)". */
export function formatKappa(kappa: number | null, ci95: readonly [number, number]): string {
  // Not "-0.00".
  const show = (value: number) => (Number(value.toFixed(2)) + 0).toFixed(2);
  return `${kappa === null ? '-' : show(kappa)} (${ci95.map(show).join(' to ')})`;
}
