import { expect, it } from 'vitest';
import { computeQuantile, sortNumbers } from './quantile.ts';

it.each([
  [[7], 50, 7, 0],
  [[9, 1, 5], 50, 5, 1],
  [[4, 1, 3, 2], 50, 2.5, 2],
  [[10, 9, 8], 95, 9.9, 2],
  [[1, 2, 3, 4, 5], 0, 1, 0],
  [[1, 2, 3, 4, 5], 100, 5, 4],
  [[5, 5, 5, 5], 95, 5, 3],
])('the R-7 quantile of %j at %d %% is %d and depends on rank %d', (values, percent, value, rank) => {
  const quantile = computeQuantile(sortNumbers(values), percent);
  expect(quantile?.value).toBeCloseTo(value, 12);
  expect(quantile?.rank).toBe(rank);
});

it('sorts by size, not by spelling', () => {
  expect([...sortNumbers([100, 9, 20])]).toEqual([9, 20, 100]);
});

it('is null without values', () => {
  expect(computeQuantile(sortNumbers([]), 50)).toBeNull();
});

// (n - 1) * 0.95 is a hair off the whole number for some n, and would then depend on one rank more.
it('falls on a single rank at 95 % whenever n - 1 is a multiple of 20', () => {
  for (let n = 21; n < 3000; n += 20) {
    const sorted = sortNumbers(Array.from({ length: n }, (_, index) => index));
    expect(computeQuantile(sorted, 95)).toEqual({ value: ((n - 1) / 20) * 19, rank: ((n - 1) / 20) * 19 });
  }
});
