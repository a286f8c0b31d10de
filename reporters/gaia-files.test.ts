import { expect, test } from 'vitest';
import { toResult, toTrials } from '../src/metrics/result.fixture.ts';
import type { SampleResult } from '../src/types.ts';
import { checkSubmission, renderAnswers, toCsv } from './gaia-files.ts';

const rowsOf = (results: readonly SampleResult[]) => renderAnswers(results).trimEnd().split('\r\n');

test('one trial of each question needs no column for it', () => {
  expect(rowsOf(toTrials('a', '+', { target: '17' }))).toEqual([
    'task_id,level,expected_answer,actual_answer,match',
    'a,1,17,text,true',
  ]);
});

test('several trials are numbered in a last column', () => {
  expect(rowsOf(toTrials('a', '+-', { target: '17' }))).toEqual([
    'task_id,level,expected_answer,actual_answer,match,trial',
    'a,1,17,text,true,1',
    'a,1,17,text,false,2',
  ]);
});

test.each(['ungraded', 'errored', 'no_answer', 'not_run'] as const)(
  'no match is told where %s has no target',
  (state) => {
    expect(rowsOf([toResult(state, { id: 'a', target: null })])[1]).toMatch(/^a,1,\?,.*,$/);
  },
);

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
  ['\u001b[2Jgone\u202e', '\\u001b[2Jgone\\u202e'],
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

const ROW = { task_id: 'a', model_answer: '17', reasoning_trace: 'because' };

test.each<[string, readonly unknown[], readonly string[], readonly string[]]>([
  ['a whole one', [ROW, { ...ROW, task_id: 'b' }], ['a', 'b'], []],
  ['one without reasoning', [{ task_id: 'a', model_answer: '' }], ['a'], []],
  ['a task twice', [ROW, ROW], ['a'], ['task "a" is there more than once']],
  ['a task missing', [ROW], ['a', 'b'], ['task "b" is missing']],
  ['a task too many', [ROW], [], ['task "a" is not of the dataset']],
  ['a number as answer', [{ ...ROW, model_answer: 17 }], ['a'], ['line 1 has no model_answer', 'task "a" is missing']],
  ['a number as id', [{ ...ROW, task_id: 1 }], [], ['line 1 has no task_id']],
  ['a list as reasoning', [{ ...ROW, reasoning_trace: [] }], [], ['line 1 has a reasoning_trace that is no text']],
  ['a text as row', ['x'], [], ['line 1 is not a JSON object']],
])('%s is judged as the leaderboard would', (_, rows, expected, problems) => {
  expect(checkSubmission(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), expected)).toEqual(problems);
});

test('a torn line is named', () => {
  expect(checkSubmission('{"task_id": "a"\n', [])).toEqual(['line 1 is not JSON']);
});
