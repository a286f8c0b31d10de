import { expect, test } from 'vitest';
import { countOutcomes, countPopulations } from './populations.ts';
import { toTrials } from './result.fixture.ts';

/** Results of questions with a target, and of others without one. */
function toResults(graded: string, ungraded: string) {
  return [...toTrials('q1', graded), ...toTrials('q2', ungraded, { target: null })];
}

test.each([
  ['+-!', '', { correct: 1, incorrect: 1, errored: 1 }],
  ['+-', 'uu!', { correct: 1, incorrect: 1, ungraded: 3 }],
  ['+.', 'u.!', { correct: 1, not_run: 2, ungraded: 2 }],
  // Where no target is known, all that is known is what became of them.
  ['', 'u!.', { ungraded: 1, errored: 1, not_run: 1 }],
])('%j with a target and %j without count as %j, each once', (graded, ungraded, counts) => {
  const results = toResults(graded, ungraded);
  const outcomes = countOutcomes(countPopulations(results));
  expect(Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count > 0))).toEqual(
    counts,
  );
});
