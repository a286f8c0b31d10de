import { quantileOfBinomial, quantileOfT, Z_95 } from './distributions.ts';
import { areAlone, type Clustered, groupByCluster, sumAnyOrder, type Tally } from './groups.ts';

/** Both ends of a 95 % interval. */
export type Interval = readonly [low: number, high: number];

/**
 * 95 % Wilson score interval (1927) of a proportion (0..1) seen in `n` trials, both ends within
 * 0..1. `n` is above 0 and may be a fraction (an effective sample size).
 */
export function computeWilson(proportion: number, n: number): Interval {
  const shrink = 1 / (1 + Z_95 ** 2 / n);
  const centre = (proportion + Z_95 ** 2 / (2 * n)) * shrink;
  const half =
    Z_95 * Math.sqrt((proportion * (1 - proportion)) / n + Z_95 ** 2 / (4 * n ** 2)) * shrink;
  return contain(proportion, centre - half, centre + half);
}

/** Rounding must not push an interval past 0 and 1, nor the value out of it. */
function contain(value: number, low: number, high: number): Interval {
  return [Math.max(0, Math.min(low, value)), Math.min(1, Math.max(high, value))];
}

/** A share of results, 0..1. */
export type Share = Readonly<{
  value: number;
  /** How many independent results it is worth. */
  worth: number;
  ci95: Interval;
}>;

/**
 * The share of right results: of questions with any numbers of trials, in clusters or not. The
 * target is the share over all clusters that could have been asked. Null without a result.
 *
 * One result each is Wilson's interval. Otherwise it is Wilson's for the number of independent
 * results with the same variance, as Korn and Graubard (1998) have it: the variance of a ratio over
 * clusters (Kish 1965), with t for few of them (degrees of freedom as Carter, Schnepel and
 * Steigerwald 2017). Where few clusters tell of the rarer kind, that variance is too small by luck:
 * two clusters whose results are all alike are added to them.
 */
export function computeShare(tallies: readonly Tally[]): Share | null {
  const clusters = sumClusters(tallies);
  const count = clusters.reduce((sum, { counted }) => sum + counted, 0);
  if (count === 0) return null;
  // Counts add up exactly in any order.
  const value = clusters.reduce((sum, { correct }) => sum + correct, 0) / count;
  const isPlain = clusters.every(({ counted }) => counted === 1);
  const worth = isPlain ? count : computeWorth(clusters, value, count);
  return { value, worth, ci95: computeWilson(value, worth) };
}

type Sums = Pick<Tally, 'correct' | 'counted'>;

/** One sum for each cluster of questions with a result. */
function sumClusters(tallies: readonly Tally[]): readonly Sums[] {
  const counted = tallies.filter((each) => each.counted > 0);
  if (areAlone(counted)) return counted;
  return groupByCluster(counted).map((members) => ({
    correct: sumAnyOrder(members.map(({ correct }) => correct)),
    counted: members.reduce((sum, each) => sum + each.counted, 0),
  }));
}

function computeWorth(clusters: readonly Sums[], p: number, count: number): number {
  const { kish, df } = weigh(clusters);
  const ofFew = (Z_95 / quantileOfT(df + 2)) ** 2;
  const { length } = clusters;
  if (p === 0 || p === 1 || length === 1) return kish * ofFew;
  const seen = varianceOf(clusters, p, count);
  const alike = (p * (1 - p)) / kish;
  const telling = Math.min(
    weigh(clusters.filter(({ correct }) => correct > 0)).kish,
    weigh(clusters.filter(({ correct, counted }) => correct < counted)).kish,
  );
  const variance = (telling * seen + 2 * alike) / (telling + 2);
  return Math.min(count, (p * (1 - p)) / variance) * ofFew;
}

/** Of the share of right results, as a ratio over two clusters or more. */
function varianceOf(clusters: readonly Sums[], p: number, count: number): number {
  const { length } = clusters;
  const squares = sumAnyOrder(clusters.map(({ correct, counted }) => (correct - p * counted) ** 2));
  return ((length / (length - 1)) * squares) / count ** 2;
}

/**
 * The standard error of a share of right results over questions or clusters (Kish 1965), which the
 * interval is not made of alone; null for fewer than two.
 */
export function computeStandardError(tallies: readonly Tally[]): number | null {
  const clusters = sumClusters(tallies);
  if (clusters.length < 2) return null;
  const count = clusters.reduce((sum, { counted }) => sum + counted, 0);
  const correct = clusters.reduce((sum, each) => sum + each.correct, 0);
  return Math.sqrt(varianceOf(clusters, correct / count, count));
}

/**
 * How many equal clusters those of these sizes are worth (Kish 1965), and the degrees of freedom of
 * a variance over them. There must be one.
 */
export function weigh(
  clusters: readonly Pick<Tally, 'counted'>[],
): Readonly<{ kish: number; df: number }> {
  let [sum, squares, fourths] = [0, 0, 0];
  for (const { counted } of clusters) {
    const square = counted * counted;
    sum += counted;
    squares += square;
    fourths += square * square;
  }
  return { kish: sum ** 2 / squares, df: squares ** 2 / fourths - 1 };
}

/** A mean of numbers from 0 to 1 with its interval. */
export type Mean = Readonly<{ value: number; ci95: Interval }>;

/**
 * The mean of numbers in 0..1 over all results, `correct` being the sum of a question's. Its
 * interval is Student's t over clusters, by their sizes, after adding a cluster of mean size with 0
 * and one with 1, as Agresti and Coull (1998) and `computePairedInterval` do. Without them it is far
 * too narrow where nearly all values are equal: bench/RESULTS.md has both. Null without a result.
 */
export function computeMean(tallies: readonly Tally[]): Mean | null {
  const clusters = sumClusters(tallies);
  if (clusters.length === 0) return null;
  const count = clusters.reduce((sum, { counted }) => sum + counted, 0);
  const total = sumAnyOrder(clusters.map(({ correct }) => correct));
  const { kish } = weigh(clusters);
  const added = count / kish;
  const n = count + 2 * added;
  const mean = (total + added) / n;
  const squares = sumAnyOrder([
    ...clusters.map(({ correct, counted }) => (correct - mean * counted) ** 2),
    (added * mean) ** 2,
    (added * (1 - mean)) ** 2,
  ]);
  const spread = Math.sqrt(((kish + 2) / (kish + 1)) * squares) / n;
  const half = quantileOfT(clusters.length + 1) * spread;
  const value = total / count;
  return { value, ci95: contain(value, mean - half, mean + half) };
}

/**
 * The interval of the mean of several shares, each counting alike: Wilson's for the number of
 * results with the variance of that mean, at most what the shares are worth together where all are
 * equally certain. No cluster may be in two of them. There must be one.
 */
export function computeMacro(shares: readonly Share[]): Mean {
  const groups = shares.length;
  const value = sumAnyOrder(shares.map((share) => share.value)) / groups;
  const most = groups ** 2 / sumAnyOrder(shares.map(({ worth }) => 1 / worth));
  const variance =
    sumAnyOrder(shares.map((share) => (share.value * (1 - share.value)) / share.worth)) /
    groups ** 2;
  const worth = variance > 0 ? Math.min(most, (value * (1 - value)) / variance) : most;
  return { value, ci95: computeWilson(value, worth) };
}

/**
 * The ranks, from 1, between which the true quantile lies in 95 of 100 runs; null for an end that
 * so few values do not have. `reached` says of each question (and cluster) how many of its times are
 * at most the quantile seen, as `correct` of `counted`; so many independent values, at most, are
 * behind an exact interval of order statistics (Woodruff 1952, Hahn and Meeker 1991).
 */
export function computeRanks(
  reached: readonly Tally[],
  percent: number,
): Readonly<{ low: number | null; high: number | null }> {
  const count = reached.reduce((sum, { counted }) => sum + counted, 0);
  const share = computeShare(reached);
  if (share === null) return { low: null, high: null };
  // Rounding must not lose a whole value.
  const n = Math.max(1, Math.floor(share.worth + 1e-9));
  const low = quantileOfBinomial(0.025, n, percent / 100);
  const high = quantileOfBinomial(0.975, n, percent / 100) + 1;
  return {
    low: low === 0 ? null : Math.floor((count * (low - 1)) / n) + 1,
    high: high > n ? null : Math.ceil((count * high) / n),
  };
}

/** The difference of two sides of a question, -1..1, and the cluster of the question. */
export type Difference = Clustered & Readonly<{ value: number }>;

/**
 * 95 % interval of a mean difference over questions, within -1..1. Without clusters it is that of
 * Bonett and Price (2012): the plain normal interval after adding one question that got better (+1)
 * and one that got worse (-1), which correct it if few or no questions changed. With several trials
 * the differences are smaller, so it is too wide rather than too narrow. With clusters it is t over
 * their sums, with two such clusters of mean size. There must be a difference.
 */
export function computePairedInterval(differences: readonly Difference[]): Interval {
  const clusters = groupByCluster(differences).map((members) => ({
    sum: members.length === 1 ? members[0].value : add(members),
    counted: members.length,
  }));
  const questions = differences.length;
  const { kish, df } = weigh(clusters);
  const areApart = clusters.length === questions;
  const added = areApart ? 1 : Math.sqrt(questions / kish);
  const n = questions + 2 * added;
  const mean = clusters.reduce((total, { sum }) => total + sum, 0) / n;
  const ofAdded = (added - mean * added) ** 2 + (added + mean * added) ** 2;
  const squares = clusters.reduce(
    (total, { sum, counted }) => total + (sum - mean * counted) ** 2,
    ofAdded,
  );
  const times = areApart ? Z_95 : quantileOfT(df + 2) * Math.sqrt((kish + 2) / (kish + 1));
  const half = (times * Math.sqrt(squares)) / n;
  return [Math.max(-1, mean - half), Math.min(1, mean + half)];
}

function add(differences: readonly Difference[]): number {
  return differences.reduce((sum, { value }) => sum + value, 0);
}
