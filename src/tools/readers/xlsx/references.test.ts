import { expect, test } from 'vitest';
import { moveFormula, toColumnName, toColumnNumber } from './references.ts';

test.each([
  [1, 'A'],
  [26, 'Z'],
  [27, 'AA'],
  [702, 'ZZ'],
  [703, 'AAA'],
  [16_384, 'XFD'],
])('column %i is %s', (number, name) => {
  expect(toColumnName(number)).toBe(name);
  expect(toColumnNumber(`${name}12`)).toBe(number);
});

test.each([
  ['A1*2', 'B3*2'],
  ['$A1+A$1+$A$1', '$A3+B$1+$A$1'],
  ['SUM(A1:B9)/LOG10(C2)', 'SUM(B3:C11)/LOG10(D4)'],
  ['"A1"&A1', '"A1"&B3'],
  ["'A1'!A1", "'A1'!B3"],
  ['Sheet2!A1', 'Sheet2!B3'],
  ['Rate1.x*A1_b', 'Rate1.x*A1_b'],
  ['Z9', 'AA11'],
])('%s moves to %s', (formula, moved) => {
  expect(moveFormula(formula, { column: 1, row: 1 }, { column: 2, row: 3 })).toBe(moved);
});
