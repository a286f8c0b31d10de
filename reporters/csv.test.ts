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
  ['\tx', '"\'\tx"'],
  ['-1; 2', '"\'-1; 2"'],
  ['1; -2', '"1;\' -2"'],
  ['a;=1+1', '"a;\'=1+1"'],
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

/** As Excel and LibreOffice read a sheet: a quote counts at the beginning of a cell alone. */
function readSheet(csv: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let rest = csv;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"?/.exec(rest);
    const plain = rest.slice(quoted?.[0].length ?? 0).split(new RegExp(`[${separator}\r\n]`), 1)[0] ?? '';
    cells.push(`${quoted?.[1]?.replaceAll('""', '"') ?? ''}${plain}`);
    rest = rest.slice((quoted?.[0].length ?? 0) + plain.length + 1);
  }
  return cells;
}

test.each([',', ';', '\t', '|'])('a sheet that separates by %j finds no formula', (separator) => {
  const hostile = ['=1+1', '@SUM(A1)', '+A1', '-A1', '\u0020=A1', '"=A1"', '""=A1'];
  const texts = hostile.flatMap((one) => [
    one,
    ...[';', '\t', '|', '\n', '\r\n', ';"', '; '].map((gap) => `a${gap}${one};b`),
  ]);
  const csv = toCsv(texts.map((text) => ['q1', text, 'true']));
  expect(readSheet(csv, separator).filter((cell) => /^\s*[=+@-]/.test(cell))).toEqual([]);
});
