import { expect, it } from 'vitest';
import { computeTwoSidedTail, Z_95, Z_POWER_80 } from './normal.ts';

// Tails from tables of the normal distribution, two-sided.
it.each([
  [0, 1],
  [1, 0.31731050786291],
  [-1, 0.31731050786291],
  [2, 0.0455002638963584],
  // On the other side of the seam of the two methods: the tail at 3 plus 1e-6 times its slope, 2 * 0.00443184841.
  [2.999999, 0.002699804927],
  [3, 0.00269979606326],
  [5, 5.73303143758e-7],
  [10, 1.523970604832e-23],
])('P(|Z| >= |%d|) is %d', (z, tail) => {
  expect(Math.abs(computeTwoSidedTail(z) / tail - 1)).toBeLessThan(1e-8);
});

it('has constants that match its own tails', () => {
  expect(computeTwoSidedTail(Z_95)).toBeCloseTo(0.05, 14);
  expect(computeTwoSidedTail(Z_POWER_80)).toBeCloseTo(0.4, 14);
});

it('underflows to 0 far out, never to NaN', () => {
  expect(computeTwoSidedTail(60)).toBe(0);
  expect(computeTwoSidedTail(1e200)).toBe(0);
});
