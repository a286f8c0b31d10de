import { expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

it.each([
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['', '', true],
  ['*', '', true],
  ['?', '', false],
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['a*c*', 'abcbd', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['*b*b', 'abab', true],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['ABC', 'abc', false],
  ['**', 'x', true],
])('%s against %s: %s', (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

it('stays quick when many stars almost match', () => {
  expect(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(10_000))).toBe(false);
});
