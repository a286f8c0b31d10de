import { expect, test } from 'vitest';
import { shortenText } from './case-data.ts';

const LONG = '0123456789'.repeat(5);

test.each([
  ['short', 5, 'short'],
  [LONG, 8, '01\n[... 42 characters left out ...]\n456789'],
  [LONG, 0, '\n[... 50 characters left out ...]\n'],
  [LONG, 2.6, '\n[... 48 characters left out ...]\n89'],
  // The mark takes 34 characters.
  [LONG, 16, LONG],
])('%j in %d characters', (text, most, expected) => {
  expect(shortenText(text, most)).toBe(expected);
});
