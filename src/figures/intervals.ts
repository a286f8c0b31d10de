import { sumAnyOrder, type Tally } from './groups.ts';

/**
 * 95 % Wilson score interval of a proportion (0..1) seen in `n` trials, both ends within 0..1. `n`
 * is above 0 and may be a fraction (an effective sample size). (jstat has no Wilson interval, and no
 * library has sign flips or Bonett-Price.)
 */
export function computeWilson(proportion: number, n: number): readonly [number, number] {
  const shrink = 1 / (1 + Z_95 ** 2 / n);
  const centre = (proportion + Z_95 ** 2 / (2 * n)) * shrink;
  const half =
    Z_95 * Math.sqrt((proportion * (1 - proportion)) / n + Z_95 ** 2 / (4 * n ** 2)) * shrink;
  // Rounding must not push the interval past 0 and 1, nor the proportion out of it.
  return [
    Math.max(0, Math.min(centre - half, proportion)),
    Math.min(1, Math.max(centre + half, proportion)),
  ];
}

/**
 * How many independent trials the results are equal to: min(nk, n p(1-p) / s2) for n questions and
 * nk trials, where s2 is the mean of (question mean - p)^2. Trials that always agree count once per
 * question, independent trials count in full. One trial each: n. With unequal trial counts p stays
 * the share of correct trials, which can only widen the interval. If s2 says nothing (one question,
 * or p = 0 or 1), each question counts once. Questions without a trial that counts are left out.
 */
export function computeEffectiveN(tallies: readonly Tally[]): number {
  const questions = tallies.filter(({ counted }) => counted > 0);
  const n = questions.length;
  const trials = questions.reduce((sum, { counted }) => sum + counted, 0);
  const p = questions.reduce((sum, { correct }) => sum + correct, 0) / trials;
  if (n === 1 || trials === n || p === 0 || p === 1) return n;
  const squares = sumAnyOrder(
    questions.map(({ correct, counted }) => (correct / counted - p) ** 2),
  );
  // Equal question means (squares = 0) mean Infinity here, so all trials count.
  return Math.min(trials, (n * p * (1 - p)) / (squares / n));
}

/**
 * 95 % interval of the mean of values in 0..1, one for each question: Student's t interval after
 * adding a question with 0 and one with 1, as `computePairedInterval` does. Without them it is far
 * too narrow where nearly all values are equal: bench/RESULTS.md has both. It contains the mean.
 */
export function computeMeanInterval(values: readonly number[]): readonly [number, number] {
  const n = values.length + 2;
  const mean = (sumAnyOrder(values) + 1) / n;
  const squares = sumAnyOrder([...values, 0, 1].map((value) => (value - mean) ** 2));
  const half = computeStudent95(n - 1) * Math.sqrt(squares / (n - 1) / n);
  return [Math.max(0, mean - half), Math.min(1, mean + half)];
}

/**
 * Like `computeEffectiveN`, but smaller where trials say how much questions differ: few questions
 * say it badly, and the interval would be too narrow (93.1 % at 20 questions with 3 trials).
 */
export function computeCautiousN(tallies: readonly Tally[]): number {
  const all = computeEffectiveN(tallies);
  const questions = tallies.filter(({ counted }) => counted > 0);
  const hasTrials = questions.some(({ counted }) => counted > 1);
  const df = questions.length - 1;
  return hasTrials && df > 0 ? (all * df * Z_95 ** 2) / (df + 1) / computeStudent95(df) ** 2 : all;
}

/**
 * The 97.5 % quantile of Student's t by Fisher's expansion (Abramowitz and Stegun 26.7.5): within
 * 1 % from 2 degrees of freedom on.
 */
function computeStudent95(df: number): number {
  const z = Z_95;
  return (
    z +
    (z ** 3 + z) / (4 * df) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * df ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * df ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * df ** 4)
  );
}

/**
 * 95 % Bonett-Price interval of a mean paired difference (each -1..1), within -1..1: the plain
 * normal interval after adding one question that got better (+1) and one that got worse (-1). With
 * one trial each this is their adjusted Wald interval; the two extra questions correct it if few or
 * no questions changed. With several trials the differences are smaller, so the interval is too
 * wide rather than too narrow: with 3 trials it covers the true difference in 99 % of simulated
 * runs of 20 questions, in 97 % of 50 and in 96 % of 165.
 */
export function computePairedInterval(differences: readonly number[]): readonly [number, number] {
  const n = differences.length + 2;
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / n;
  const half = Z_95 * Math.sqrt((computeDiscordance(differences) - mean ** 2) / n);
  return [Math.max(-1, mean - half), Math.min(1, mean + half)];
}

/**
 * Mean squared difference with the two extra questions: with one trial each, the share of questions
 * that flip.
 */
export function computeDiscordance(differences: readonly number[]): number {
  return (
    differences.reduce((sum, difference) => sum + difference ** 2, 2) / (differences.length + 2)
  );
}

/**
 * Half the width of the interval if none of n questions changes. No smaller drop can be ruled out.
 */
export function computeSmallestMargin(n: number): number {
  return (Z_95 * Math.SQRT2) / (n + 2);
}

/** A rational number; the denominator is a positive integer. */
export type Fraction = Readonly<{ numerator: number; denominator: number }>;

/** Largest table of the exact test (a quarter of a second): 10,000 flips with one trial each. */
const MAX_CELLS = 100_000_000;

/**
 * Two-sided sign-flip test of per-question differences: the chance that random signs make a sum at
 * least as far from 0 as the one seen. With one trial each this is the exact McNemar test. Exact
 * while the questions that changed times the sum of their absolute differences (in their common
 * unit) stay within `maxCells` and that unit is at least a millionth; beyond, the normal
 * approximation sum / sqrt(sum of squares). Signs are exchangeable when a question has equally many
 * trials in both runs.
 */
export function signFlipTest(
  differences: readonly Fraction[],
  maxCells = MAX_CELLS,
): Readonly<{ p_value: number; exact: boolean }> {
  const changed = differences.filter(({ numerator }) => numerator !== 0);
  const integers = toCommonIntegers(changed);
  if (integers === null || integers.length * sum(integers.map(Math.abs)) > maxCells) {
    return { p_value: approximate(changed), exact: false };
  }
  return {
    p_value: computeExactTail(integers.map(Math.abs), Math.abs(sum(integers))),
    exact: true,
  };
}

/** With a larger common denominator the integers are too large for an exact table. */
const MAX_DENOMINATOR = 1_000_000;

/**
 * The fractions as integers in their largest common unit (1/2, -1/3 become 3, -2); null when their
 * common denominator is above a million.
 */
function toCommonIntegers(fractions: readonly Fraction[]): readonly number[] | null {
  let common = 1;
  for (const { denominator } of fractions) {
    common *= denominator / gcd(common, denominator);
    if (common > MAX_DENOMINATOR) return null;
  }
  const integers = fractions.map(
    ({ numerator, denominator }) => numerator * (common / denominator),
  );
  const unit = integers.reduce(gcd, 0) || 1;
  return integers.map((integer) => integer / unit);
}

function gcd(left: number, right: number): number {
  let [high, low] = [Math.abs(left), Math.abs(right)];
  while (low > 0) [high, low] = [low, high % low];
  return high;
}

/**
 * P(|sum of signed sizes| >= distance). The positive part X of a signed sum S is a random subset
 * sum, S = 2X - total, so the upper tail is P(X >= (total + distance) / 2), and the lower one
 * equals it.
 */
function computeExactTail(sizes: readonly number[], distance: number): number {
  const chances = computeSubsetSums(sizes);
  const first = (chances.length - 1 + distance) / 2;
  return Math.min(1, 2 * chances.subarray(first).reduce((tail, chance) => tail + chance, 0));
}

/**
 * Chance of each subset sum 0..total if each size is included with chance 1/2: one convolution per
 * size, in place.
 */
function computeSubsetSums(sizes: readonly number[]): Float64Array {
  const chances = new Float64Array(sum(sizes) + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    reach += size;
    for (let at = reach; at >= 0; at -= 1)
      chances[at] = ((chances[at] ?? 0) + (chances[at - size] ?? 0)) / 2;
  }
  return chances;
}

function approximate(differences: readonly Fraction[]): number {
  const values = differences.map(({ numerator, denominator }) => numerator / denominator);
  return computeTwoSidedTail(sum(values) / Math.sqrt(sum(values.map((value) => value ** 2))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** With fewer questions p > 0.05 even if every question breaks (2 / 2^5). */
const MIN_QUESTIONS = 6;

/**
 * The smallest true drop from an accuracy (0..1) that n questions detect with p < 0.05 in four runs
 * of five. Null if it is larger than the accuracy. From Connor's sample size of the paired test,
 * sqrt(n) drop = z95 sqrt(d) + z80 sqrt(d - drop^2), with d the discordance (share of questions
 * that flip), which a drop cannot exceed. An estimate: the exact test needs slightly more.
 */
export function computeDetectableDrop(
  n: number,
  discordance: number,
  accuracy: number,
): number | null {
  if (n < MIN_QUESTIONS) return null;
  let [hidden, shown] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const drop = (hidden + shown) / 2;
    const d = Math.max(discordance, drop);
    const isShown =
      Math.sqrt(n) * drop >= Z_95 * Math.sqrt(d) + Z_POWER_80 * Math.sqrt(d - drop ** 2);
    if (isShown) shown = drop;
    else hidden = drop;
  }
  return shown <= accuracy ? shown : null;
}

/** Standard normal quantiles: 97.5 % (two-sided 5 %) and 80 % (power). */
export const Z_95 = 1.959963984540054;
export const Z_POWER_80 = 0.8416212335729143;

/**
 * Two-sided tail of the standard normal: P(|Z| >= |z|), by a Chebyshev fit of the complementary
 * error function (Numerical Recipes, erfcc). Relative error below 1.2e-7.
 */
export function computeTwoSidedTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  return t * Math.exp(ERFC.reduceRight((sum, coefficient) => sum * t + coefficient, 0) - x * x);
}

const ERFC = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
];
