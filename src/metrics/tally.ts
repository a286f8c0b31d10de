import type { SampleResult } from '../types.ts';
import { isGraded } from './states.ts';

/** The trials of one question: how many are graded, and how many of those are right. */
export type Tally = { readonly correct: number; readonly graded: number };

type Counter = { correct: number; graded: number };

/** The tally of each question by id, in order of first appearance; one without graded trials has zeros. */
export function tallyQuestions(results: readonly SampleResult[]): ReadonlyMap<string, Tally> {
  const questions = new Map<string, Counter>();
  for (const result of results) {
    const tally = questions.get(result.id) ?? { correct: 0, graded: 0 };
    questions.set(result.id, tally);
    countTrial(tally, result);
  }
  return questions;
}

/** The tally of the trials of one question. */
export function tallyTrials(results: readonly SampleResult[]): Tally {
  const tally = { correct: 0, graded: 0 };
  for (const result of results) countTrial(tally, result);
  return tally;
}

function countTrial(tally: Counter, result: SampleResult): void {
  if (isGraded(result)) tally.graded += 1;
  if (result.state === 'correct') tally.correct += 1;
}
