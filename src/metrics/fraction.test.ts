import { expect, it } from 'vitest';
import { type Fraction, toCommonIntegers } from './fraction.ts';

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
