import { computeQuantile } from '../../src/figures/latency.ts';

/** The median; NaN of no values. */
export function median(values: readonly number[]): number {
  return computeQuantile(values, 50)?.value ?? Number.NaN;
}
