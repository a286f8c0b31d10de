import { expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { contrastEnd } from './contrast.ts';

it.each([
  ['B', ', unlike A, is right.', ', unlike A'],
  ['B', ', unlike A and C, is right.', ', unlike A and C'],
  ['B', ', unlike A and C is right.', ', unlike A and C'],
  ['B', ' (not option A) is right.', ' (not option A)'],
  ['B', ' and not A is right.', ' and not A'],
  ['B', ', but not A, is right.', ', but not A'],
  ['B', ', unlike others, is right.', ''],
  ['B', ' is right, unlike A.', ''],
  ['C is wrong. So B', ' it is.', ''],
])('goes on about the option of "%s" in "%s" after "%s"', (before, rest, contrast) => {
  expect(contrastEnd(readingOf(before + rest), before.length)).toBe(before.length + contrast.length);
});
