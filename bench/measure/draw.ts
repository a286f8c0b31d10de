import { createRandom } from '../../src/figures/result.fixture.ts';

/** Draws of simulations, from a seed. */
export type Draw = ReturnType<typeof createDraw>;

export function createDraw(seed: number) {
  const random = createRandom(seed);
  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  }
  /** Marsaglia and Tsang (2000). */
  function gamma(shape: number): number {
    if (shape < 1) return gamma(shape + 1) * (1 - random()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  }
  function beta(a: number, b: number): number {
    const [x, y] = [gamma(a), gamma(b)];
    return x === 0 && y === 0 ? Number(random() < a / (a + b)) : x / (x + y);
  }
  /** How many of `trials` succeed. */
  function binomial(trials: number, chance: number): number {
    let count = 0;
    for (let trial = 0; trial < trials; trial += 1) count += Number(random() < chance);
    return count;
  }
  return { random, beta, binomial };
}

/** How questions are asked and what they share, in the simulations of shares and of differences. */
export type Layout = Readonly<{ questions: number; clusters: boolean }>;

/** Questions of one cluster, and the correlation of their chances. */
const SIZE = 5;
const ICC = 0.2;

/**
 * The chance of a right answer of each question: of any difficulty (Beta) around `mean`, or around
 * the mean of its cluster, which is Beta too. `cluster` is absent without clusters.
 */
export function drawQuestions({ beta }: Draw, { questions, clusters }: Layout, mean: number) {
  const spread = 1 / ICC - 1;
  let ofCluster = mean;
  return Array.from({ length: questions }, (_, index) => {
    if (clusters && index % SIZE === 0) ofCluster = beta(spread * mean, spread * (1 - mean));
    const chance = beta(2 * ofCluster, 2 * (1 - ofCluster));
    return { chance, ...(clusters ? { cluster: `c${Math.floor(index / SIZE)}` } : {}) };
  });
}
