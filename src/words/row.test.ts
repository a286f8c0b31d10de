import { expect, it } from 'vitest';
import { toResult } from '../figures/result.fixture.ts';
import { ALL_STATES, countStates, isCounted } from './row.ts';

it('counts every state, the absent ones as 0', () => {
  const results = [toResult('correct'), toResult('errored'), toResult('correct')];
  expect(countStates(results)).toEqual({
    correct: 2,
    incorrect: 0,
    no_answer: 0,
    timed_out: 0,
    errored: 1,
    ungraded: 0,
    not_run: 0,
  });
});

it('counts in accuracy what has a verdict or failed, and nothing without a target', () => {
  const counted = ALL_STATES.filter((state) => isCounted(toResult(state)));
  expect(counted).toEqual(['correct', 'incorrect', 'no_answer', 'timed_out', 'errored']);
  const failed = ['no_answer', 'timed_out', 'errored', 'ungraded', 'not_run'] as const;
  expect(failed.filter((state) => isCounted(toResult(state, { target: null })))).toEqual([]);
});
