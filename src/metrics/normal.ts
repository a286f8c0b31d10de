/** Standard normal quantiles: 97.5 % (two-sided 5 %) and 80 % (power). */
export const Z_95 = 1.959963984540054;
export const Z_POWER_80 = 0.8416212335729143;

/** Two-sided tail of the standard normal: P(|Z| >= |z|), relative error below 1e-10 until it underflows to 0. */
export function computeTwoSidedTail(z: number): number {
  const distance = Math.abs(z);
  return distance < 3 ? 1 - integrateCentre(distance) : upperTail(distance);
}

/** P(|Z| < z) by the power series of the error function; its terms alternate nowhere, so nothing cancels. */
function integrateCentre(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 1; term > sum * 1e-17; k += 1) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return 2 * density(z) * sum;
}

/** P(|Z| >= z) by Laplace's continued fraction, which converges fast away from the centre. */
function upperTail(z: number): number {
  let fraction = z;
  for (let k = 100; k >= 1; k -= 1) fraction = z + k / fraction;
  return (2 * density(z)) / fraction;
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}
