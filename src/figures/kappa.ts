import { Z_95 } from './distributions.ts';
import type { Interval } from './intervals.ts';

/**
 * How often two raters gave each pair of k labels: a row for each label of the first, a column for
 * each of the second. Counts may be fractions.
 */
export type LabelTable = readonly (readonly number[])[];

/**
 * Cohen's kappa (1960); null where chance alone agrees always, or without a label. Its 95 % interval,
 * which contains it, is that of Fleiss, Cohen and Everitt (1969) after adding two agreements and two
 * disagreements, spread over the cells. Without them it is far too narrow where nearly all labels
 * agree: bench/RESULTS.md has both. `share` is how many independent answers each one is worth, and
 * `added` how many of each are added.
 */
export function computeKappa(
  table: LabelTable,
  { share = 1, added = 2 } = {},
): Readonly<{ kappa: number | null; ci95: Interval }> {
  const k = table.length;
  const seen = toShares(table);
  const kappa = seen.n === 0 || seen.chance === 1 ? null : toKappa(seen);
  const filled = toShares(
    table.map((row, i) =>
      row.map((count, j) => count * share + (i === j ? added / k : added / (k * (k - 1)))),
    ),
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

/** The cells as shares of all, those of each label by both raters, and how often these agree. */
function toShares(table: LabelTable) {
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const cells = table.map((row) => row.map((count) => count / n));
  const first = cells.map((row) => row.reduce((sum, cell) => sum + cell, 0));
  const second = cells.map((_, j) => cells.reduce((sum, row) => sum + (row[j] ?? 0), 0));
  const agreement = cells.reduce((sum, row, i) => sum + (row[i] ?? 0), 0);
  // How often two independent raters with these totals would agree.
  const chance = first.reduce((sum, each, i) => sum + each * (second[i] ?? 0), 0);
  return { n, cells, first, second, agreement, chance };
}

type Shares = ReturnType<typeof toShares>;

function toKappa({ agreement, chance }: Shares): number {
  return (agreement - chance) / (1 - chance);
}

function computeVariance({ n, cells, first, second, chance }: Shares, kappa: number): number {
  const rest = 1 - kappa;
  const squares = cells.flatMap((row, i) =>
    row.map((cell, j) => {
      if (i === j) return cell * (1 - ((first[i] ?? 0) + (second[i] ?? 0)) * rest) ** 2;
      return cell * rest ** 2 * ((second[i] ?? 0) + (first[j] ?? 0)) ** 2;
    }),
  );
  const spread = squares.reduce((sum, square) => sum + square, 0) - (kappa - chance * rest) ** 2;
  return Math.max(0, spread) / n / (1 - chance) ** 2;
}
