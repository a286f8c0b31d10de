import { type Fraction, toCommonIntegers } from './fraction.ts';
import { computeTwoSidedTail } from './normal.ts';

export type SignFlip = {
  /** Two-sided. */
  readonly p_value: number;
  /** False when the normal approximation had to stand in. */
  readonly exact: boolean;
};

/** Table cells that the exact test may fill (a quarter of a second): 10,000 flips with one trial each. */
const MAX_CELLS = 100_000_000;

/**
 * Sign-flip test of per-question differences: the chance that random signs give a sum at least as far from 0 as the
 * one seen. With one trial each this is the exact McNemar test. Exact while the questions that changed times the sum
 * of their absolute differences (in their common unit) stay within `maxCells` and that unit is at least a millionth;
 * beyond, the normal approximation sum / sqrt(sum of squares). Signs are exchangeable when a question has equally many
 * trials in both runs.
 */
export function signFlipTest(differences: readonly Fraction[], maxCells = MAX_CELLS): SignFlip {
  const changed = differences.filter(({ numerator }) => numerator !== 0);
  const integers = toCommonIntegers(changed);
  if (integers === null || integers.length * sum(integers.map(Math.abs)) > maxCells) {
    return { p_value: approximate(changed), exact: false };
  }
  return { p_value: computeExactTail(integers.map(Math.abs), Math.abs(sum(integers))), exact: true };
}

/**
 * P(|sum of signed sizes| >= distance). The positive part X of a signed sum S is a random subset sum, S = 2X - total,
 * so the upper tail is P(X >= (total + distance) / 2), and the lower one equals it.
 */
function computeExactTail(sizes: readonly number[], distance: number): number {
  const chances = computeSubsetSums(sizes);
  const first = (chances.length - 1 + distance) / 2;
  return Math.min(1, 2 * chances.subarray(first).reduce((tail, chance) => tail + chance, 0));
}

/** Chance of each subset sum 0..total when every size is in with chance 1/2: one convolution per size, in place. */
function computeSubsetSums(sizes: readonly number[]): Float64Array {
  const chances = new Float64Array(sum(sizes) + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    reach += size;
    for (let at = reach; at >= 0; at -= 1) chances[at] = ((chances[at] ?? 0) + (chances[at - size] ?? 0)) / 2;
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
