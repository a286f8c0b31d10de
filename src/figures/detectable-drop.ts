import { quantileOfT, Z_POWER_80 } from './distributions.ts';
import { groupByCluster } from './groups.ts';
import { computePairedInterval, type Difference } from './intervals.ts';
import type { TalliedPair } from './paired-test.ts';

/** With fewer, p is above 0.05 even if every question breaks (2 / 2^5). */
export const MIN_CLUSTERS = 6;

/**
 * The smallest true drop from an accuracy (0..1) that these questions detect with p < 0.05 in four
 * runs of five, with as many changes, trials and clusters. Null below six clusters (or questions),
 * and if it is larger than the accuracy. From Connor's sample size of the paired test (1987) with
 * t: sqrt(n) drop = t95 sqrt(d) + t80 sqrt(d - drop^2), where d is the mean squared difference, at
 * least drop / trials, and n is divided by the design effect of the clusters. An estimate.
 */
export function computeDetectableDrop(
  pairs: readonly (TalliedPair & Difference)[],
  accuracy: number,
): number | null {
  const clusters = groupByCluster(pairs);
  const df = clusters.length - 1;
  if (clusters.length < MIN_CLUSTERS) return null;
  const trials = pairs.reduce((least, { a, b }) => Math.min(least, a.counted, b.counted), Infinity);
  const changed = sumSquares(pairs.map(({ value }) => value));
  const discordance = (changed + 2 / trials) / (pairs.length + 2);
  const n = pairs.length / computeDesignEffect(pairs, clusters);
  const [t95, t80] = [quantileOfT(df), quantileOfT(df, 0.4, Z_POWER_80)];
  const isShown = (drop: number) => {
    const d = Math.max(discordance, drop / trials);
    const needed = t95 * Math.sqrt(d) + t80 * Math.sqrt(Math.max(0, d - drop ** 2));
    return Math.sqrt(n) * drop >= needed;
  };
  let [hidden, shown] = [0, 1];
  if (!isShown(shown)) return null;
  for (let step = 0; step < 60; step += 1) {
    const drop = (hidden + shown) / 2;
    if (isShown(drop)) shown = drop;
    else hidden = drop;
  }
  return shown <= accuracy ? shown : null;
}

/** How many times the variance of the mean is larger than without clusters; at least 1. */
function computeDesignEffect(
  differences: readonly Difference[],
  clusters: readonly (readonly Difference[])[],
): number {
  const total = (members: readonly Difference[]) =>
    members.reduce((sum, { value }) => sum + value, 0);
  const mean = total(differences) / differences.length;
  const apart = sumSquares(differences.map(({ value }) => value - mean));
  const together = sumSquares(clusters.map((members) => total(members) - mean * members.length));
  return apart === 0 ? 1 : Math.max(1, together / apart);
}

function sumSquares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value ** 2, 0);
}

/**
 * Half the width of the interval if none of these questions changes. No smaller drop can be ruled
 * out.
 */
export function computeSmallestMargin(questions: readonly Omit<Difference, 'value'>[]): number {
  return computePairedInterval(questions.map(({ cluster }) => ({ value: 0, cluster })))[1];
}
