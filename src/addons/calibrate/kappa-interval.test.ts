import { describe, expect, test } from 'vitest';
import { computeKappa } from '../../figures/judge-calibration.ts';
import { computeKappaInterval } from './kappa-interval.ts';

const toCells = ([
  bothPass = 0,
  firstOnly = 0,
  secondOnly = 0,
  bothFail = 0,
]: readonly number[]) => ({
  passed: { as_pass: bothPass, as_fail: firstOnly },
  failed: { as_pass: secondOnly, as_fail: bothFail },
});

describe('the interval of kappa', () => {
  test('without added answers is that of the delta method', () => {
    const cells = [20, 5, 10, 15];
    const kappaOf = (shares: readonly number[]) => computeKappa(toCells(shares)) ?? Number.NaN;
    const shares = cells.map((count) => count / 50);
    // The slope of kappa in each cell, by small steps; multinomial variance of the shares.
    const slopes = shares.map((_, at) => {
      const moved = (by: number) =>
        kappaOf(shares.map((share, cell) => share + (cell === at ? by : 0)));
      return (moved(1e-5) - moved(-1e-5)) / 2e-5;
    });
    const mean = slopes.reduce((sum, slope, at) => sum + slope * (shares[at] ?? 0), 0);
    const squares = slopes.reduce((sum, slope, at) => sum + slope ** 2 * (shares[at] ?? 0), 0);
    const half = 1.959964 * Math.sqrt((squares - mean ** 2) / 50);
    const [low, high] = computeKappaInterval(toCells(cells), 0);
    expect(low).toBeCloseTo(0.4 - half, 5);
    expect(high).toBeCloseTo(0.4 + half, 5);
  });

  test.each([[[10, 0, 0, 10]], [[0, 5, 5, 0]], [[40, 0, 1, 0]], [[1, 0, 0, 0]]])(
    'of %j contains kappa, and stays within -1 and 1',
    (cells) => {
      const [low, high] = computeKappaInterval(toCells(cells));
      const kappa = computeKappa(toCells(cells)) ?? low;
      expect(-1 <= low && low <= kappa && kappa <= high && high <= 1).toBe(true);
      expect(high - low).toBeGreaterThan(0);
    },
  );
});
