import { STATES } from '../states.ts';
import type { GroupSummary, SampleResult } from '../types.ts';

export type LatencyFigures = Pick<
  GroupSummary,
  'median_latency_ms' | 'median_censored' | 'p95_latency_ms' | 'p95_censored'
>;

/** Below this many timed results the 95th percentile is little more than the maximum. */
const MIN_FOR_P95 = 20;

/**
 * Median and p95 (R-7, ms) over answered results and over timed-out ones at their deadline; errors are out.
 * A deadline is a lower bound of the real time, so every order statistic from the lowest deadline upwards is a lower
 * bound too, and a figure that depends on one is flagged as censored. An answer as late as a deadline ranks before it.
 */
export function computeLatency(results: readonly SampleResult[]): LatencyFigures {
  const { answered, deadlines } = splitTimes(results);
  const sorted = sortNumbers([...answered, ...deadlines]);
  const firstCensored = findFirstCensored(answered, deadlines);
  const median = computeQuantile(sorted, 50);
  const p95 = computeP95(sorted);
  return {
    median_latency_ms: median?.value ?? null,
    median_censored: isCensored(median, firstCensored),
    p95_latency_ms: p95?.value ?? null,
    p95_censored: isCensored(p95, firstCensored),
  };
}

/** The time (ms) that a result brings to latency figures; null when it brings none. */
export function timedLatency(result: SampleResult): number | null {
  return STATES[result.state].latency !== null && Number.isFinite(result.latency_ms) ? result.latency_ms : null;
}

function splitTimes(results: readonly SampleResult[]) {
  const times = { answered: [] as number[], deadlines: [] as number[] };
  for (const result of results) {
    const latency = timedLatency(result);
    if (latency !== null)
      (STATES[result.state].latency === 'deadline' ? times.deadlines : times.answered).push(latency);
  }
  return times;
}

/** 0-based rank of the lowest deadline among all times; past the last rank when nothing timed out. */
function findFirstCensored(answered: readonly number[], deadlines: readonly number[]): number {
  const lowest = deadlines.reduce((least, deadline) => Math.min(least, deadline), Number.POSITIVE_INFINITY);
  return answered.filter((latency) => latency <= lowest).length;
}

function computeP95(sorted: SortedNumbers): Quantile | null {
  return sorted.length < MIN_FOR_P95 ? null : computeQuantile(sorted, 95);
}

function isCensored(quantile: Quantile | null, firstCensored: number): boolean {
  return quantile !== null && quantile.rank >= firstCensored;
}

declare const ascending: unique symbol;

/** Numbers in ascending order; only `sortNumbers` makes them, so a quantile never meets unsorted data. */
export type SortedNumbers = Float64Array & { readonly [ascending]: true };

export type Quantile = {
  readonly value: number;
  /** The highest 0-based rank that the value depends on. */
  readonly rank: number;
};

export function sortNumbers(values: readonly number[]): SortedNumbers {
  return Float64Array.from(values).sort() as SortedNumbers;
}

/**
 * R-7 quantile (the default of R and NumPy): linear interpolation at position (n - 1) * percent / 100; null when there
 * are no values. `percent` is 0 to 100: with whole percents the position is exact, where (n - 1) * 0.95 would not be.
 */
export function computeQuantile(sorted: SortedNumbers, percent: number): Quantile | null {
  const hundredths = (sorted.length - 1) * percent;
  const rank = Math.ceil(hundredths / 100);
  const low = sorted[Math.floor(hundredths / 100)];
  const high = sorted[rank];
  if (low === undefined || high === undefined) return null;
  return { value: low + ((hundredths % 100) / 100) * (high - low), rank };
}
