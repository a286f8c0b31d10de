import { expect, it } from 'vitest';
import type { SampleResult } from '../types.ts';
import { toTrials } from './result.fixture.ts';
import { trialFigures } from './trial-figures.ts';

const toResults = (...questions: string[]): readonly SampleResult[] =>
  questions.flatMap((marks, index) => toTrials(`q${index + 1}`, marks));

it.each([
  // C(1,2)/C(3,2) = 0 of the draws of two are all wrong, C(2,2)/C(3,2) = 1/3 are all right.
  [
    '++-',
    [
      [1, 2 / 3, 2 / 3],
      [2, 1, 1 / 3],
      [3, 1, 0],
    ],
  ],
  [
    '+--',
    [
      [1, 1 / 3, 1 / 3],
      [2, 2 / 3, 0],
      [3, 1, 0],
    ],
  ],
  [
    '+++',
    [
      [1, 1, 1],
      [2, 1, 1],
      [3, 1, 1],
    ],
  ],
  [
    '--',
    [
      [1, 0, 0],
      [2, 0, 0],
    ],
  ],
  ['+', [[1, 1, 1]]],
])('the rates of %j are %j', (marks, rates) => {
  const expected = rates.map(([k, any, all]) => ({
    k,
    pass_at_k: expect.closeTo(any ?? Number.NaN, 12),
    pass_hat_k: expect.closeTo(all ?? Number.NaN, 12),
  }));
  expect(trialFigures(toResults(marks)).rates).toEqual(expected);
});

it('averages over questions, not over trials', () => {
  expect(trialFigures(toResults('++++', '-')).rates).toEqual([{ k: 1, pass_at_k: 0.5, pass_hat_k: 0.5 }]);
});

it('equals counting all subsets of k trials', () => {
  const questions = ['++--+', '-----', '+----', '+++++', '++++-'];
  for (const { k, pass_at_k, pass_hat_k } of trialFigures(toResults(...questions)).rates) {
    const draws = questions.map((marks) => subsets([...marks], k));
    const share = (rule: (draw: readonly string[]) => boolean) =>
      draws.reduce((sum, draw) => sum + draw.filter(rule).length / draw.length, 0) / draws.length;
    expect(pass_at_k).toBeCloseTo(
      share((draw) => draw.includes('+')),
      12,
    );
    expect(pass_hat_k).toBeCloseTo(
      share((draw) => !draw.includes('-')),
      12,
    );
  }
});

function subsets(marks: readonly string[], k: number): readonly (readonly string[])[] {
  const [first, ...rest] = marks;
  if (k === 0) return [[]];
  if (first === undefined) return [];
  return [...subsets(rest, k - 1).map((subset) => [first, ...subset]), ...subsets(rest, k)];
}

it('lists the questions that are right at times', () => {
  expect(trialFigures(toResults('+-', '++', '--', '-+', '!+')).unstable).toEqual(['q1', 'q4', 'q5']);
});

it.each([['+.'], ['u'], ['']])('has no rates for %j', (marks) => {
  expect(trialFigures(toResults(marks)).rates).toEqual([]);
});

it('leaves out a question that cannot be graded', () => {
  expect(trialFigures(toResults('+', 'u', '-')).rates).toEqual([{ k: 1, pass_at_k: 0.5, pass_hat_k: 0.5 }]);
});

it('leaves out a question without a target, whatever became of it', () => {
  const hidden = toTrials('hidden', '!.', { target: null });
  expect(trialFigures([...hidden, ...toResults('++', '+-')])).toEqual(trialFigures(toResults('++', '+-')));
});

it('takes any id as a plain text', () => {
  expect(trialFigures(toTrials('__proto__', '+-')).unstable).toEqual(['__proto__']);
});
