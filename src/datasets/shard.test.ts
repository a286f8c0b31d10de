import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../types.ts';
import { shardSamples } from './shard.ts';

const ids = fc.uniqueArray(fc.tuple(fc.string(), fc.constantFrom('level 1', 'level 2', 'level 3')), {
  selector: ([id]) => id,
});
const counts = fc.integer({ min: 1, max: 12 });

describe('shardSamples', () => {
  it('gives every sample to exactly one shard', () => {
    fc.assert(
      fc.property(ids, counts, (pairs, count) => {
        const samples = pairs.map(toSample);
        const union = shards(samples, count).flat();
        expect(union).toHaveLength(samples.length);
        expect(new Set(union)).toEqual(new Set(samples));
      }),
    );
  });

  it('splits the whole and every group evenly', () => {
    fc.assert(
      fc.property(ids, counts, (pairs, count) => {
        const parts = shards(pairs.map(toSample), count);
        expect(spread(parts.map((part) => part.length))).toBeLessThanOrEqual(1);
        for (const group of ['level 1', 'level 2', 'level 3']) {
          const sizes = parts.map((part) => part.filter((sample) => sample.group === group).length);
          expect(spread(sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('sends a sample to the same shard whatever the order of the file, and keeps that order inside', () => {
    fc.assert(
      fc.property(ids, counts, (pairs, count) => {
        const samples = pairs.map(toSample);
        const reversed = samples.toReversed();
        expect(shards(reversed, count)).toEqual(shards(samples, count).map((part) => part.toReversed()));
      }),
    );
  });

  it('leaves shards empty when there are more than samples', () => {
    const samples = [toSample(['a', 'level 1']), toSample(['b', 'level 1'])];
    expect(shards(samples, 5).map((part) => part.length)).toEqual([1, 1, 0, 0, 0]);
  });

  it.each([
    [0, 2],
    [3, 2],
    [1, 0],
    [1.5, 2],
  ])('refuses shard %d/%d', (index, count) => {
    expect(() => shardSamples([], { index, count })).toThrow(
      `A shard is "index/count" with index from 1 to count, got "${index}/${count}". Correct --shard.`,
    );
  });
});

function shards(samples: readonly Sample[], count: number): (readonly Sample[])[] {
  return Array.from({ length: count }, (_, position) => shardSamples(samples, { index: position + 1, count }));
}

function spread(sizes: readonly number[]): number {
  return Math.max(...sizes) - Math.min(...sizes);
}

function toSample([id, group]: readonly [string, string]): Sample {
  return { id, suite: 'gaia', input: '', target: '1', group, attachments: [], metadata: {} };
}
