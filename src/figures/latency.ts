import type { GroupSummary } from '../words/figures.ts';
import { type SampleResult, STATES } from '../words/row.ts';
import { lineIf } from '../words/show.ts';
import type { Tally } from './groups.ts';
import { computeRanks } from './intervals.ts';

type LatencyFigures = Pick<
  GroupSummary,
  | 'median_latency_ms'
  | 'median_latency_ci95'
  | 'median_censored'
  | 'p95_latency_ms'
  | 'p95_latency_ci95'
  | 'p95_censored'
>;

/** With fewer timed results, the 95th percentile is little more than the maximum. */
export const MIN_FOR_P95 = 20;

/**
 * Median and p95 (R-7, ms) of answered results and of timed-out results at their deadline, with
 * their intervals; errors are left out. The real time of a timed-out call is at least its deadline.
 * So all values from the lowest deadline upwards are lower bounds, and a figure that depends on one
 * is marked as censored; an interval has no such upper end. An answer with the same time as a
 * deadline ranks before it.
 */
export function computeLatency(results: readonly SampleResult[]): LatencyFigures {
  const [timed, times]: [SampleResult[], number[]] = [[], []];
  let lowest = Infinity;
  for (const row of results) {
    const time = timedLatency(row);
    if (time === null) continue;
    timed.push(row);
    times.push(time);
    if (STATES[row.state].latency === 'deadline') lowest = Math.min(lowest, time);
  }
  const ranked = ({ state }: SampleResult, index: number) =>
    STATES[state].latency === 'answer' && (times[index] ?? 0) <= lowest;
  const firstCensored = lowest === Infinity ? times.length : timed.filter(ranked).length;
  const { median, p95 } = measureTimes(timed, times, firstCensored);
  return {
    median_latency_ms: median?.value ?? null,
    median_latency_ci95: median?.ci95 ?? null,
    median_censored: median !== null && median.rank >= firstCensored,
    p95_latency_ms: p95?.value ?? null,
    p95_latency_ci95: p95?.ci95 ?? null,
    p95_censored: p95 !== null && p95.rank >= firstCensored,
  };
}

/**
 * Median and p95 (R-7, ms) until the first token, of the results that report it; nothing if none
 * does.
 */
export function computeFirstToken(
  results: readonly SampleResult[],
): Pick<
  GroupSummary,
  | 'median_first_token_ms'
  | 'median_first_token_ci95'
  | 'p95_first_token_ms'
  | 'p95_first_token_ci95'
> {
  const timed = results.filter((row) => row.first_token_ms !== undefined);
  const times = timed.map((row) => row.first_token_ms ?? 0);
  const { median, p95 } = measureTimes(timed, times, timed.length);
  if (median === null) return {};
  return {
    median_first_token_ms: median.value,
    median_first_token_ci95: median.ci95,
    p95_first_token_ms: p95?.value ?? null,
    p95_first_token_ci95: p95?.ci95 ?? null,
  };
}

/** `firstCensored` is the first 0-based rank of a time that is a lower bound. */
function measureTimes(
  rows: readonly SampleResult[],
  times: readonly number[],
  firstCensored: number,
) {
  const sorted = new Float64Array(times).sort();
  const places = listPlaces(rows);
  const measure = (percent: number) => {
    const found = quantileOf(sorted, percent);
    if (found === null) return null;
    const { low, high } = computeRanks(countReached(times, places, found.value), percent);
    const end = (rank: number | null) => (rank === null ? null : (sorted[rank - 1] ?? null));
    const ends = [end(low), high !== null && high > firstCensored ? null : end(high)] as const;
    return { ...found, ci95: ends.every((each) => each === null) ? null : ends };
  };
  return {
    median: measure(50),
    p95: times.length < MIN_FOR_P95 ? null : measure(95),
  };
}

/** The questions of some rows with their clusters, and the place of each row's question. */
function listPlaces(rows: readonly SampleResult[]) {
  const places = new Map<string, number>();
  const questions: SampleResult['cluster'][] = [];
  const ofRows = rows.map(({ id, cluster }) => {
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, questions.length);
    return questions.push(cluster) - 1;
  });
  return { questions, ofRows };
}

/** How many of the times of each question are at most `limit` (ms). */
function countReached(
  times: readonly number[],
  { questions, ofRows }: ReturnType<typeof listPlaces>,
  limit: number,
): readonly Tally[] {
  const [reached, counted] = [new Int32Array(questions.length), new Int32Array(questions.length)];
  ofRows.forEach((place, row) => {
    counted[place] = (counted[place] ?? 0) + 1;
    if ((times[row] ?? 0) <= limit) reached[place] = (reached[place] ?? 0) + 1;
  });
  return questions.map((cluster, place) => {
    return { correct: reached[place] ?? 0, counted: counted[place] ?? 0, cluster };
  });
}

/**
 * What of the latency is not the agent's: the median wait for viva's process, by how much p95 would be
 * lower if each result's wait were taken from its time, and the median load of the machine by commands
 * (0 to 1). Nothing if no timed result knows it.
 */
export function computeOwnDelay(
  results: readonly SampleResult[],
): Pick<GroupSummary, 'median_own_delay_ms' | 'own_delay_in_p95_ms' | 'machine_load'> {
  const timed = results.filter((row) => timedLatency(row) !== null);
  const known = timed.filter((row) => row.own_delay_ms !== undefined);
  const median = (values: readonly number[]) => computeQuantile(values, 50)?.value ?? 0;
  if (known.length === 0) return {};
  const load = median(known.map(({ machine_load = 0 }) => machine_load));
  const times = timed.map((row) => timedLatency(row) ?? 0);
  const without = timed.map(({ own_delay_ms = 0 }, index) => (times[index] ?? 0) - own_delay_ms);
  const p95 = (values: readonly number[]) => computeQuantile(values, 95)?.value ?? 0;
  return {
    median_own_delay_ms: median(known.map(({ own_delay_ms = 0 }) => own_delay_ms)),
    ...(timed.length < MIN_FOR_P95 ? {} : { own_delay_in_p95_ms: p95(times) - p95(without) }),
    ...(load === 0 ? {} : { machine_load: load }),
  };
}

type Quantile = 'median' | 'p95';

/** Clauses that say how much of a median or p95, `it`, is not the agent's, if it is worth a word. */
export function describeOwnDelay(
  it: string,
  figures: GroupSummary,
  of: Quantile,
): readonly string[] {
  const own = findOwnDelay(figures, of);
  return [...lineIf(own !== null, describeWait(it, `${own} ms`)), ...describeLoad(it, figures)];
}

/** The same of a median and p95 together. */
export function describeOwnDelays(it: string, figures: GroupSummary): readonly string[] {
  const waits = (['median', 'p95'] as const).flatMap((of) => {
    const own = findOwnDelay(figures, of);
    return lineIf(own !== null, `${own} ms (${of})`);
  });
  return [
    ...lineIf(waits.length > 0, describeWait(it, waits.join(' and '))),
    ...describeLoad(it, figures),
  ];
}

function describeWait(it: string, time: string): string {
  return `${it} includes about ${time} in which answers waited for viva's busy process`;
}

function describeLoad(it: string, { machine_load = 0 }: GroupSummary): readonly string[] {
  const load = Math.round(machine_load * 100);
  const used = `${it} measures this machine: commands used ${load} % of its processors`;
  return lineIf(machine_load >= SATURATED, used);
}

/** The whole milliseconds of it that are viva's; null if they are not worth a word. */
function findOwnDelay(figures: GroupSummary, of: Quantile): number | null {
  const { median_latency_ms, median_own_delay_ms, p95_latency_ms, own_delay_in_p95_ms } = figures;
  const [latency, own = 0] =
    of === 'median'
      ? [median_latency_ms, median_own_delay_ms]
      : [p95_latency_ms, own_delay_in_p95_ms];
  const isDelayed = own >= 5 && (own > 20 || own > (latency ?? Infinity) / 20);
  return isDelayed ? Math.round(own) : null;
}

/**
 * Commands that use this share of all processors slow each other down. Measured on two processors:
 * an agent of 330 ms took 450 ms at 0.56 and 1.6 s at 0.77. viva and other programs use the rest.
 */
const SATURATED = 0.6;

/** The time (ms) of a result in latency figures; null if it is not in them. */
export function timedLatency({ state, latency_ms }: SampleResult): number | null {
  return STATES[state].latency !== null && Number.isFinite(latency_ms) ? latency_ms : null;
}

/**
 * R-7 quantile (the default of R and NumPy): linear interpolation at position (n - 1) * percent /
 * 100. Null without values. `percent` is 0 to 100: whole percents make an exact position, which (n
 * - 1) * 0.95 would not. `rank` is the highest 0-based rank that the value depends on.
 */
export function computeQuantile(
  values: readonly number[],
  percent: number,
): { value: number; rank: number } | null {
  return quantileOf(new Float64Array(values).sort(), percent);
}

function quantileOf(sorted: Float64Array, percent: number) {
  const hundredths = (sorted.length - 1) * percent;
  const rank = Math.ceil(hundredths / 100);
  const low = sorted[Math.floor(hundredths / 100)];
  const high = sorted[rank];
  if (low === undefined || high === undefined) return null;
  return { value: low + ((hundredths % 100) / 100) * (high - low), rank };
}
