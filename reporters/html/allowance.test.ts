import { expect, test } from 'vitest';
import { shortenedLength, shortenText } from './allowance.ts';

const LONG = '0123456789'.repeat(5);

test.each([
  ['short', 5, 'short'],
  [LONG, 8, '01\n[... 42 characters left out ...]\n456789'],
  [LONG, 0, '\n[... 50 characters left out ...]\n'],
  [LONG, 2.6, '\n[... 48 characters left out ...]\n89'],
  // The mark takes 34 characters.
  [LONG, 16, LONG],
  [LONG, 15, '012\n[... 35 characters left out ...]\n890123456789'.slice(0, 37) + LONG.slice(-12)],
])('%j in %d characters', (text, most, expected) => {
  expect(shortenText(text, most)).toBe(expected);
  expect(shortenedLength(text.length, most)).toBe(expected.length);
});
