import { Z_95 } from './normal.ts';

/**
 * 95 % Wilson score interval of a proportion (0..1) seen in `n` trials, both ends within 0..1. `n` is above 0 and may
 * be a fraction (an effective sample size).
 */
export function computeWilson(proportion: number, n: number): readonly [number, number] {
  const shrink = 1 / (1 + Z_95 ** 2 / n);
  const centre = (proportion + Z_95 ** 2 / (2 * n)) * shrink;
  const half = Z_95 * Math.sqrt((proportion * (1 - proportion)) / n + Z_95 ** 2 / (4 * n ** 2)) * shrink;
  // Rounding must not push the interval past 0 and 1, nor the proportion out of it.
  return [Math.max(0, Math.min(centre - half, proportion)), Math.min(1, Math.max(centre + half, proportion))];
}
