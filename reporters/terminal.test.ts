import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { createColors } from 'tinyrainbow';
import { expect, test } from 'vitest';
import { type Table, toTable } from './tables.ts';
import { cutWords, drawLine, drawTable, shorten, type Terminal, widthOf } from './terminal.ts';

const terminal = (width: number): Terminal => ({ width, colors: createColors({ force: true }) });

const linesOf = (table: Table, width: number) =>
  stripVTControlCharacters(drawTable(table, terminal(width))).split('\n');

const TABLE = toTable(
  ['group', 'n', '95 % interval', 'no answer'],
  [
    ['Everyday statistics', '16', '50.5 - 89.8 %', '2'],
    ['all', '48', '56.8 - 81.8 %', '4'],
  ],
);

test.each([
  [
    80,
    '  group                 n  95 % interval  no answer',
    '  Everyday statistics  16  50.5 - 89.8 %          2',
  ],
  [
    50,
    '                                    95 %      no',
    '  group                 n       interval  answer',
    '  Everyday statistics  16  50.5 - 89.8 %       2',
  ],
  [
    44,
    '                                95 %      no',
    '  group             n       interval  answer',
    '  Everyda…tistics  16  50.5 - 89.8 %       2',
  ],
])('a table of %i columns', (width, ...lines) => {
  expect(linesOf(TABLE, width).slice(0, lines.length)).toEqual(lines);
});

test.each([Infinity, 120, 60])('long names of one beginning stay apart in %s columns', (width) => {
  const run = 'replay:.evals/runs/20261129T170113Z-made-up#';
  const rows = ['b', 'c'].map((agent) => [`${run}${agent} against ${run}a`, '1']);
  const [, b, c] = linesOf(toTable(['preferred', 'wins'], rows), width);
  expect(b).not.toBe(c);
});

const cell = fc.string({ unit: 'grapheme', maxLength: 30 });
test('no line of a table of short figures is wider than the terminal', () => {
  const figures = fc
    .tuple(
      fc.array(cell, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 40, max: 200 }),
    )
    .map(([names, columns, width]) => ({
      table: toTable(
        ['name', ...Array.from({ length: columns }, (_, index) => `figure ${index}`)],
        names.map((name) => [name, ...Array.from({ length: columns }, () => '12.3 - 45.6 %')]),
      ),
      width,
    }));
  fc.assert(
    fc.property(figures, ({ table, width }) => {
      const lines = linesOf(table, width);
      expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a long line breaks between words, and what goes on is indented', () => {
  expect(drawLine('gate holds: gaia (sample): accuracy 66.7 %', 'note', terminal(30))).toBe(
    '  gate holds: gaia (sample):\n    accuracy 66.7 %\n',
  );
  const link = 'file:///a/very/long/path/that/does/not/fit/report.html';
  expect(drawLine(`Report: ${link}`, 'note', terminal(30))).toBe(`  Report:\n    ${link}\n`);
  expect(drawLine('a\u001b[2Jb', 'bad', terminal(80))).toBe('  \u001b[31ma\\u001b[2Jb\u001b[39m\n');
});

test.each([
  ['0123456789', 5, '01…89', '0123…'],
  ['漢字漢字', 5, '漢…字', '漢字…'],
  ['e\u0301e\u0301e\u0301e\u0301', 3, 'e\u0301…e\u0301', 'e\u0301e\u0301…'],
  ['short', 5, 'short', 'short'],
  ['one two three', 10, 'one t…hree', 'one two…'],
])('%s in %i columns', (text, width, middle, start) => {
  expect([shorten(text, width), cutWords(text, width)]).toEqual([middle, start]);
});
