import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Tally } from './groups.ts';
import {
  computeMacro,
  computeMean,
  computePairedInterval,
  computeRanks,
  computeShare,
  computeStandardError,
  computeWilson,
} from './intervals.ts';

/** The sum of a question's results, their number, and its cluster. */
type Row = readonly [sum: number, results: number, cluster?: string];

const toTallies = (rows: readonly Row[]): readonly Tally[] =>
  rows.map(([correct, counted, cluster]) => ({ correct, counted, cluster }));

const close = (numbers: readonly number[]) => numbers.map((each) => expect.closeTo(each, 8));

const times = <Value>(n: number, value: Value): readonly Value[] =>
  Array.from({ length: n }, () => value);

// By hand: the bounds solve (p - bound)^2 = 1.96^2 bound (1 - bound) / n.
it.each([
  [0.5, 10, 0.2366, 0.7634],
  [0, 10, 0, 0.2775],
  [0, 1, 0, 0.7935],
  // At one half the half width is 0.98 / sqrt(n + 3.8415).
  [0.5, 2.5, 0.1108, 0.8892],
])('the interval of %d in %d trials is %d to %d', (proportion, n, low, high) => {
  const interval = computeWilson(proportion, n);
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});

// By hand: the deviation of the questions' rates by the root of their number; of clusters of two, sqrt(2 (1 + 1) / 16).
it.each<[string, readonly Row[], number | null]>([
  ['no result', [[0, 0]], null],
  ['one question', [[3, 4]], null],
  ['one cluster', times(4, [1, 1, 'x']), null],
  [
    'two trials each',
    [
      [1, 2],
      [0, 2],
      [1, 2],
    ],
    1 / 6,
  ],
  ['clusters', [...times(2, [1, 1, 'x'] as const), ...times(2, [0, 1, 'y'] as const)], 0.5],
])('the standard error of %s is %d', (_, rows, expected) => {
  const found = computeStandardError(toTallies(rows));
  expect(found).toEqual(expected === null ? null : expect.closeTo(expected, 12));
});

it.each<[string, readonly Row[], readonly [number, number]]>([
  ['10 questions all right three times', times(10, [3, 3]), [67.4, 100]],
  [
    '12 of 48 right, those of three of 12 passages',
    Array.from({ length: 48 }, (_, index) => [Number(index < 12), 1, `${Math.floor(index / 4)}`]),
    [7.8, 56.7],
  ],
])('the interval of %s is that of CHANGELOG.md', (_, rows, percents) => {
  const { ci95 = [] } = computeShare(toTallies(rows)) ?? {};
  expect(ci95.map((end) => Number((100 * end).toFixed(1)))).toEqual(percents);
});

it('the interval of a proportion contains it and stays within 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (n, seed) => {
      const proportion = (seed % (n + 1)) / n;
      const [low, high] = computeWilson(proportion, n);
      expect(0 <= low && low <= proportion && proportion <= high && high <= 1).toBe(true);
    }),
  );
});

// The values of the next two tables are by other code, in Python with NumPy and SciPy, from the
// formulas that docs/scoring.md gives.
it.each<[string, readonly Row[], readonly [number, number, number, number] | null]>([
  ['no result', [[0, 0]], null],
  // By hand: 1.96^2 = 3.8415; 1 / (1 + 3.8415 / 4).
  ['one trial each is plain Wilson', times(4, [1, 1]), [1, 4, 0.510109164, 1]],
  [
    'a question without a result is left out',
    [[0, 0], ...times(4, [1, 1] as const)],
    [1, 4, 0.510109164, 1],
  ],
  [
    'four trials each',
    [
      [2, 4],
      [4, 4],
      [1, 4],
      [4, 4],
      [0, 4],
      [3, 4],
    ],
    [0.583333333, 5.214760417, 0.224954763, 0.871015389],
  ],
  [
    'one question tells of wrong answers',
    [...times(6, [4, 4] as const), [0, 4], [4, 4]],
    [0.875, 5.732409864, 0.466606585, 0.982460301],
  ],
  [
    'unequal trials',
    [
      [9, 12],
      [1, 1],
      [0, 2],
      [2, 2],
      [1, 1],
      [0, 1],
      [5, 6],
    ],
    [0.72, 2.067417927, 0.187718853, 0.966229846],
  ],
  [
    'clusters, and questions of none',
    [
      [1, 1, 'x'],
      [1, 1, 'x'],
      [0, 1, 'x'],
      [1, 1, 'y'],
      [1, 1, 'y'],
      [0, 1],
      [1, 1],
      [0, 1, 'z'],
      [0, 1, 'z'],
    ],
    [0.555555556, 2.617151007, 0.137867668, 0.907156658],
  ],
  [
    'clusters of trials',
    [
      [2, 2, 'x'],
      [0, 2, 'x'],
      [1, 2],
      [2, 2, 'y'],
      [2, 2, 'y'],
      [2, 2, 'y'],
      [0, 2],
    ],
    [0.642857143, 1.700649328, 0.132808701, 0.954865483],
  ],
  ['all right', times(7, [2, 2]), [1, 5.056779987, 0.568289984, 1]],
  [
    'all wrong, in two clusters',
    [...times(3, [0, 1, 'x'] as const), ...times(2, [0, 1, 'y'] as const)],
    [0, 0.654928555, 0, 0.854343387],
  ],
  ['equal means of questions', times(3, [1, 2]), [0.5, 2.989986655, 0.125059985, 0.874940015]],
  ['one question tells nothing of others', [[4, 5]], [0.8, 0.207502623, 0.032868617, 0.997880397]],
])('the share of right results: %s', (_, rows, expected) => {
  const share = computeShare(toTallies(rows));
  if (expected === null || share === null) expect(share).toBe(expected);
  else expect([share.value, share.worth, ...share.ci95]).toEqual(close(expected));
});

it.each<[string, readonly Row[], readonly [number, number, number] | null]>([
  ['none', [], null],
  // By hand, with the table of Student's t: 21 degrees of freedom have 2.0796; 21 / 22 -+ 2.0796 / 22.
  ['20 times 1', times(20, [1, 1]), [1, 0.860017553, 1]],
  [
    'two trials each',
    [
      [1.5, 2],
      [0.3, 2],
      [2, 2],
      [1.1, 2],
    ],
    [0.6125, 0.128835551, 1],
  ],
  [
    'unequal trials',
    [
      [0.25, 1],
      [3.1, 4],
      [1.8, 2],
      [0, 1],
      [0.9, 1],
    ],
    [0.672222222, 0.190818939, 1],
  ],
  [
    'clusters',
    [
      [0.7, 1, 'x'],
      [0.9, 1, 'x'],
      [0.4, 1, 'y'],
      [0.1, 1],
      [2.2, 3, 'z'],
      [1, 1, 'z'],
    ],
    [0.6625, 0.117430345, 1],
  ],
  ['equal numbers', times(12, [0.95, 1]), [0.95, 0.738323444, 1]],
  ['one number: everything', [[0.5, 1]], [0.5, 0, 1]],
])('the mean of numbers: %s', (_, rows, expected) => {
  const mean = computeMean(toTallies(rows));
  if (expected === null || mean === null) expect(mean).toBe(expected);
  else expect([mean.value, ...mean.ci95]).toEqual(close(expected));
});

it('shares and means are in their intervals, whatever the order of questions', () => {
  const row = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.nat(5), fc.constantFrom('x', 'y', undefined))
    .map(([counted, right, cluster]) => ({ counted, correct: Math.min(right, counted), cluster }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (tallies) => {
      for (const compute of [computeShare, computeMean]) {
        const found = compute(tallies);
        const [low = Number.NaN, high = Number.NaN] = found?.ci95 ?? [];
        const value = found?.value ?? Number.NaN;
        expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
        expect(compute(tallies.toReversed())?.ci95).toEqual(close([low, high]));
      }
    }),
  );
});

const right = (correct: number, n: number): readonly Row[] => [
  ...times(correct, [1, 1] as const),
  ...times(n - correct, [0, 1] as const),
];

it.each<[string, readonly (readonly Row[])[], readonly [number, number, number]]>([
  [
    'of one trial',
    [right(9, 12), right(3, 8), right(4, 4)],
    [0.708333333, 0.487254876, 0.861236479],
  ],
  ['all right', [right(6, 6), right(5, 5)], [1, 0.73957182, 1]],
  [
    'of three trials',
    [
      [
        [3, 3],
        [1, 3],
        [2, 3],
        [0, 3],
      ],
      [
        [3, 3],
        [2, 3],
        [3, 3],
      ],
    ],
    [0.694444444, 0.279115069, 0.930268202],
  ],
])('the mean of groups %s', (_, groups, expected) => {
  const shares = groups.flatMap((rows) => computeShare(toTallies(rows)) ?? []);
  const { value, ci95 } = computeMacro(shares);
  expect([value, ...ci95]).toEqual(close(expected));
});

/** n times of questions of their own, of which those up to the quantile are reached. */
const reachedOf = (n: number, percent: number) =>
  toTallies(right(Math.ceil(((n - 1) * percent) / 100), n));

// Of single times: the ranks of the binomial distribution's tables (Hahn and Meeker 1991).
it.each<[string, readonly Tally[], number, number | null, number | null]>([
  ['30 values', reachedOf(30, 50), 50, 10, 21],
  ['p95 of 30 values has no upper end', reachedOf(30, 95), 95, 26, null],
  ['p95 of 71 has none', reachedOf(71, 95), 95, 63, null],
  ['p95 of 72 has one', reachedOf(72, 95), 95, 64, 72],
  ['five values have none', reachedOf(5, 50), 50, null, null],
  ['six values', reachedOf(6, 50), 50, 1, 6],
  // 20 questions whose three trials are alike are worth 20 (2.0930 / 2.0796)^-2 or so: 17 values.
  [
    'alike trials',
    toTallies([...times(10, [3, 3] as const), ...times(10, [0, 3] as const)]),
    50,
    15,
    46,
  ],
  ['none', [], 50, null, null],
])('the ranks around a quantile: %s', (_, reached, percent, low, high) => {
  expect(computeRanks(reached, percent)).toEqual({ low, high });
});

const toDifferences = (fixed: number, broken: number, same: number) =>
  [times(fixed, 1), times(broken, -1), times(same, 0)].flat().map((value) => ({ value }));

it.each([
  // N = 22, mean 5/22, variance 9/22 - (5/22)^2 = 0.35744, half 1.96 sqrt(0.35744 / 22) = 0.24983.
  [6, 1, 13, -0.0226, 0.4771],
  // N = 22, mean 0, variance 2/22: half 1.96 sqrt(2) / 22.
  [0, 0, 20, -0.126, 0.126],
  // N = 12, mean 10/12, variance 1 - (10/12)^2 = 0.30556: the upper end would be 1.1461.
  [10, 0, 0, 0.5206, 1],
  // N = 3, mean 1/3, variance 1 - 1/9: both ends would leave -1..1 or nearly do.
  [1, 0, 0, -0.7335, 1],
  [0, 0, 1, -0.924, 0.924],
])('%d fixed, %d broken, %d same: %d to %d', (fixed, broken, same, low, high) => {
  const interval = computePairedInterval(toDifferences(fixed, broken, same));
  expect(interval[0]).toBeCloseTo(low, 3);
  expect(interval[1]).toBeCloseTo(high, 3);
});
