import { describe, expect, test } from 'vitest';
import { fitCosts, fitDifferences, fitRates, placeOn } from './axis.js';
import { diffLines, diffValues, diffWords } from './diff.js';
import { fewUnits, measureCommon, points, shortId, timeInterval, units } from './format.js';
import { nameFile, readLabelFile, toLetters, writeLabelFile } from './label-file.js';

describe('axes', () => {
  test.each([
    [[[0.68, 0.88]], 0.65, 0.9],
    [[[0, 0]], 0, 0.01],
    [[[1, 1]], 0.99, 1],
    [[[0.02, 0.97]], 0, 1],
    [[], 0, 1],
    [[null, undefined], 0, 1],
  ] as const)('rates %j stand on one from %d to %d', (intervals, low, high) => {
    const axis = fitRates(intervals);
    expect([axis.low, axis.high]).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
    expect(axis.ticks.length).toBeGreaterThan(1);
    expect(axis.ticks.length).toBeLessThan(8);
    for (const tick of axis.ticks) expect(placeOn(axis, tick)).toBeGreaterThanOrEqual(0);
  });

  test.each([
    // Nearly the same cost is not the whole width of a plot.
    [
      [0.0017, 0.0018],
      [0.001, 0.002],
    ],
    [
      [0.5, 3],
      [0.5, 1, 2, 5],
    ],
    [
      [0.00002, 0.4],
      [0.00001, 0.0001, 0.001, 0.01, 0.1, 1],
    ],
    [
      [1, 10],
      [1, 2, 5, 10],
    ],
  ])('costs %j stand between %j', (costs, marks) => {
    expect(fitCosts(costs)).toEqual(marks);
  });

  test('differences stand around 0', () => {
    for (const interval of [
      [-0.01, 0.03],
      [0.2, 0.9],
      [0, 0],
    ] as const) {
      const { low, high, ticks } = fitDifferences([interval]);
      expect(low).toBe(-high);
      expect(high).toBeGreaterThanOrEqual(interval[1]);
      expect(ticks).toContain(0);
    }
  });
});

describe('differences', () => {
  test('of texts are words that only one has', () => {
    expect(diffWords('the quick fox', 'the slow fox')).toEqual([
      ['the ', 'same'],
      ['quick', 'gone'],
      ['slow', 'new'],
      [' fox', 'same'],
    ]);
    expect(diffWords('', 'a')).toEqual([['a', 'new']]);
    expect(diffWords('a', 'a')).toEqual([['a', 'same']]);
    expect(diffLines('a\nb\nc', 'a\nc\nd')).toEqual([
      ['a', 'same'],
      ['b', 'gone'],
      ['c', 'same'],
      ['d', 'new'],
    ]);
  });

  test('of long texts without a common word take no time', () => {
    const [a, b] = ['x ', 'y '].map((word) => word.repeat(20_000).trim());
    expect(diffWords(a ?? '', b ?? '').map(([, kind]) => kind)).toEqual(['gone', 'new']);
  });

  test('of values are their parts', () => {
    expect(diffValues('{"a":1,"b":{"c":[1,2]}}', '{"b":{"c":[1,3]},"d":null}')).toEqual([
      { path: 'a', before: '1', after: undefined },
      { path: 'b.c[1]', before: '2', after: '3' },
      { path: 'd', before: undefined, after: 'null' },
    ]);
    for (const [a, b] of [
      ['{"a":', '{}'],
      ['1', '{}'],
      ['text', '[1]'],
    ] as const)
      expect(diffValues(a, b)).toBeNull();
  });
});

test.each([
  [{ questions: 40, graded_questions: 40 }, undefined, '40 questions'],
  [
    { questions: 40, graded_questions: 36, clusters: 16 },
    'repo',
    '36 of 40 questions in 16 clusters (repo)',
  ],
])('an interval over %j, clusters of %j, says %j', (group, by, told) => {
  expect(units(group, by)).toBe(told);
});

test.each([
  [{ n: 40, questions: 40 }, ''],
  [{ n: 120, questions: 40 }, '40 questions'],
  [{ n: 120, questions: 40, clusters: 9 }, '9 clusters'],
  [{ n: 3, questions: 1 }, '1 question: tells nothing of others'],
  [{ n: 12, questions: 12, clusters: 1 }, '1 cluster: tells nothing of others'],
])('an interval of a row of %j says %j', (counted, told) => {
  expect(fewUnits(counted)).toBe(told);
});

test.each([
  [0.045, '+4.5 pp'],
  [-0.0002, '−0.02 pp'],
  [0, '0.0 pp'],
  [null, '–'],
])('a difference of %s is %s', (difference, shown) => {
  expect(points(difference)).toBe(shown);
});

test.each([
  [['ticket-1-a', 'ticket-2-a'], 7],
  [['ticket-12', 'ticket-13'], 7],
  [['a/b', 'c/b'], 0],
  [['alone-1'], 0],
  [[], 0],
])('%j have %d letters in common', (texts, common) => {
  expect(measureCommon(texts)).toBe(common);
});

test.each([
  [[11_100, 44_100], '11.1 – 44.1 s'],
  [[900, 1100], '900 ms – 1.1 s'],
  [[96_300, null], '> 96.3 s'],
  [[null, 20], '< 20 ms'],
  [null, ''],
] as const)('the interval %j of a time is %s', (interval, shown) => {
  expect(timeInterval(interval)).toBe(shown);
});

test.each([
  ['65dada67-0429-4f58-89ad-4659e8b45a53', '65dada67'],
  ['q1', 'q1'],
  ['a-very-long-name', 'a-very…-name'],
  ['ticket-2026-1000-billing', '…1000-billing', 12],
])('the id %s stands as %s', (id, shown, common = 0) => {
  expect(shortId(id, common)).toBe(shown);
});

describe('a file of labels', () => {
  const CSV =
    'id,question,label,row\r\nq1,"a ""b"",\nc",pass,r1\r\nq2,x,,r2\r\nq3,"",Fail,r3\r\nq4,,,r4\r\n';

  test('is read and written without a change of other cells', () => {
    const file = readLabelFile(CSV);
    expect(file?.rows.map(({ cells }) => cells['question'])).toEqual(['a "b",\nc', 'x', '', '']);
    if (file === null) return;
    expect(toLetters(file)).toBe('psf');
    expect(writeLabelFile(file, 'psf')).toBe(CSV.replace('Fail', 'fail'));
    expect(writeLabelFile(file, 'fpsp')).toBe(
      CSV.replace('pass', 'fail')
        .replace('x,,', 'x,pass,')
        .replace('Fail', '')
        .replace(',,r4', ',pass,r4'),
    );
  });

  test.each([
    ['\uFEFFid,label\nq1,pass\n', 1],
    ['label\npass\nfail', 2],
    ['id\nq1\n', null],
    ['', null],
    ['label,"unclosed\npass', 0],
  ])('%j has so many rows', (csv, rows) => {
    expect(readLabelFile(csv)?.rows.length ?? null).toBe(rows);
  });

  test('is known again by its rows, not by its labels', () => {
    const [a, b, c] = [CSV, CSV.replace('pass', ''), CSV.replace('r4', 'r5')].map((csv) =>
      readLabelFile(csv),
    );
    if (a && b && c)
      expect([nameFile(a) === nameFile(b), nameFile(a) === nameFile(c)]).toEqual([true, false]);
  });
});
