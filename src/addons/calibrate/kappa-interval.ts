import { Z_95 } from '../../figures/intervals.ts';
import { computeKappa, type LabelCounts, toShares } from '../../figures/judge-calibration.ts';

/**
 * 95 % interval of kappa, which contains it: that of Fleiss, Cohen and Everitt (1969) after adding
 * an answer to each of the four cells. Without them it is far too narrow where nearly all labels
 * agree: bench/RESULTS.md has both.
 */
export function computeKappaInterval(counts: LabelCounts, added = 1): readonly [number, number] {
  const { n, cells, first, second, agreement, chance } = toShares(counts, added);
  const centre = (agreement - chance) / (1 - chance);
  const rest = 1 - centre;
  const [[bothPass, firstOnly], [secondOnly, bothFail]] = cells;
  const squares =
    bothPass * (1 - (first + second) * rest) ** 2 +
    bothFail * (1 - (2 - first - second) * rest) ** 2 +
    rest ** 2 * (firstOnly * (second + 1 - first) ** 2 + secondOnly * (first + 1 - second) ** 2);
  const variance = Math.max(0, squares - (centre - chance * rest) ** 2) / n;
  const half = (Z_95 * Math.sqrt(variance)) / (1 - chance);
  const kappa = computeKappa(counts) ?? centre;
  return [
    Math.max(-1, Math.min(centre - half, kappa)),
    Math.min(1, Math.max(centre + half, kappa)),
  ];
}
