import { expect, test } from 'vitest';
import { partOf, plural } from './plural.ts';

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
