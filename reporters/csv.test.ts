import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['=cmd|"/c calc"!A1', '"\'=cmd|""/c calc""!A1"'],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1+1', "'  =1+1"],
  ['+CMD', "'+CMD"],
  ['-CMD', "'-CMD"],
  ['-12.5', '-12.5'],
  ['+3', '+3'],
  ['-1-1', "'-1-1"],
  ['\tx', "'\tx"],
  ['\u001b[2Jgone\u202e', '\\u{1b}[2Jgone\\u{202e}'],
])('writes %j as %j', (text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\r\n`);
});

test('separates cells and rows', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['c', ''],
    ]),
  ).toBe('a,b\r\nc,\r\n');
});
