/**
 * A scale that fits what it shows: its ends, and where its marks stand.
 * @typedef {Readonly<{ low: number, high: number, ticks: readonly number[] }>} Axis
 */

/** @typedef {readonly [low: number, high: number]} Interval */

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

/**
 * An axis for rates with their intervals, which never leaves 0 to 1.
 * @param {readonly (Interval | null | undefined)[]} intervals
 * @returns {Axis}
 */
export function fitRates(intervals) {
  const ends = intervals.flatMap((each) => each ?? []);
  if (ends.length === 0) return { low: 0, high: 1, ticks: [0, 0.5, 1] };
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const step = pickStep(most - least);
  const low = Math.max(0, Math.floor(least / step + 1e-9) * step);
  const high = Math.min(1, Math.ceil(most / step - 1e-9) * step);
  if (high - low >= step - 1e-9) return toAxis(low, high, step);
  return low + step <= 1 ? toAxis(low, low + step, step) : toAxis(high - step, high, step);
}

/**
 * An axis for differences, with 0 in its middle.
 * @param {readonly (Interval | null | undefined)[]} intervals
 * @returns {Axis}
 */
export function fitDifferences(intervals) {
  const most = Math.max(0.005, ...intervals.flatMap((each) => each ?? []).map(Math.abs));
  const step = pickStep(2 * most);
  const end = Math.ceil(most / step - 1e-9) * step;
  return toAxis(-end, end, step);
}

/**
 * Marks of a logarithmic axis around costs: 1, 2 and 5 of each power of ten, or fewer where these are many.
 * @param {readonly number[]} costs above 0
 * @returns {readonly number[]}
 */
export function fitCosts(costs) {
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const first = Math.floor(Math.log10(least));
  const count = Math.ceil(Math.log10(most)) - first;
  const powers = Array.from({ length: count + 1 }, (_, at) => first + at);
  const heads = count > 2 ? [1] : [1, 2, 5];
  const all = powers.flatMap((power) => heads.map((head) => Number(`${head}e${power}`)));
  const low = all.findLastIndex((mark) => mark <= least);
  const high = all.findIndex((mark) => mark >= most);
  return all.slice(Math.max(0, low), high + 1);
}

/** @param {number} span */
function pickStep(span) {
  return STEPS.find((step) => span / step <= 6) ?? 0.25;
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} step
 * @returns {Axis}
 */
function toAxis(low, high, step) {
  const count = Math.round((high - low) / step);
  const all = Array.from({ length: count + 1 }, (_, at) => Number((low + at * step).toFixed(4)));
  return { low, high, ticks: all.length > 7 ? all.filter((_, at) => at % 2 === 0) : all };
}

/**
 * Where a value stands on an axis, in per cent of its length.
 * @param {Axis} axis
 * @param {number} value
 */
export function placeOn({ low, high }, value) {
  return Math.max(0, Math.min(100, ((value - low) / (high - low)) * 100));
}
