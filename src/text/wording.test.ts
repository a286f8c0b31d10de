import { expect, test } from 'vitest';
import { nearest, partOf, plural } from './wording.ts';

test.each([
  [0, '0 questions'],
  [1, '1 question'],
  [30, '30 questions'],
])('%i is %s', (count, text) => expect(plural(count, 'question')).toBe(text));

test('a verb follows its number', () => {
  expect([plural(1, 'call was', 'calls were'), plural(2, 'call was', 'calls were')]).toEqual([
    '1 call was',
    '2 calls were',
  ]);
});

test.each([
  [1, 1, '1 of 1 truth is hidden'],
  [1, 2, '1 of 2 truths is hidden'],
  [2, 2, '2 of 2 truths are hidden'],
])('%i of %i', (part, whole, text) => {
  expect(`${partOf(part, whole, 'truth', 'is', 'are')} hidden`).toBe(text);
});

test.each([
  ['EVAL_LIMITS', 'EVAL_LIMIT'],
  ['EVAL_SEEDS', 'EVAL_SEED'],
  ['EVAL_LIMTI', 'EVAL_LIMIT'],
])('%s is nearest to %s', (word, expected) => {
  expect(nearest(word, ['EVAL_SEED', 'EVAL_LIMIT', 'EVAL_MIN_ACCURACY'])).toBe(expected);
});

test('a part of a name is nearer than a short name', () => {
  expect(nearest('effort', ['tools', 'reasoning_effort'])).toBe('reasoning_effort');
});

test('answers with nothing when there are no candidates', () => {
  expect(nearest('x', [])).toBe('');
});
