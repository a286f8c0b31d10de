import { describe, expect, test } from 'vitest';
import { formatCost, formatInterval, formatLatency, formatRate } from './figures.ts';

describe('formatRate', () => {
  test.each([
    [null, '-'],
    [0, '0.0 %'],
    [1, '100.0 %'],
    [0.5833, '58.3 %'],
  ])('%j is %s', (rate, text) => expect(formatRate(rate)).toBe(text));
});

describe('formatLatency', () => {
  test.each([
    [null, false, '-'],
    [0, false, '0 ms'],
    [2.25, false, '2.3 ms'],
    [850.4, false, '850 ms'],
    [12_345, false, '12.3 s'],
    [180_000, true, '> 180 s'],
  ])('%j, censored %j, is %s', (ms, censored, text) => expect(formatLatency(ms, censored)).toBe(text));
});

describe('formatCost', () => {
  test.each([
    [null, '-'],
    [0, '$0.00'],
    [0.00123, '$0.0012'],
    [0.999, '$1.00'],
    [12.3, '$12.30'],
  ])('%j is %s', (usd, text) => expect(formatCost(usd)).toBe(text));
});

test('an interval names its unit once', () => {
  expect(formatInterval([0.423, 0.754])).toBe('42.3 - 75.4 %');
  expect(formatInterval([0.0000053, 0.00017])).toBe('0.0005 - 0.02 %');
  expect(formatInterval(null)).toBe('-');
});
