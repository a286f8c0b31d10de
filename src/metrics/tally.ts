import type { SampleResult } from '../types.ts';
import { groupBy } from './group-by.ts';
import { isGraded } from './states.ts';

/** The graded trials of one question; `graded` is at least 1. */
export type Tally = { readonly correct: number; readonly graded: number };

/** The tally of each question (by id) that has a graded trial. */
export function tallyQuestions(results: readonly SampleResult[]): readonly Tally[] {
  const questions = groupBy(results.filter(isGraded), (result) => result.id);
  return [...questions.values()].map(tallyTrials);
}

/** Counts the trials of one question. */
export function tallyTrials(results: readonly SampleResult[]): Tally {
  let correct = 0;
  let graded = 0;
  for (const result of results) {
    if (isGraded(result)) graded += 1;
    if (result.state === 'correct') correct += 1;
  }
  return { correct, graded };
}
