import { expect, test } from 'vitest';
import { gradeGaia } from './gaia/grade-gaia.ts';
import { gradeNumber } from './math/grade-number.ts';
import { gradeMcq } from './mcq/grade-mcq.ts';

test.each([
  ['FINAL ANSWER: NYC', ['New York', 'NYC'], 'correct', 'NYC'],
  ['FINAL ANSWER: the 2', [2, 'the two'], 'incorrect', undefined],
  ['FINAL ANSWER: 2', ['two', 2], 'correct', '2'],
  ['FINAL ANSWER: a, b', ['x', 'a;b'], 'correct', 'a;b'],
  ['', ['x', 'y'], 'no_answer', undefined],
])('%j matches any one of %j: %s', (output, targets, state, accepted) => {
  const grade = gradeGaia(output, targets);
  expect([grade.state, grade.accepted]).toEqual([state, accepted]);
});

test('a wrong answer says how many are accepted, and a rule accepts it if it does so for one', () => {
  expect(gradeGaia('FINAL ANSWER: York', ['Rome', 'New York'])).toMatchObject({
    state: 'incorrect',
    explanation:
      'none of 2 accepted answers matches; the first: compared as text: "york" is not "rome"',
    rules: { official: false, bidirectional: true },
  });
});

test('an empty list accepts nothing and is refused', () => {
  expect(() => gradeGaia('x', [])).toThrow('A list of accepted answers must not be empty.');
});

test('any one of several numbers is right', () => {
  expect(gradeNumber('FINAL ANSWER: 5', ['4', '5 km'])).toMatchObject({ accepted: '5 km' });
});

test.each([
  ['C', { accepts: 'any' as const }, 'correct', 'C'],
  ['A and C', { accepts: 'any' as const }, 'incorrect', undefined],
  ['C', {}, 'incorrect', undefined],
  ['A and C', {}, 'correct', undefined],
])(
  'of the options A and C, %s is right where any is accepted alone (%j): %s',
  (output, accepts, state, accepted) => {
    const question = { choices: { A: 'x', B: 'y', C: 'z' }, ...accepts };
    const grade = gradeMcq(`The answer is ${output}.`, 'A,C', question);
    expect([grade.state, grade.accepted]).toEqual([state, accepted]);
  },
);
