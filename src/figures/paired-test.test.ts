import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeDetectableDrop, computeSmallestMargin } from './detectable-drop.ts';
import { computePairedInterval, type Difference } from './intervals.ts';
import {
  adjustByHolm,
  type Fraction,
  permutationTest,
  signFlipTest,
  type TalliedPair,
  testPairs,
} from './paired-test.ts';

/** A question: right and all trials of a, those of b, and its cluster. */
type Row = readonly [rightA: number, a: number, rightB: number, b: number, cluster?: string];

const toPairs = (rows: readonly Row[]): readonly (TalliedPair & Difference)[] =>
  rows.map(([rightA, a, rightB, b, cluster]) => ({
    a: { correct: rightA, counted: a },
    b: { correct: rightB, counted: b },
    cluster,
    value: rightB / b - rightA / a,
  }));

const times = (n: number, row: Row): readonly Row[] => Array.from({ length: n }, () => row);

// By other code, in Python with NumPy and SciPy, from the formulas that docs/comparing.md gives: signs
// enumerated, and hypergeometric chances convolved. The interval is that before p moves an end.
it.each<[string, readonly Row[], number, readonly [number, number], number | null]>([
  [
    'two trials each',
    [
      [1, 2, 2, 2],
      [0, 2, 1, 2],
      [2, 2, 2, 2],
      [1, 2, 0, 2],
      [0, 2, 2, 2],
      [0, 2, 2, 2],
      [1, 2, 2, 2],
      [0, 2, 1, 2],
    ],
    0.09375,
    [-0.043215866, 0.743215866],
    0.614226552,
  ],
  [
    'one trial against four: signs alone would say more',
    [
      [1, 1, 2, 4],
      [0, 1, 3, 4],
      [1, 1, 4, 4],
      [0, 1, 0, 4],
      [0, 1, 2, 4],
      [1, 1, 4, 4],
      [0, 1, 4, 4],
      [0, 1, 3, 4],
    ],
    0.1875,
    [-0.141992797, 0.641992797],
    0.887704134,
  ],
  [
    'any numbers of trials',
    [
      [2, 3, 1, 2],
      [0, 3, 2, 2],
      [3, 3, 1, 1],
      [1, 2, 4, 5],
      [0, 1, 1, 3],
      [2, 2, 2, 4],
    ],
    0.5625,
    [-0.328390036, 0.570056703],
    null,
  ],
  [
    'clusters',
    [
      [1, 1, 0, 1, 'x'],
      [1, 1, 0, 1, 'x'],
      [1, 1, 0, 1, 'y'],
      [0, 1, 1, 1, 'y'],
      [1, 1, 0, 1, 'z'],
      [1, 1, 1, 1, 'z'],
      ...times(5, [1, 1, 0, 1]),
    ],
    0.015625,
    [-1, -0.089056248],
    0.820176839,
  ],
  [
    'clusters and unequal trials',
    [
      [1, 2, 1, 1, 'x'],
      [2, 2, 0, 1, 'x'],
      [1, 2, 1, 1, 'y'],
      [0, 2, 1, 1],
      [2, 2, 0, 1],
      [2, 2, 0, 1],
      [1, 2, 0, 1],
      [2, 2, 1, 1],
    ],
    0.689071788,
    [-0.779401795, 0.486320506],
    0.916782566,
  ],
])('p, interval and smallest drop of %s', (_, rows, p, ci95, drop) => {
  const pairs = toPairs(rows);
  expect(testPairs(pairs)).toMatchObject({ p_value: expect.closeTo(p, 8), exact: true });
  const interval = computePairedInterval(pairs);
  expect(interval).toEqual(ci95.map((end) => expect.closeTo(end, 8)));
  expect(computeDetectableDrop(pairs, 1)).toEqual(drop === null ? null : expect.closeTo(drop, 8));
});

it('p of one trial against ten is that of CHANGELOG.md', () => {
  const pairs = toPairs([...times(14, [1, 1, 10, 10]), ...times(6, [1, 1, 9, 10])]);
  expect(testPairs(pairs).p_value).toBeCloseTo(0.66, 2);
});

const toFlips = (fixed: number, broken: number, same: number): readonly Fraction[] =>
  [
    new Array<number>(fixed).fill(1),
    new Array<number>(broken).fill(-1),
    new Array<number>(same).fill(0),
  ]
    .flat()
    .map((numerator) => ({ numerator, denominator: 1 }));

// By hand: twice the tail of fixed and broken tosses of a coin.
it.each([
  [6, 1, 16 / 128],
  [6, 0, 2 / 64],
  [10, 2, (2 * (1 + 12 + 66)) / 4096],
  [3, 3, 1],
  [1, 0, 1],
  [0, 0, 1],
])('%d fixed and %d broken: p = %d, whatever did not change', (fixed, broken, p) => {
  for (const same of [0, 13]) {
    const { p_value, exact } = signFlipTest(toFlips(fixed, broken, same));
    expect(p_value).toBeCloseTo(p, 12);
    expect(exact).toBe(true);
  }
});

it('the sign-flip test equals going through all signs, with mixed trial counts too', () => {
  const anyDifference = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -4, max: 4 }))
    .map(([denominator, numerator]) => ({
      denominator,
      numerator: Math.max(-denominator, Math.min(denominator, numerator)),
    }));
  fc.assert(
    fc.property(fc.array(anyDifference, { maxLength: 9 }), (differences) => {
      expect(signFlipTest(differences).p_value).toBeCloseTo(enumerate(differences), 10);
    }),
    { numRuns: 300 },
  );
});

/**
 * The share of the 2^n sign patterns whose sum is as far from 0 as the one seen; twelfths are whole
 * numbers.
 */
function enumerate(differences: readonly Fraction[]): number {
  const twelfths = differences.map(({ numerator, denominator }) => (12 * numerator) / denominator);
  const seen = Math.abs(twelfths.reduce((sum, value) => sum + value, 0));
  let hits = 0;
  for (let pattern = 0; pattern < 2 ** twelfths.length; pattern += 1) {
    const flipped = twelfths.reduce(
      (sum, value, bit) => sum + ((pattern >> bit) & 1 ? value : -value),
      0,
    );
    if (Math.abs(flipped) >= seen) hits += 1;
  }
  return hits / 2 ** twelfths.length;
}

it('the sign-flip test says that it is not exact for many flips, and is near the exact p', () => {
  const [exact, near] = [200 * 200, 200 * 200 - 1].map((cells) =>
    signFlipTest(toFlips(115, 85, 0), cells),
  );
  expect([exact?.exact, near?.exact]).toEqual([true, false]);
  expect(near?.p_value).toBeCloseTo(exact?.p_value ?? Number.NaN, 1);
});

const anyPair = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), fc.nat(3), fc.nat(3))
  .map(([a, b, rightA, rightB]): Row => [Math.min(a, rightA), a, Math.min(b, rightB), b]);

/** Every way to give the right trials of each question places among all of its trials. */
function enumerateDeals(rows: readonly Row[]): number {
  let sums = new Map([[0, 1]]);
  let seen = 0;
  for (const [rightA, a, rightB, b] of rows) {
    seen += 6 * (rightB / b - rightA / a);
    const next = new Map<number, number>();
    for (let places = 0; places < 2 ** (a + b); places += 1) {
      const bits = Array.from({ length: a + b }, (_, at) => (places >> at) & 1);
      const count = (some: readonly number[]) => some.reduce((sum, bit) => sum + bit, 0);
      if (count(bits) !== rightA + rightB) continue;
      const step = 6 * (count(bits.slice(a)) / b - count(bits.slice(0, a)) / a);
      for (const [sum, ways] of sums) {
        const to = Math.round(sum + step);
        next.set(to, (next.get(to) ?? 0) + ways);
      }
    }
    sums = next;
  }
  const all = [...sums.values()].reduce((total, ways) => total + ways, 0);
  const far = [...sums].filter(([sum]) => Math.abs(sum) >= Math.abs(Math.round(seen)));
  return far.reduce((total, [, ways]) => total + ways, 0) / all;
}

it('the permutation test equals dealing trials in all ways', () => {
  fc.assert(
    fc.property(fc.array(anyPair, { minLength: 1, maxLength: 5 }), (rows) => {
      const { p_value, exact } = permutationTest(toPairs(rows));
      expect(p_value).toBeCloseTo(enumerateDeals(rows), 10);
      expect(exact).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('the permutation test is normal where its table would be too large, and near the exact p', () => {
  const rows = [...times(60, [0, 1, 3, 5]), ...times(40, [1, 1, 2, 5])];
  const [exact, near] = [1e8, 1].map((cells) => permutationTest(toPairs(rows), cells));
  expect([exact?.exact, near?.exact]).toEqual([true, false]);
  expect(near?.p_value).toBeCloseTo(exact?.p_value ?? Number.NaN, 1);
  const many = permutationTest(toPairs(times(30, [400, 1000, 450, 900])));
  expect(many.p_value).toBeLessThan(1e-9);
});

it.each([
  [[0.04], [0.04]],
  // By hand: 3 x 0.01, 2 x 0.02, then 0.9, none below the one before.
  [
    [0.9, 0.01, 0.02],
    [0.9, 0.03, 0.04],
  ],
  [
    [0.02, 0.02],
    [0.04, 0.04],
  ],
  [
    [0.6, 0.7],
    [1, 1],
  ],
])('p of several pairs, %j, become %j', (values, expected) => {
  expect(adjustByHolm(values)).toEqual(expected.map((p) => expect.closeTo(p, 12)));
});

const one = (fixed: number, broken: number, same: number) =>
  toPairs([
    ...times(fixed, [0, 1, 1, 1]),
    ...times(broken, [1, 1, 0, 1]),
    ...times(same, [1, 1, 1, 1]),
  ]);

it.each([0, 1, 5])('%d questions show no drop at all', (n) => {
  expect(computeDetectableDrop(one(0, 0, n), 1)).toBeNull();
});

it('no drop is shown that is larger than the accuracy', () => {
  const drop = computeDetectableDrop(one(2, 2, 96), 1) ?? 0;
  expect(computeDetectableDrop(one(2, 2, 96), drop - 0.01)).toBeNull();
  expect(computeDetectableDrop(one(2, 2, 96), drop)).toBe(drop);
});

it.each<[string, readonly Row[], number]>([
  // By hand: 1.96 sqrt(2) / (n + 2).
  ['20 questions', times(20, [1, 1, 1, 1]), 0.125991],
  // Six clusters of two: t of 7 degrees, w0 = sqrt 2, k = 8: 2.36462 sqrt(16 / 7) sqrt(2) / (12 + 2 sqrt 2).
  [
    'six clusters',
    times(2, [1, 1, 1, 1]).flatMap(([a, b, c, d]) =>
      [...'uvwxyz'].map((name): Row => [a, b, c, d, name]),
    ),
    0.340952,
  ],
])('the smallest margin of %s is half an interval without a change', (_, rows, margin) => {
  expect(computeSmallestMargin(toPairs(rows))).toBeCloseTo(margin, 5);
});
