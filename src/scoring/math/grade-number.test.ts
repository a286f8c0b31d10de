import { expect, test } from 'vitest';
import { readCases } from '../../../test/read-cases.ts';
import { type GradeNumberOptions, gradeNumber } from './grade-number.ts';

type Case = Readonly<{
  output: string;
  target: string;
  options?: GradeNumberOptions;
  correct: boolean;
}>;

const cases = readCases<Case>('number.cases.jsonl', import.meta.url);

test('agrees with the expected verdicts of made-up pairs', () => {
  expect(cases.length).toBeGreaterThan(100);
  const wrong = cases.filter(({ output, target, options, correct }) => {
    return gradeNumber(output, target, options).correct !== correct;
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['FINAL ANSWER: 12', '17', {}, 'incorrect', 'compared as number: "12" is not equal to "17"'],
  ['17.5', '17', { absolute: 0.5 }, 'correct', 'compared as number: "17.5" is near enough to "17"'],
  ['5 or 6', '5', {}, 'incorrect', '"5 or 6" cannot be read as one number'],
  [
    '5 m',
    '5',
    { unit: ['km', 'kilometres'] },
    'incorrect',
    'the unit "m" is not "km" or "kilometres"',
  ],
  ['I looked.\nThere are many.', '17', {}, 'no_answer', expect.stringContaining('no final answer')],
  ['', '17', {}, 'no_answer', expect.stringContaining('empty')],
])('grades %j against %j', (output, target, options, state, explanation) => {
  expect(gradeNumber(output, target, options)).toMatchObject({
    state,
    explanation,
    rule: 'number',
  });
});

test.each([
  ['I add.\nHence Ann has 17 marbles.', {}, 'concluding sentence', true],
  ['I add.\nAnn ends with **17** of 20 marbles.', {}, 'concluding sentence', true],
  ['I add.\nAnn has 17 marbles.', {}, 'concluding sentence', false],
  ['FINAL ANSWER: Ann has 17 marbles.', {}, 'final answer marker', false],
  ['It was 17 of them, hard to say.\nNobody counted.', { find: 'last' }, 'last number', false],
  ['FINAL ANSWER: 17', { find: 'last' }, 'final answer marker', true],
] as const)('reads 17 in %j with %j by its %s', (output, options, how, certain) => {
  expect(gradeNumber(output, 17, options)).toMatchObject({
    correct: true,
    answer: '17',
    how,
    certain,
  });
});

test.each(['Ann has 17 marbles and Ben has 5.', 'It was 17 of them.\nNobody counted.'])(
  'reads no number in %j, where nothing tells it',
  (output) => {
    expect(gradeNumber(`I add.\n${output}`, '17').state).toBe('no_answer');
  },
);

test.each(['I think it is 17.', 'There were never 17 marbles.', 'It is 17 and a half.'])(
  'a sentence that states no number is no answer: %j',
  (output) => {
    expect(gradeNumber(output, '17')).toMatchObject({ state: 'no_answer', answer: null });
  },
);

test.each(['See page 17.', 'No number here.', '1 hour and 17 minutes', 'FINAL ANSWER: seventeen'])(
  'is not certain of %j, in which no number was read',
  (output) => {
    expect(gradeNumber(output, '17')).toMatchObject({ correct: false, certain: false });
  },
);

test('compares the complete output when told not to extract', () => {
  expect(gradeNumber('FINAL ANSWER: 17', '17', { extract: false }).correct).toBe(false);
  expect(gradeNumber(' 17 ', '17', { extract: false })).toMatchObject({
    correct: true,
    how: 'as given',
  });
});

test('refuses a target that is not a number, and tolerances that make no sense', () => {
  expect(() => gradeNumber('17', 'seventeen')).toThrow(/one number.+got "seventeen"/);
  expect(() => gradeNumber('17', '17', { relative: -1 })).toThrow(
    '"relative" must be a number from 0 up, got "-1"',
  );
  expect(() => gradeNumber('17', '17', { absolute: Number.NaN })).toThrow(
    '"absolute" must be a number',
  );
});
