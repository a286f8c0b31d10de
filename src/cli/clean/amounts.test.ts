import { expect, test } from 'vitest';
import { formatAge, formatBytes, parseAge, parseSize } from './amounts.ts';

const DAY = 86_400_000;

test.each([
  ['12h', DAY / 2],
  ['30d', 30 * DAY],
  ['2w', 14 * DAY],
  ['0d', 0],
])('the age %s is %d ms', (text, ms) => {
  expect(parseAge(text)).toBe(ms);
});

test.each(['', '30', 'd', '-1d', '1.5d', '30 days', '1000000000000d'])('%j is no age', (text) => {
  expect(() => parseAge(text)).toThrow(
    `--older-than must be hours, days or weeks, got ${JSON.stringify(text)}. Write it as 12h, 30d or 8w.`,
  );
});

test.each([
  ['500k', 500_000],
  ['20m', 20_000_000],
  ['1G', 1_000_000_000],
  ['1.5g', 1_500_000_000],
  ['0k', 0],
])('the size %s is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', '1', 'g', '-1g', '1gb', '1,5g', 'Infinityg'])('%j is no size', (text) => {
  expect(() => parseSize(text)).toThrow(
    `--larger-than must be a size, got ${JSON.stringify(text)}. Write it as 500m or 1.5g.`,
  );
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [999_499_999, '999 MB'],
  [1_500_000_000, '1.5 GB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});

test.each([
  [-1, '0 hours'],
  [DAY / 24, '1 hour'],
  [DAY * 2 - 1, '47 hours'],
  [DAY * 31, '31 days'],
])('an age of %d ms is shown as %s', (ms, shown) => {
  expect(formatAge(ms)).toBe(shown);
});
