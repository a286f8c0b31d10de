import { expect, it } from 'vitest';
import { toResult } from './metrics/result.fixture.ts';
import { countStates, isCounted } from './states.ts';
import type { State } from './types.ts';

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

it.each<[State, boolean]>([
  ['correct', true],
  ['incorrect', true],
  ['no_answer', true],
  ['timed_out', true],
  ['errored', true],
  ['ungraded', false],
  ['not_run', false],
])('%s counts in accuracy: %s', (state, counts) => {
  expect(isCounted(toResult(state))).toBe(counts);
});

it.each<State>(['no_answer', 'timed_out', 'errored', 'ungraded', 'not_run'])(
  '%s without a target counts in no accuracy',
  (state) => {
    expect(isCounted(toResult(state, { target: null }))).toBe(false);
  },
);
