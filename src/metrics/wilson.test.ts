import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeWilson } from './wilson.ts';

// By hand: the bounds solve (p - bound)^2 = 1.96^2 bound (1 - bound) / n.
it.each([
  [0.5, 10, 0.2366, 0.7634],
  [0.7, 10, 0.3968, 0.8922],
  [0, 10, 0, 0.2775],
  [1, 10, 0.7225, 1],
  [0, 1, 0, 0.7935],
  [1, 1, 0.2065, 1],
  // At one half the half width is 0.98 / sqrt(n + 3.8415).
  [0.5, 2.5, 0.1108, 0.8892],
])('the interval of %d in %d trials is %d to %d', (proportion, n, low, high) => {
  const interval = computeWilson(proportion, n);
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});

it('holds the proportion and stays within 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (n, seed) => {
      const proportion = (seed % (n + 1)) / n;
      const [low, high] = computeWilson(proportion, n);
      expect(0 <= low && low <= proportion && proportion <= high && high <= 1).toBe(true);
    }),
  );
});
