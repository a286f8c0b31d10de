import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['-CMD', "'-CMD"],
  ['-12.5', '-12.5'],
  ['\tx', '"\'\tx"'],
  ['-1; 2', '"\'-1; 2"'],
  ['1; -2', '"1;\' -2"'],
  ['\u001b[2Jgone\u202e', '\\u001b[2Jgone\\u202e'],
])('writes %j as %j', (text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\r\n`);
});

/** As Excel and LibreOffice read a sheet: a quote counts at the beginning of a cell alone. */
function readSheet(csv: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let rest = csv;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"?/.exec(rest);
    const plain =
      rest.slice(quoted?.[0].length ?? 0).split(new RegExp(`[${separator}\r\n]`), 1)[0] ?? '';
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
