import { expect, test } from 'vitest';
import { shortenText } from './shorten-text.ts';

test.each([
  ['short', 5, 'short'],
  ['0123456789', 8, '01\n[... 2 characters left out ...]\n456789'],
  ['0123456789', 0, '\n[... 10 characters left out ...]\n'],
  ['0123456789', 2.6, '\n[... 8 characters left out ...]\n89'],
])('%j in %d characters', (text, most, expected) => {
  expect(shortenText(text, most)).toBe(expected);
});
