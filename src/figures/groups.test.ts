import { expect, it } from 'vitest';
import { compareNaturally, groupBy, groupByVariant, tallyQuestions, toSuiteKey } from './groups.ts';
import { toResult, toTrials } from './result.fixture.ts';

it('keeps groups in order of first appearance and rows in their order, whatever the key', () => {
  const groups = groupBy(['b1', '__proto__', 'b2'], (row) => (row.startsWith('b') ? 'b' : row));
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['__proto__', ['__proto__']],
  ]);
});

it('keeps the rows of a variant together, also where variants alternate', () => {
  const [a, b] = [toResult('correct', { agent: 'a' }), toResult('correct', { prompt: 'b' })];
  const variants = groupByVariant([a, a, b, a, b]);
  expect([...variants]).toEqual([
    [toSuiteKey(a), [a, a, a]],
    [toSuiteKey(b), [b, b]],
  ]);
  expect(groupByVariant([]).size).toBe(0);
});

it.each([
  [
    ['level 10', 'level 2', 'level 1'],
    ['level 1', 'level 2', 'level 10'],
  ],
  [
    ['Law', 'history', '', 'Art'],
    ['', 'Art', 'history', 'Law'],
  ],
  [
    ['b 1', 'a 10', 'a 9', 'a', 'a 9b', 'a 009'],
    ['a', 'a 009', 'a 9', 'a 9b', 'a 10', 'b 1'],
  ],
  // The collator calls these two equal.
  [
    ['\u00e9', 'e\u0301'],
    ['e\u0301', '\u00e9'],
  ],
])('sorts %j as people do', (names, sorted) => {
  expect([...names].sort(compareNaturally)).toEqual(sorted);
});

it('tallies for each question the trials that count', () => {
  const results = [
    ...toTrials('a', 'u++-.'),
    ...toTrials('b', 'u.'),
    ...toTrials('__proto__', '!'),
  ];
  expect(tallyQuestions(results)).toEqual(
    new Map([
      ['a', { correct: 2, counted: 3 }],
      ['b', { correct: 0, counted: 0 }],
      ['__proto__', { correct: 0, counted: 1 }],
    ]),
  );
});
