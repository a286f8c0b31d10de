import { formatKappa, formatRate } from '../../../reporters/format-figures.ts';
import type { GradeCounts } from '../../figures/judge-calibration.ts';

/** Weighted kappa in a line. */
export function describeWeighted(
  kappa: number | null,
  ci95: readonly [number, number] = [-1, 1],
): string {
  return kappa === null
    ? 'weighted kappa -: all grades are the same, so that chance alone agrees'
    : `weighted kappa ${formatKappa(kappa, ci95)}, with its 95 % interval; quadratic weights`;
}

/** How far apart two raters are, and how much higher the second one, `who`, grades. */
export function describeGaps({ scale, grades }: GradeCounts, who: string): string {
  let [n, same, near, sum] = [0, 0, 0, 0];
  const step = (scale - 1) / (grades.length - 1);
  for (const [i, row] of grades.entries())
    for (const [j, count] of row.entries()) {
      const gap = (j - i) * step;
      n += count;
      same += gap === 0 ? count : 0;
      near += Math.abs(gap) <= 1 ? count : 0;
      sum += gap * count;
    }
  const mean = Math.abs(sum / n).toFixed(2);
  const bias =
    Number(mean) === 0 ? '' : `, ${who} ${mean} ${sum > 0 ? 'higher' : 'lower'} on average`;
  return `the same grade ${formatRate(same / n)}, at most one apart ${formatRate(near / n)}${bias}`;
}
