import { expect, it } from 'vitest';
import { decimalDigit } from './python-digits.ts';

it.each([
  ['0', 0],
  ['9', 9],
  ['٣', 3],
  ['\u{1fbf0}', 0],
  ['\u{1fbf9}', 9],
])('reads the digit %s as %d', (character, value) => {
  expect(decimalDigit(character.codePointAt(0) ?? -1)).toBe(value);
});

it.each([' ', '/', ':', '½', '\u{1fbef}', '\u{1fbfa}'])('reads no digit in %j', (character) => {
  expect(decimalDigit(character.codePointAt(0) ?? -1)).toBeNull();
});
