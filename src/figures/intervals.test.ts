import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tallyQuestions } from './groups.ts';
import {
  computeDetectableDrop,
  computeEffectiveN,
  computeMeanInterval,
  computePairedInterval,
  computeSmallestMargin,
  computeTwoSidedTail,
  computeWilson,
  type Fraction,
  signFlipTest,
  Z_95,
  Z_POWER_80,
} from './intervals.ts';
import { toRun } from './result.fixture.ts';

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

it('the interval of a proportion contains it and stays within 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (n, seed) => {
      const proportion = (seed % (n + 1)) / n;
      const [low, high] = computeWilson(proportion, n);
      expect(0 <= low && low <= proportion && proportion <= high && high <= 1).toBe(true);
    }),
  );
});

// By hand, with the table of Student's t: 21 and 5 degrees of freedom have 2.0796 and 2.5706.
it.each<[string, readonly number[], number, number]>([
  ['of 20 times 1: 21 / 22 -+ 2.0796 / 22', Array.from({ length: 20 }, () => 1), 0.86, 1],
  ['of four numbers: 0.5 -+ 2.5706 sqrt(0.7 / 5 / 6)', [0.2, 0.4, 0.6, 0.8], 0.107, 0.893],
  ['of one number: everything', [0.5], 0, 1],
])('the interval of a mean %s', (_, values, low, high) => {
  const interval = computeMeanInterval(values);
  expect(interval[0]).toBeCloseTo(low, 3);
  expect(interval[1]).toBeCloseTo(high, 3);
});

it('the interval of a mean contains it and stays within 0 and 1', () => {
  const numbers = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(numbers, (values) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const [low, high] = computeMeanInterval(values);
      expect(0 <= low && low <= mean && mean <= high && high <= 1).toBe(true);
    }),
  );
});

const count = (questions: readonly string[]) =>
  computeEffectiveN([...tallyQuestions(toRun(questions)).values()]);

it.each([
  ['trials that always agree: the questions', ['+++', '---', '---'], 3],
  // p = 1/2, s2 = (1/4 + 0 + 1/4 + 0) / 4 = 1/8, 4 (1/4) / (1/8) = 8.
  ['trials that agree at times: in between, at most all', ['++', '+-', '--', '-+'], 8],
  // p = 1/2, s2 = (4 (1/4)^2 + 2 (1/2)^2) / 6 = 1/8, 6 (1/4) / (1/8) = 12 of 24.
  ['design effect 2', ['+++-', '+---', '+++-', '+---', '++++', '----'], 12],
  ['equal question means: every trial', ['+-', '-+', '+-'], 6],
  ['all wrong: the questions', ['--', '--'], 2],
  ['one question: 1, however many trials', ['+-+-'], 1],
  ['ungraded questions are left out', ['+', '-', 'u'], 2],
  // p = 3/4, s2 = (1/16 + 9/16) / 2 = 5/16, 2 (3/16) / (5/16) = 6/5.
  ['unequal trial counts: p is the share of right trials', ['+++', '-'], 1.2],
])('%s', (_rule, questions, expected) => {
  expect(count(questions)).toBeCloseTo(expected, 12);
});

const toDifferences = (fixed: number, broken: number, same: number): readonly number[] =>
  [new Array(fixed).fill(1), new Array(broken).fill(-1), new Array(same).fill(0)].flat();

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

it.each([1, 20, 300])('the smallest margin of %d is half an interval without a change', (n) => {
  const [, high] = computePairedInterval(toDifferences(0, 0, n));
  expect(high).toBeCloseTo(computeSmallestMargin(n), 12);
});

const toFlips = (...counts: Parameters<typeof toDifferences>): readonly Fraction[] =>
  toDifferences(...counts).map((numerator) => ({ numerator, denominator: 1 }));

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

it.each([
  // By hand: (1.96 sqrt(0.2) + 0.8416 sqrt(0.2 - 0.1238^2)) / sqrt(100) = (0.8765 + 0.3617) / 10 =
  // 0.1238.
  [100, 0.2, 0.1238],
  [1000, 0.2, 0.0396],
  // A drop of more than the discordance brings its own: 1.96 sqrt(d) + 0.8416 sqrt(d - d^2) =
  // sqrt(50) d. At 0.1497: 0.7584 + 0.3003 = 1.0586 = 7.0711 * 0.1497.
  [50, 0.02, 0.1497],
])('%d questions with discordance %d show a drop of %d', (n, discordance, drop) => {
  expect(computeDetectableDrop(n, discordance, 1)).toBeCloseTo(drop, 4);
});

it.each([0, 1, 5])('%d questions show no drop at all', (n) => {
  expect(computeDetectableDrop(n, 0.5, 1)).toBeNull();
});

// From tables of the normal distribution, two-sided.
it.each([
  [0, 1],
  [-1, 0.31731050786291],
  [2, 0.0455002638963584],
  [3, 0.00269979606326],
  [10, 1.523970604832e-23],
  [Z_95, 0.05],
  [Z_POWER_80, 0.4],
])('P(|Z| >= |%d|) is %d', (z, tail) => {
  expect(Math.abs(computeTwoSidedTail(z) / tail - 1)).toBeLessThan(2e-7);
});
