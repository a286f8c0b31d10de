import { Z_95 } from './distributions.ts';
import type { Interval } from './intervals.ts';

/**
 * How often two raters gave each pair of k labels: a row for each label of the first, a column for
 * each of the second. Counts may be fractions.
 */
export type LabelTable = readonly (readonly number[])[];

/** How much two labels agree, 0 to 1, by their places among `k`. */
export type Weights = (i: number, j: number, k: number) => number;

/** Only equal labels agree. */
const ALIKE: Weights = (i, j) => Number(i === j);

/** Of grades: labels that are d of k - 1 steps apart agree by 1 - (d / (k - 1))^2 (Cohen 1968). */
export const QUADRATIC: Weights = (i, j, k) => 1 - ((i - j) / (k - 1)) ** 2;

/**
 * Cohen's kappa (1960), or weighted kappa (1968) by other weights; null where chance alone agrees always, or without a label. Its 95 % interval,
 * which contains it, is that of Fleiss, Cohen and Everitt (1969) after adding two agreements and two
 * disagreements, spread over the cells. Without them it is far too narrow where nearly all labels
 * agree: bench/RESULTS.md has both. `share` is how many independent answers each one is worth, and
 * `added` how many of each are added.
 */
export function computeKappa(
  table: LabelTable,
  { share = 1, added = 2, weights = ALIKE } = {},
): Readonly<{ kappa: number | null; ci95: Interval }> {
  const k = table.length;
  const seen = toShares(table, weights);
  const kappa = seen.n === 0 || seen.chance === 1 ? null : toKappa(seen);
  const filled = toShares(
    table.map((row, i) =>
      row.map((count, j) => count * share + (i === j ? added / k : added / (k * (k - 1)))),
    ),
    weights,
  );
  const centre = toKappa(filled);
  const half = Z_95 * Math.sqrt(computeVariance(filled, centre));
  const value = kappa ?? centre;
  return {
    kappa,
    ci95: [
      Math.max(-1, Math.min(centre - half, value)),
      Math.min(1, Math.max(centre + half, value)),
    ],
  };
}

/**
 * The cells as shares of all, how often both raters agree by the weights, and the mean weight of
 * each label of one rater with those of the other.
 */
function toShares(table: LabelTable, weights: Weights) {
  const k = table.length;
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const cells = table.map((row) => row.map((count) => count / n));
  const first = cells.map((row) => row.reduce((sum, cell) => sum + cell, 0));
  const second = cells.map((_, j) => cells.reduce((sum, row) => sum + (row[j] ?? 0), 0));
  const weightOf = (i: number, j: number) => weights(i, j, k);
  const ofFirst = first.map((_, i) =>
    second.reduce((sum, each, j) => sum + each * weightOf(i, j), 0),
  );
  const ofSecond = second.map((_, j) =>
    first.reduce((sum, each, i) => sum + each * weightOf(i, j), 0),
  );
  const agreement = cells.reduce(
    (sum, row, i) => sum + row.reduce((part, cell, j) => part + cell * weightOf(i, j), 0),
    0,
  );
  // How often two independent raters with these totals would agree.
  const chance = first.reduce((sum, each, i) => sum + each * (ofFirst[i] ?? 0), 0);
  return { n, cells, weightOf, ofFirst, ofSecond, agreement, chance };
}

type Shares = ReturnType<typeof toShares>;

function toKappa({ agreement, chance }: Shares): number {
  return (agreement - chance) / (1 - chance);
}

function computeVariance(
  { n, cells, weightOf, ofFirst, ofSecond, chance }: Shares,
  kappa: number,
): number {
  const rest = 1 - kappa;
  const squares = cells.flatMap((row, i) =>
    row.map((cell, j) => {
      const expected = (ofFirst[i] ?? 0) + (ofSecond[j] ?? 0);
      return cell * (weightOf(i, j) - expected * rest) ** 2;
    }),
  );
  const spread = squares.reduce((sum, square) => sum + square, 0) - (kappa - chance * rest) ** 2;
  return Math.max(0, spread) / n / (1 - chance) ** 2;
}
