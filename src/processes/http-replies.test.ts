import { expect, test } from 'vitest';
import { readRetryAfter } from './http-replies.ts';

test.each([
  [null, null],
  ['', null],
  ['0', 0],
  [' 3 ', 3000],
  ['0.5', 500],
  ['-5', null],
  ['soon', null],
  ['Infinity', null],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
])('%j: %s ms', (header, ms) => {
  expect(readRetryAfter(header)).toBe(ms);
});

test('a date is as far away as it is', () => {
  const ms = readRetryAfter(new Date(Date.now() + 60_000).toUTCString());
  expect(ms).toBeGreaterThan(50_000);
  expect(ms).toBeLessThanOrEqual(60_000);
});
