import { expect, test } from 'vitest';
import { formatPercent } from './amounts.js';
import { formatPercents } from './percent.ts';

test.each([
  [7 / 12, '58.3 %'],
  [1 / 33_334, '0.003 %'],
  [0.001, '0.1 %'],
  [33_333 / 33_334, '99.997 %'],
  [0.999, '99.9 %'],
  [0, '0.0 %'],
  [1, '100.0 %'],
])('the rate %d is never rounded to 0 or 100 %%, nor to what it is not near', (rate, text) => {
  expect(formatPercent(rate)).toBe(text);
});

test.each([
  [0.5, 0.6, ['50.0 %', '60.0 %']],
  [0.7, 0.7, ['70.0 %', '70.0 %']],
  [0.5999, 0.6, ['59.99 %', '60.00 %']],
  [2 / 3, 0.66667, ['66.6667 %', '66.6670 %']],
  // The difference is in the thirteenth digit: more digits make no sense.
  [0.6, 0.6 + 1e-16, ['60.000000000000 %', '60.000000000000 %']],
])('tells %d and %d apart', (left, right, texts) => {
  expect(formatPercents(left, right)).toEqual(texts);
});
