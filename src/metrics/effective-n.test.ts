import { expect, it } from 'vitest';
import { computeEffectiveN } from './effective-n.ts';
import { createRandom, toTrials } from './result.fixture.ts';
import { tallyQuestions } from './tally.ts';

const count = (questions: readonly string[]) =>
  computeEffectiveN([...tallyQuestions(questions.flatMap((marks, index) => toTrials(`q${index}`, marks))).values()]);

it.each([
  ['one trial each: the questions', ['+', '-', '-'], 3],
  ['trials that always agree: the questions', ['+++', '---', '---'], 3],
  // p = 1/2, s2 = (1/4 + 0 + 1/4 + 0) / 4 = 1/8, 4 (1/4) / (1/8) = 8.
  ['trials that agree at times: in between, at most all', ['++', '+-', '--', '-+'], 8],
  // p = 1/2, s2 = (4 (1/4)^2 + 2 (1/2)^2) / 6 = 1/8, 6 (1/4) / (1/8) = 12 of 24.
  ['design effect 2', ['+++-', '+---', '+++-', '+---', '++++', '----'], 12],
  ['equal question means: every trial', ['+-', '-+', '+-'], 6],
  ['all wrong: the questions', ['--', '--'], 2],
  ['all right: the questions', ['+++', '+++'], 2],
  ['one question: 1, however many trials', ['+-+-'], 1],
  ['ungraded questions are left out', ['+', '-', 'u'], 2],
  // p = 3/4, s2 = (1/16 + 9/16) / 2 = 5/16, 2 (3/16) / (5/16) = 6/5.
  ['unequal trial counts: p is the share of right trials', ['+++', '-'], 1.2],
])('%s', (_rule, questions, expected) => {
  expect(count(questions)).toBeCloseTo(expected, 12);
});

it('leaves out questions without a target that failed', () => {
  const trials = [...toTrials('a', '++'), ...toTrials('b', '+-'), ...toTrials('hidden', '!!', { target: null })];
  const known = trials.filter(({ id }) => id !== 'hidden');
  expect(computeEffectiveN([...tallyQuestions(trials).values()])).toBe(
    computeEffectiveN([...tallyQuestions(known).values()]),
  );
});

it('is the number of questions to the last bit with one trial each', () => {
  for (let n = 1; n <= 40; n += 1) {
    for (let correct = 0; correct <= n; correct += 1) {
      expect(count([...('+'.repeat(correct) + '-'.repeat(n - correct))])).toBe(n);
    }
  }
});

it('comes near all trials when trials are independent', () => {
  const random = createRandom(7);
  const questions = Array.from({ length: 400 }, () =>
    Array.from({ length: 4 }, () => (random() < 0.6 ? '+' : '-')).join(''),
  );
  expect(count(questions)).toBeGreaterThan(1300);
});
