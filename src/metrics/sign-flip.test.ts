import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fraction } from './fraction.ts';
import { createRandom } from './result.fixture.ts';
import { signFlipTest } from './sign-flip.ts';

const toWhole = (numerator: number): Fraction => ({ numerator, denominator: 1 });
const toFlips = (fixed: number, broken: number, same = 0): readonly Fraction[] =>
  [new Array(fixed).fill(1), new Array(broken).fill(-1), new Array(same).fill(0)].flat().map(toWhole);

// By hand: twice the tail of fixed and broken tosses of a coin.
it.each([
  [6, 1, 16 / 128],
  [1, 6, 16 / 128],
  [5, 0, 2 / 32],
  [6, 0, 2 / 64],
  [10, 2, (2 * (1 + 12 + 66)) / 4096],
  [3, 3, 1],
  [2, 1, 1],
  [1, 0, 1],
  [0, 0, 1],
])('%d fixed and %d broken: p = %d, whatever did not change', (fixed, broken, p) => {
  for (const same of [0, 13]) {
    const { p_value, exact } = signFlipTest(toFlips(fixed, broken, same));
    expect(p_value).toBeCloseTo(p, 12);
    expect(exact).toBe(true);
  }
});

it('equals going through all signs, with mixed trial counts too', () => {
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

/** The share of the 2^n sign patterns whose sum is as far from 0 as the one seen; twelfths are whole numbers. */
function enumerate(differences: readonly Fraction[]): number {
  const twelfths = differences.map(({ numerator, denominator }) => (12 * numerator) / denominator);
  const seen = Math.abs(twelfths.reduce((sum, value) => sum + value, 0));
  let hits = 0;
  for (let pattern = 0; pattern < 2 ** twelfths.length; pattern += 1) {
    const flipped = twelfths.reduce((sum, value, bit) => sum + ((pattern >> bit) & 1 ? value : -value), 0);
    if (Math.abs(flipped) >= seen) hits += 1;
  }
  return hits / 2 ** twelfths.length;
}

it('calls no difference significant in more than 5 % of runs without one, with one and with three trials', () => {
  const random = createRandom(11);
  for (const trials of [1, 3]) {
    let rejected = 0;
    for (let run = 0; run < 2000; run += 1) {
      const differences = Array.from({ length: 40 }, () => {
        const chance = random();
        const score = () => Array.from({ length: trials }, () => random() < chance).filter(Boolean).length;
        return { numerator: score() - score(), denominator: trials };
      });
      if (signFlipTest(differences).p_value <= 0.05) rejected += 1;
    }
    // 5 % of 2,000 and two and a half standard errors.
    expect(rejected).toBeLessThan(125);
    expect(rejected).toBeGreaterThan(20);
  }
});

it('says when there are too many flips for the exact test, and comes near it', () => {
  const [exact, near] = [200 * 200, 200 * 200 - 1].map((cells) => signFlipTest(toFlips(115, 85), cells));
  expect([exact?.exact, near?.exact]).toEqual([true, false]);
  expect(near?.p_value).toBeCloseTo(exact?.p_value ?? Number.NaN, 1);
});

it('comes near it with differences of different sizes', () => {
  // (1 + 1 + 1/2) / sqrt(1 + 1 + 1/4) = 5/3, of which the two-sided tail is 0.0956.
  const mixed = [1, 1, 2].map((denominator) => ({ numerator: 1, denominator }));
  expect(signFlipTest(mixed, 0)).toEqual({ p_value: expect.closeTo(0.0956, 4), exact: false });
});

it('is exact up to 10,000 flips with one trial each', () => {
  expect(signFlipTest(toFlips(5_101, 4_900))).toEqual({ p_value: expect.closeTo(0.0444, 3), exact: false });
  expect(signFlipTest(toFlips(600, 400)).exact).toBe(true);
});

it('falls back when the unit is too small to count in, and knows that nothing changed', () => {
  const primes = [997, 991, 983];
  const mixed = primes.map((denominator) => ({ numerator: 1, denominator }));
  expect(signFlipTest(mixed)).toEqual({ p_value: expect.closeTo(0.0833, 3), exact: false });
  const none = primes.map((denominator) => ({ numerator: 0, denominator }));
  expect(signFlipTest(none)).toEqual({ p_value: 1, exact: true });
});
