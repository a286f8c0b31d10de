import { expect, test } from 'vitest';
import { formatPoints, formatPointsInterval, formatRatio, judgeP } from './differences.ts';

test.each([
  [null, '-'],
  [0, '0.0 pp'],
  [0.0667, '+6.7 pp'],
  [-0.25, '-25.0 pp'],
  [0.0001, '+0.01 pp'],
  [-0.00001, '-0.001 pp'],
  [1, '+100.0 pp'],
])('a difference of %j is %s', (difference, text) => {
  expect(formatPoints(difference)).toBe(text);
});

test('an interval has a sign at both ends', () => {
  expect(formatPointsInterval([-0.023, 0.477])).toBe('-2.3 to +47.7 pp');
  expect(formatPointsInterval(null)).toBe('-');
});

test.each([
  [1, 'p = 1: within noise'],
  [0.625, 'p = 0.63: within noise'],
  [0.05, 'p = 0.05: within noise'],
  [0.0501, 'p = 0.0501: within noise'],
  [0.04996, 'p = 0.04996: more than noise'],
  [0.0312, 'p = 0.031: more than noise'],
  [0.00099, 'p < 0.001: more than noise'],
])('a p-value of %d is shown as "%s"', (p, text) => {
  expect(judgeP(p)).toBe(text);
});

test.each([
  [0.934, '0.93 times'],
  [12.4, '12 times'],
])('a ratio of %d is %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});
