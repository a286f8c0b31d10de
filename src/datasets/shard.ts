import { createHash } from 'node:crypto';
import type { Sample } from '../types.ts';

/** `index` is 1 for the first shard, as in `--shard=1/4`. */
export type Shard = { readonly index: number; readonly count: number };

/**
 * The samples of one shard, in their given order. Shards are disjoint, together are the whole, and differ in size by at
 * most one, overall and in each group. Who goes where follows from ids and groups, not from the order of the file.
 */
export function shardSamples(samples: readonly Sample[], { index, count }: Shard): readonly Sample[] {
  assertShard(index, count);
  // Dealing one group after the other, without starting again at the first shard, keeps both sizes even.
  const dealt = samples.map(toKeyed).sort(byGroupThenHash);
  const own = new Set(dealt.filter((_, position) => position % count === index - 1).map(({ sample }) => sample));
  return samples.filter((sample) => own.has(sample));
}

type Keyed = { readonly sample: Sample; readonly key: string };

function toKeyed(sample: Sample): Keyed {
  return { sample, key: createHash('sha256').update(sample.id).digest('hex') };
}

function byGroupThenHash(a: Keyed, b: Keyed): number {
  return compareText(a.sample.group, b.sample.group) || compareText(a.key, b.key);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function assertShard(index: number, count: number): void {
  if (Number.isSafeInteger(count) && Number.isSafeInteger(index) && index >= 1 && index <= count) return;
  throw new Error(`A shard is "index/count" with index from 1 to count, got "${index}/${count}". Correct --shard.`);
}
