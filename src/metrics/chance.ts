import type { SampleResult } from '../types.ts';
import { hasTarget } from './states.ts';
import { sumAnyOrder } from './sum.ts';

/**
 * Accuracy of choosing blindly: the mean over the questions with a target of 1 / options, or of 1 / (2^options - 1) where several options
 * may be right and any set of them but the empty one is chosen. Null when no question is known to have options.
 */
export function computeChance(results: readonly SampleResult[]): number | null {
  const chances = new Map<string, number>();
  for (const { id, options = 0, multiple } of results.filter(hasTarget)) {
    if (options > 0) chances.set(id, multiple === true ? 1 / (2 ** options - 1) : 1 / options);
  }
  if (chances.size === 0) return null;
  return sumAnyOrder(chances.values()) / chances.size;
}
