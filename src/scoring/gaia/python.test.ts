import { expect, it } from 'vitest';
import { parsePythonFloat } from './python.ts';

it.each([
  ['.5', 0.5],
  ['1E+3', 1000],
  ['1e400', Number.POSITIVE_INFINITY],
  ['1_000', 1000],
  ['1e1_0', 1e10],
  ['inf', Number.POSITIVE_INFINITY],
  ['+Infinity', Number.POSITIVE_INFINITY],
  ['-INF', Number.NEGATIVE_INFINITY],
  [' -NaN\n', Number.NaN],
  ['１２', 12],
  ['٣.٥', 3.5],
  ['１e３', 1000],
  ['𝟏𝟐', 12],
  ['𝟘𝟿', 9],
  ['\u{1fbf0}', 0],
  ['\u{1fbf9}', 9],
  ['\u00a05\u3000', 5],
  ['\u2028\u0085\u16805', 5],
  ['\t\v\f\r\n 5', 5],
])('reads %j', (text, value) => {
  expect(parsePythonFloat(text)).toBe(value);
});

it.each([
  ...'xinf infx --5 0x10 0b1 0o7 e 1e 1d 1L 1j . + e5 1.2.3 1__0 _1 1_ 1_.5 1._5 1_e1 1e_1 in_f nan(1)'.split(
    ' ',
  ),
  ...'infinit ｎａｎ 1,000 $5 －5 1．5 −5 ١٢٣٫٤ ½ ² Ⅷ 五'.split(' '),
  ...[
    '',
    ' ',
    '1 2',
    '+ 5',
    '\u{11f51}',
    '\u{1fbef}',
    '\u{1fbfa}',
    '/',
    ':',
    '\u001c5',
    '5\u001f',
    '\ufeff5',
    '\u200b5',
    '\u20605',
    '\u180e5',
  ],
  ...['\u00ad5', '\u00005', '5\u007f', '\ud8355', '𝟏\u001c'],
])('refuses %j', (text) => {
  expect(parsePythonFloat(text)).toBeNull();
});
