/**
 * The distributions that intervals and tests rest on. (No dependency has them with fractional
 * degrees of freedom and these few lines.)
 */

/** Standard normal quantiles: 97.5 % (two-sided 5 %) and 80 % (power). */
export const Z_95 = 1.959963984540054;
export const Z_POWER_80 = 0.8416212335729143;

/**
 * The quantile of Student's t with `df` degrees of freedom (a fraction is allowed) that leaves
 * `tails` outside on both sides together: 0.05 for a 95 % interval. By Newton's steps from `start`,
 * the normal quantile, which is below it; so each step is below it too.
 */
export function quantileOfT(df: number, tails = 0.05, start = Z_95): number {
  const scale = Math.exp(lnGamma((df + 1) / 2) - lnGamma(df / 2)) / Math.sqrt(df * Math.PI);
  let t = start;
  for (let step = 0; step < 60; step += 1) {
    const outside = incompleteBeta(df / (df + t * t), df / 2, 0.5);
    const density = scale * (1 + (t * t) / df) ** (-(df + 1) / 2);
    const next = t + (outside - tails) / (2 * density);
    if (Math.abs(next - t) < 1e-13 * t) return next;
    t = next;
  }
  return t;
}

/** The smallest k with P(Bin(n, p) <= k) >= share. 0 < p < 1. */
export function quantileOfBinomial(share: number, n: number, p: number): number {
  let [below, reached] = [-1, n];
  while (reached - below > 1) {
    const k = Math.floor((below + reached) / 2);
    if (incompleteBeta(1 - p, n - k, k + 1) >= share) reached = k;
    else below = k;
  }
  return reached;
}

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

/** The regularised incomplete beta function I_x(a, b), with a and b above 0. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const lnFront = lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  const front = Math.exp(lnFront);
  // The fraction converges fast on this side of the mean alone.
  return x < (a + 1) / (a + b + 2)
    ? (front * computeFraction(x, a, b)) / a
    : 1 - (front * computeFraction(1 - x, b, a)) / b;
}

/** Lentz's continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8). */
function computeFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 5000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

/** ln Gamma(x) for x > 0, by Lanczos (g = 7, nine terms): relative error about 1e-15. */
function lnGamma(x: number): number {
  const shifted = x - 1;
  const sum = LANCZOS.reduce((total, term, index) => total + term / (shifted + index + 1), 0);
  const t = shifted + 7.5;
  const series = 0.99999999999980993 + sum;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(series);
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
