import { expect, it } from 'vitest';
import {
  computeTwoSidedTail,
  quantileOfBinomial,
  quantileOfT,
  Z_95,
  Z_POWER_80,
} from './distributions.ts';

// By SciPy; those of 1 degree are tan(0.475 pi) and tan(0.3 pi), those of 2 have closed forms too.
it.each([
  [1, 12.706204736, 1.37638192],
  [1.5, 6.016663104, 1.153364378],
  [2, 4.30265273, 1.060660172],
  [4, 2.776445105, 0.940964577],
  [7.3, 2.345066737, 0.893671357],
  [19, 2.093024054, 0.86095055],
  [1000, 1.962339081, 0.841980822],
  [1e7, 1.959964222, 0.841621268],
])("Student's t of %d degrees of freedom has its quantiles at %d and %d", (df, t95, t80) => {
  expect(quantileOfT(df)).toBeCloseTo(t95, 8);
  expect(quantileOfT(df, 0.4, Z_POWER_80)).toBeCloseTo(t80, 8);
});

/** Adds up the binomial distribution from 0. */
function addUp(share: number, n: number, p: number): number {
  let [chance, sum] = [(1 - p) ** n, (1 - p) ** n];
  let k = 0;
  while (sum < share) {
    chance *= ((n - k) / (k + 1)) * (p / (1 - p));
    sum += chance;
    k += 1;
  }
  return k;
}

it('the quantile of a binomial distribution is where its sum reaches it', () => {
  for (const n of [1, 2, 5, 17, 72, 200])
    for (const p of [0.5, 0.95])
      for (const share of [0.025, 0.975])
        expect(quantileOfBinomial(share, n, p)).toBe(addUp(share, n, p));
});

// From tables of the normal distribution, two-sided.
it.each([
  [0, 1],
  [-1, 0.31731050786291],
  [2, 0.0455002638963584],
  [3, 0.00269979606326],
  [10, 1.523970604832e-23],
  [Z_95, 0.05],
  [Z_POWER_80, 0.4],
])('P(|Z| >= |%d|) is %d', (z, tail) => {
  expect(Math.abs(computeTwoSidedTail(z) / tail - 1)).toBeLessThan(2e-7);
});
