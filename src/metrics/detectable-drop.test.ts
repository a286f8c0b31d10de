import { expect, it } from 'vitest';
import { computeDetectableDrop } from './detectable-drop.ts';
import { createRandom } from './result.fixture.ts';
import { signFlipTest } from './sign-flip.ts';

it.each([
  // By hand: (1.96 sqrt(0.2) + 0.8416 sqrt(0.2 - 0.1238^2)) / sqrt(100) = (0.8765 + 0.3617) / 10 = 0.1238.
  [100, 0.2, 0.1238],
  [1000, 0.2, 0.0396],
  // A drop of more than the discordance brings its own: 1.96 sqrt(d) + 0.8416 sqrt(d - d^2) = sqrt(50) d.
  // At 0.1497: 0.7584 + 0.3003 = 1.0586 = 7.0711 * 0.1497.
  [50, 0.02, 0.1497],
])('%d questions with discordance %d show a drop of %d', (n, discordance, drop) => {
  expect(computeDetectableDrop(n, discordance, 1)).toBeCloseTo(drop, 4);
});

it.each([0, 1, 5])('%d questions show no drop at all', (n) => {
  expect(computeDetectableDrop(n, 0.5, 1)).toBeNull();
});

it('is no more than there is to lose', () => {
  const drop = computeDetectableDrop(100, 0.2, 1) ?? Number.NaN;
  expect([0, drop - 0.001, drop].map((accuracy) => computeDetectableDrop(100, 0.2, accuracy))).toEqual([
    null,
    null,
    drop,
  ]);
});

it('shrinks with more questions and grows with more flips', () => {
  const drops = [6, 20, 100, 1000].map((n) => computeDetectableDrop(n, 0.3, 1) ?? Number.NaN);
  expect(drops).toEqual([...drops].sort((left, right) => right - left));
  expect(drops[0]).toBeLessThanOrEqual(1);
  const byFlips = [0.01, 0.1, 0.5, 1].map((discordance) => computeDetectableDrop(100, discordance, 1) ?? Number.NaN);
  expect(byFlips).toEqual([...byFlips].sort((left, right) => left - right));
});

it('is a drop that the exact test shows in about four of five simulated runs', () => {
  const random = createRandom(3);
  const [n, discordance] = [150, 0.25];
  const drop = computeDetectableDrop(n, discordance, 1) ?? Number.NaN;
  let shown = 0;
  for (let run = 0; run < 1000; run += 1) {
    const differences = Array.from({ length: n }, () => {
      const draw = random();
      const numerator = draw < (discordance + drop) / 2 ? -1 : draw < discordance ? 1 : 0;
      return { numerator, denominator: 1 };
    });
    if (signFlipTest(differences).p_value <= 0.05) shown += 1;
  }
  expect(shown / 1000).toBeGreaterThan(0.72);
  expect(shown / 1000).toBeLessThan(0.86);
});
