import { sumAnyOrder } from './sum.ts';
import type { Tally } from './tally.ts';

/**
 * How many independent trials the results are worth: min(nk, n p(1-p) / s2) for n questions and nk trials, where s2 is
 * the mean of (question mean - p)^2 (DESIGN 5.8). Trials that always agree are worth one per question, independent
 * ones count in full. One trial each: n. With unequal trial counts p stays the share of correct trials, which can only
 * widen the interval. Where s2 says nothing (one question, or p = 0 or 1), each question counts once.
 * Questions without a graded trial are left out.
 */
export function computeEffectiveN(tallies: readonly Tally[]): number {
  const questions = tallies.filter(({ graded }) => graded > 0);
  const n = questions.length;
  const trials = questions.reduce((sum, { graded }) => sum + graded, 0);
  const p = questions.reduce((sum, { correct }) => sum + correct, 0) / trials;
  if (n === 1 || trials === n || p === 0 || p === 1) return n;
  const squares = sumAnyOrder(questions.map(({ correct, graded }) => (correct / graded - p) ** 2));
  // Equal question means (squares = 0) give Infinity here, so all trials count.
  return Math.min(trials, (n * p * (1 - p)) / (squares / n));
}
