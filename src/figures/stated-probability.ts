import type { ProbabilityFigures, Rate } from '../words/figures.ts';
import { groupBy, sumAnyOrder } from './groups.ts';
import { computeWilson, Z_95 } from './intervals.ts';

/** An answer's stated probability of being right, 0 to 1. */
export type StatedProbability = {
  /** The question. Its trials are not independent answers. */
  readonly id: string;
  readonly share: number;
  readonly isCorrect: boolean;
};

/** What stated probabilities are worth; null without any. */
export function judgeProbabilities(
  stated: readonly StatedProbability[],
): ProbabilityFigures | null {
  if (stated.length === 0) return null;
  return { n: stated.length, brier: computeBrier(stated), auroc: computeAuroc(stated) };
}

/**
 * The Brier score, the mean of (probability - right or not)^2, over questions. Its 95 % interval is
 * Wilson's for a share of as many trials as have its variance, so it stays within 0 and 1. The
 * variance is that of the questions, or what the stated probabilities themselves imply if that is
 * larger: where all of few answers were right, nothing else tells of wrong ones.
 */
function computeBrier(stated: readonly StatedProbability[]): Rate {
  const squares = [...groupBy(stated, ({ id }) => id).values()].map((own) =>
    mean(own.map(({ share, isCorrect }) => (share - (isCorrect ? 1 : 0)) ** 2)),
  );
  const n = squares.length;
  const value = mean(squares);
  const seen = mean(squares.map((square) => (square - value) ** 2));
  const variance = Math.max(seen, implyVariance(stated.map(({ share }) => share)));
  const effective = variance === 0 ? n : (n * value * (1 - value)) / variance;
  return { value, n, ci95: computeWilson(value, effective) };
}

/** The variance of the squares if answers were right as often as they state. */
function implyVariance(shares: readonly number[]): number {
  const moment = (power: number) =>
    mean(shares.map((p) => p * (1 - p) ** power + (1 - p) * p ** power));
  return moment(4) - moment(2) ** 2;
}

/**
 * The chance that a right answer states a higher probability than a wrong one; the same counts
 * half. The 95 % interval is Newcombe's score interval (2006, method 5), which is right for few
 * answers and at 0 and 1 too. bench/RESULTS.md says how often both intervals contain the true
 * value. Each question counts once for it, however many trials it has. Null without a right or a
 * wrong answer.
 */
function computeAuroc(stated: readonly StatedProbability[]): Rate | null {
  const right = stated.filter(({ isCorrect }) => isCorrect).length;
  const wrong = stated.length - right;
  if (right === 0 || wrong === 0) return null;
  const value = countWins(stated) / (right * wrong);
  const questions = new Set(stated.map(({ id }) => id)).size;
  const weight = questions / stated.length;
  const m = right * weight;
  const n = wrong * weight;
  return { value, n: questions, ci95: [findEnd(value, 0, m, n), findEnd(value, 1, m, n)] };
}

/**
 * Pairs of a right and a wrong answer in which the right one states more; equal ones count half.
 */
function countWins(stated: readonly StatedProbability[]): number {
  const levels = [...groupBy(stated, ({ share }) => String(share)).values()];
  levels.sort(([a], [b]) => a.share - b.share);
  let [wins, wrongBelow] = [0, 0];
  for (const level of levels) {
    const right = level.filter(({ isCorrect }) => isCorrect).length;
    const wrong = level.length - right;
    wins += right * (wrongBelow + wrong / 2);
    wrongBelow += wrong;
  }
  return wins;
}

/** The value nearest to `limit`, 0 or 1, from which the one seen is 1.96 standard errors away. */
function findEnd(seen: number, limit: number, m: number, n: number): number {
  let [inside, outside] = [seen, limit];
  for (let step = 0; step < 50; step += 1) {
    const middle = (inside + outside) / 2;
    if (Math.abs(seen - middle) <= Z_95 * computeError(middle, m, n)) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** Hanley and McNeil's standard error of an area, with the mean of both sizes for each. */
function computeError(area: number, m: number, n: number): number {
  const others = (m + n) / 2 - 1;
  const shape = 1 + others * ((1 - area) / (2 - area) + area / (1 + area));
  return Math.sqrt(Math.max(0, (area * (1 - area) * shape) / (m * n)));
}

function mean(values: readonly number[]): number {
  return sumAnyOrder(values) / values.length;
}
