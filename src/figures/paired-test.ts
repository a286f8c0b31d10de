import { computeTwoSidedTail } from './distributions.ts';
import { type Clustered, groupByCluster, type Tally } from './groups.ts';

/** Two sides of one question: how many of their trials count, and how many of those are right. */
export type TalliedPair = Clustered & Readonly<{ a: Tally; b: Tally }>;

/** Chance (0..1) of a difference at least as large; `exact` if no normal approximation is in it. */
export type PairedTest = Readonly<{ p_value: number; exact: boolean }>;

/** What the test of two sides flips and deals again. */
export type TestName = 'sign-flip' | 'sign-flip and permutation';

/**
 * Two-sided test of the mean over questions of b's share of right trials less a's. Signs are
 * exchangeable where a question has equally many trials on both sides. Where one has not, trials
 * are dealt again within questions too, and the larger p counts: each test errs where the other does
 * not. With one trial each and no clusters it is McNemar's.
 */
export function testPairs(pairs: readonly TalliedPair[]): PairedTest & { readonly test: TestName } {
  const flipped = signFlipTest(pairs.map(toFraction));
  if (pairs.every(({ a, b }) => a.counted === b.counted)) return { ...flipped, test: 'sign-flip' };
  const dealt = permutationTest(pairs);
  return {
    test: 'sign-flip and permutation',
    p_value: Math.max(flipped.p_value, dealt.p_value),
    exact: flipped.exact && dealt.exact,
  };
}

/**
 * The p-values of one family of tests after Holm (1979), in their order: the chance that luck alone
 * gives one as small or smaller ones among them.
 */
export function adjustByHolm(values: readonly number[]): readonly number[] {
  const order = values.map((p, index) => ({ p, index })).sort((one, other) => one.p - other.p);
  const adjusted = values.map(() => 1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.max(least, Math.min(1, (values.length - rank) * p));
    adjusted[index] = least;
  }
  return adjusted;
}

/** A rational number; the denominator is a positive integer. */
export type Fraction = Clustered & Readonly<{ numerator: number; denominator: number }>;

/** The exact difference b - a of two shares of right trials. */
function toFraction({ a, b, cluster }: TalliedPair): Fraction {
  const numerator = b.correct * a.counted - a.correct * b.counted;
  const denominator = a.counted * b.counted;
  const unit = gcd(numerator, denominator);
  return { numerator: numerator / unit, denominator: denominator / unit, cluster };
}

/** Largest table of the exact tests (a quarter of a second): 10,000 flips with one trial each. */
const MAX_CELLS = 100_000_000;

/**
 * Two-sided sign-flip test of differences: the chance that random signs of whole clusters make a
 * sum at least as far from 0 as the one seen. Exact while the clusters that changed times the sum of
 * their absolute differences (in their common unit) stay within `maxCells` and that unit is at
 * least a millionth; beyond, the normal approximation sum / sqrt(sum of squares).
 */
export function signFlipTest(differences: readonly Fraction[], maxCells = MAX_CELLS): PairedTest {
  const common = findCommonDenominator(differences.map(({ denominator }) => denominator));
  const sums = groupByCluster(differences)
    .map((members) =>
      sum(members.map((each) => (each.numerator * (common ?? 1)) / each.denominator)),
    )
    .filter((value) => value !== 0);
  const unit = common === null ? 1 : sums.reduce(gcd, 0) || 1;
  const integers = sums.map((value) => value / unit);
  if (common === null || integers.length * sum(integers.map(Math.abs)) > maxCells) {
    const z = sum(sums) / Math.sqrt(sum(sums.map((value) => value ** 2)));
    return { p_value: sums.length === 0 ? 1 : computeTwoSidedTail(z), exact: false };
  }
  return {
    p_value: computeExactTail(integers.map(Math.abs), Math.abs(sum(integers))),
    exact: true,
  };
}

/** With a larger common denominator the integers are too large for an exact table. */
const MAX_DENOMINATOR = 1_000_000;

/** The least common multiple; null above a million. */
function findCommonDenominator(denominators: Iterable<number>): number | null {
  let common = 1;
  for (const denominator of new Set(denominators)) {
    common *= denominator / gcd(common, denominator);
    if (common > MAX_DENOMINATOR) return null;
  }
  return common;
}

function gcd(left: number, right: number): number {
  let [high, low] = [Math.abs(left), Math.abs(right)];
  while (low > 0) [high, low] = [low, high % low];
  return high;
}

/**
 * P(|sum of signed sizes| >= distance). The positive part X of a signed sum S is a random subset
 * sum, S = 2X - total, so the lower tail is P(X <= (total - distance) / 2), and the upper one equals
 * it.
 */
function computeExactTail(sizes: readonly number[], distance: number): number {
  const chances = computeSubsetSums(sizes, (sum(sizes) - distance) / 2);
  return Math.min(1, 2 * chances.reduce((tail, chance) => tail + chance, 0));
}

/**
 * Chance of each subset sum 0..most if each size is included with chance 1/2: one convolution per
 * size, in place.
 */
function computeSubsetSums(sizes: readonly number[], most: number): Float64Array {
  const chances = new Float64Array(most + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    reach = Math.min(most, reach + size);
    for (let at = reach; at >= size; at -= 1)
      chances[at] = ((chances[at] ?? 0) + (chances[at - size] ?? 0)) / 2;
    for (let at = Math.min(size - 1, reach); at >= 0; at -= 1) chances[at] = (chances[at] ?? 0) / 2;
  }
  return chances;
}

/**
 * Two-sided permutation test (Good 2005): the chance of a mean difference at least as far from 0 as
 * the one seen if the right trials of each question lie anyhow among all its trials. Exact within
 * `maxCells`, as `signFlipTest`; beyond, normal.
 */
export function permutationTest(pairs: readonly TalliedPair[], maxCells = MAX_CELLS): PairedTest {
  const common = findCommonDenominator(pairs.flatMap(({ a, b }) => [a.counted, b.counted]));
  const deals = pairs.map((pair) => toDeal(pair, common ?? 1));
  const seen = Math.abs(sum(deals.map((deal) => deal.seen)));
  const open = deals.filter(({ others }) => others > 0);
  const unit = common === null ? 1 : open.reduce((all, { step }) => gcd(all, step), 0) || 1;
  const reach = sum(open.map(({ step, others }) => (step / unit) * others));
  if (common === null || reach * sum(open.map(({ others }) => others + 1)) > maxCells) {
    const z = seen / Math.sqrt(sum(open.map(({ variance }) => variance)));
    return { p_value: open.length === 0 ? 1 : computeTwoSidedTail(z), exact: false };
  }
  const most = sum(deals.map((deal) => deal.most));
  const tail = convolve(open, unit, reach).reduce(
    (total, chance, at) => (Math.abs(most - at * unit) >= seen ? total + chance : total),
    0,
  );
  return { p_value: Math.min(1, tail), exact: true };
}

/** How the right trials of a question may be dealt to a and b, in units of 1 / `common`. */
type Deal = TalliedPair &
  Readonly<{
    /** b's share less a's: as it was, at most, and how much less it is for each one more in a. */
    seen: number;
    most: number;
    step: number;
    /** How many other numbers a may have. */
    others: number;
    variance: number;
  }>;

function toDeal({ a, b }: TalliedPair, common: number): Deal {
  const [right, all] = [a.correct + b.correct, a.counted + b.counted];
  const lowest = Math.max(0, right - b.counted);
  const differ = (inA: number) => (common * (right - inA)) / b.counted - (common * inA) / a.counted;
  // A pair has two results or more.
  const spread = (right * (all - right)) / ((all - 1) * a.counted * b.counted);
  return {
    a,
    b,
    seen: differ(a.correct),
    most: differ(lowest),
    step: (common * all) / (a.counted * b.counted),
    others: Math.min(a.counted, right) - lowest,
    variance: common ** 2 * spread,
  };
}

/** The chance of each number of right trials in a, from the lowest: it is hypergeometric. */
function listChances({ a, b, others }: Deal): readonly number[] {
  const right = a.correct + b.correct;
  const lowest = Math.max(0, right - b.counted);
  const logs = [0];
  for (let k = lowest; k < lowest + others; k += 1) {
    const ratio = ((a.counted - k) * (right - k)) / ((k + 1) * (b.counted - right + k + 1));
    logs.push((logs.at(-1) ?? 0) + Math.log(ratio));
  }
  const top = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - top));
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

/** Chance of each sum of steps, from 0: one convolution per question. */
function convolve(deals: readonly Deal[], unit: number, reach: number): Float64Array {
  let chances = new Float64Array(reach + 1);
  let spare = new Float64Array(reach + 1);
  chances[0] = 1;
  let last = 0;
  for (const deal of deals) {
    const step = deal.step / unit;
    spare.fill(0, 0, last + step * deal.others + 1);
    for (const [index, chance] of listChances(deal).entries())
      for (let at = 0; at <= last; at += 1) {
        const to = at + index * step;
        spare[to] = (spare[to] ?? 0) + (chances[at] ?? 0) * chance;
      }
    last += step * deal.others;
    [chances, spare] = [spare, chances];
  }
  return chances;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
