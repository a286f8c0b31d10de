import { hash } from 'node:crypto';
import type { BenchRecord } from '../overhead/records.ts';

export type LatencyOptions = {
  readonly seed: number;
  /** Sum of all latencies in ms. */
  readonly totalMs: number;
};

/** How much longer a level's median answer takes than that of level 1. */
const LEVEL_FACTOR = { 1: 1, 2: 2, 3: 4 } as const;

/** Spread of the logarithm within a level: one answer in fifty takes more than five times the median. */
const SIGMA = 0.8;

/** Seeded log-normal latencies in ms by id, scaled to a sum. */
export function makeLatencies(
  records: readonly BenchRecord[],
  { seed, totalMs }: LatencyOptions,
): Readonly<Record<string, number>> {
  const raw = records.map(({ id, level }): readonly [string, number] => [
    id,
    LEVEL_FACTOR[level] * Math.exp(SIGMA * toNormal(`${seed} ${id}`)),
  ]);
  const scale = totalMs / raw.reduce((sum, [, value]) => sum + value, 0);
  return Object.fromEntries(raw.map(([id, value]) => [id, Math.round(value * scale)]));
}

/** A standard normal number that depends on a text alone, by Box and Muller. */
function toNormal(text: string): number {
  const digest = hash('sha256', text);
  const [one, two] = [0, 12].map((start) => (Number.parseInt(digest.slice(start, start + 12), 16) + 1) / (2 ** 48 + 1));
  return Math.sqrt(-2 * Math.log(one ?? 1)) * Math.cos(2 * Math.PI * (two ?? 1));
}
