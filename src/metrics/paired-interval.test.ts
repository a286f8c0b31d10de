import { expect, it } from 'vitest';
import { computeDiscordance, computePairedInterval, computeSmallestMargin } from './paired-interval.ts';
import { createRandom } from './result.fixture.ts';

const toDifferences = (fixed: number, broken: number, same: number): readonly number[] =>
  [new Array(fixed).fill(1), new Array(broken).fill(-1), new Array(same).fill(0)].flat();

it.each([
  // N = 22, mean 5/22, variance 9/22 - (5/22)^2 = 0.35744, half 1.96 sqrt(0.35744 / 22) = 0.24983.
  [6, 1, 13, -0.0226, 0.4771],
  [1, 6, 13, -0.4771, 0.0226],
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

// Bounds leave room for three standard errors of 2,000 runs.
it.each([
  ['one trial: about 95 %', 1, 0.935, 0.972],
  ['three trials: more than 95 %, for the extra questions weigh more than the real ones', 3, 0.955, 0.985],
])('the share of simulated runs whose interval holds the truth, %s', (_rule, trials, least, most) => {
  const random = createRandom(5);
  let held = 0;
  for (let run = 0; run < 2000; run += 1) {
    const [low, high] = computePairedInterval(simulateDifferences(random, trials));
    if (low <= 0.1 && 0.1 <= high) held += 1;
  }
  expect(held / 2000).toBeGreaterThan(least);
  expect(held / 2000).toBeLessThan(most);
});

/** 50 questions of any difficulty, each 10 points easier in run b. */
function simulateDifferences(random: () => number, trials: number): readonly number[] {
  return Array.from({ length: 50 }, () => {
    const chance = 0.9 * random();
    const score = (right: number) => Array.from({ length: trials }, () => random() < right).filter(Boolean).length;
    return (score(chance + 0.1) - score(chance)) / trials;
  });
}

it('has half the width of an interval without a single change as its smallest margin', () => {
  for (const n of [1, 20, 300]) {
    expect(computePairedInterval(toDifferences(0, 0, n))[1]).toBeCloseTo(computeSmallestMargin(n), 12);
  }
});

it.each([
  [6, 1, 13, 9 / 22],
  [0, 0, 8, 0.2],
])('the discordance of %d fixed, %d broken and %d same is %d', (fixed, broken, same, discordance) => {
  expect(computeDiscordance(toDifferences(fixed, broken, same))).toBeCloseTo(discordance, 12);
});
