import { expect, it, test } from 'vitest';
import { type Fraction, formatPercent, formatPercents, sumAnyOrder, toCommonIntegers } from './percent.ts';

it('writes a rate with one digit', () => {
  expect(formatPercent(7 / 12)).toBe('58.3 %');
});

it.each([
  [1 / 33_334, '0.003 %'],
  [0.0004, '0.04 %'],
  [0.000053, '0.005 %'],
  [0.001, '0.1 %'],
  [33_333 / 33_334, '99.997 %'],
  [0.999, '99.9 %'],
  [0.9996, '99.96 %'],
  [0, '0.0 %'],
  [1, '100.0 %'],
])('never rounds %d to 0 or 100 %%, nor to what it is not near', (rate, text) => {
  expect(formatPercent(rate)).toBe(text);
});

it.each([
  [0.5, 0.6, ['50.0 %', '60.0 %']],
  [0.7, 0.7, ['70.0 %', '70.0 %']],
  [0.5999, 0.6, ['59.99 %', '60.00 %']],
  [2 / 3, 0.66667, ['66.6667 %', '66.6670 %']],
  // Closer than twelve digits: there is no point in more.
  [0.6, 0.6 + 1e-16, ['60.000000000000 %', '60.000000000000 %']],
])('tells %d and %d apart', (left, right, texts) => {
  expect(formatPercents(left, right)).toEqual(texts);
});

const toFraction = (text: string): Fraction => {
  const [numerator, denominator] = text.split('/').map(Number);
  return { numerator: numerator ?? Number.NaN, denominator: denominator ?? Number.NaN };
};

it.each<[string[], number[] | null]>([
  [
    ['1/2', '-1/3'],
    [3, -2],
  ],
  [
    ['1/1', '-1/1', '0/1'],
    [1, -1, 0],
  ],
  [
    ['2/4', '4/4'],
    [1, 2],
  ],
  [
    ['0/5', '0/3'],
    [0, 0],
  ],
  [['3/5'], [1]],
  [[], []],
  [
    ['1/1000', '1/1000'],
    [1, 1],
  ],
  [['1/1000000'], [1]],
  [['1/1000001'], null],
  [['1/997', '1/991', '1/983'], null],
])('%j are %j in their largest common unit', (fractions, integers) => {
  expect(toCommonIntegers(fractions.map(toFraction))).toEqual(integers);
});

test('does not depend on the order', () => {
  const values = Array.from({ length: 200 }, (_, index) => 1 / (index + 3));
  expect(sumAnyOrder(values.toReversed())).toBe(sumAnyOrder(values));
  expect(values.toReversed().reduce((sum, value) => sum + value)).not.toBe(values.reduce((sum, value) => sum + value));
});

test('of nothing is 0', () => {
  expect(sumAnyOrder([])).toBe(0);
});
