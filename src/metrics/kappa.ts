import { Z_95 } from './intervals.ts';

/** How many answers a first rater passed and failed, and what a second one said of them. */
export type LabelCounts = Readonly<{
  passed: Readonly<{ as_pass: number; as_fail: number }>;
  failed: Readonly<{ as_pass: number; as_fail: number }>;
}>;

/** Counts answers by the labels, pass or fail, of two raters. */
export function countLabels(
  pairs: readonly (readonly ['pass' | 'fail', 'pass' | 'fail'])[],
): LabelCounts {
  const count = (first: string, second: string) =>
    pairs.filter(([one, other]) => one === first && other === second).length;
  return {
    passed: { as_pass: count('pass', 'pass'), as_fail: count('pass', 'fail') },
    failed: { as_pass: count('fail', 'pass'), as_fail: count('fail', 'fail') },
  };
}

/** Cohen's kappa (1960); null if chance alone agrees always. There must be a label. */
export function computeKappa(counts: LabelCounts): number | null {
  const { agreement, chance } = toShares(counts);
  return chance === 1 ? null : (agreement - chance) / (1 - chance);
}

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

/** The cells as shares of all, the shares that each rater passed, and how often they agree. */
function toShares({ passed, failed }: LabelCounts, added = 0) {
  const n = passed.as_pass + passed.as_fail + failed.as_pass + failed.as_fail + 4 * added;
  const share = (count: number) => (count + added) / n;
  const cells = [
    [share(passed.as_pass), share(passed.as_fail)],
    [share(failed.as_pass), share(failed.as_fail)],
  ] as const;
  const first = (passed.as_pass + passed.as_fail + 2 * added) / n;
  const second = (passed.as_pass + failed.as_pass + 2 * added) / n;
  const agreement = (passed.as_pass + failed.as_fail + 2 * added) / n;
  // How often two independent raters with these totals would agree.
  return {
    n,
    cells,
    first,
    second,
    agreement,
    chance: first * second + (1 - first) * (1 - second),
  };
}
