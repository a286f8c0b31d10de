import { expect, test } from 'vitest';
import { sumAnyOrder } from './sum.ts';

test('does not depend on the order', () => {
  const values = Array.from({ length: 200 }, (_, index) => 1 / (index + 3));
  expect(sumAnyOrder(values.toReversed())).toBe(sumAnyOrder(values));
  expect(values.toReversed().reduce((sum, value) => sum + value)).not.toBe(values.reduce((sum, value) => sum + value));
});

test('of nothing is 0', () => {
  expect(sumAnyOrder([])).toBe(0);
});
