import { describe, expect, it, test } from 'vitest';
import type { SampleResult } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { findLabels, findRareLabels, readLabels } from './labels.ts';
import { toResult } from './result.fixture.ts';

type Fields = Parameters<typeof toResult>[1];

/** A question for each expected answer. */
const ask = (targets: readonly Json[], fields: Fields = {}): readonly SampleResult[] =>
  targets.map((target, index) =>
    toResult(index % 3 === 0 ? 'correct' : 'incorrect', { id: `q${index}`, target, ...fields }),
  );

const twice = (...targets: readonly Json[]) => [...targets, ...targets];
const hidden = toResult('ungraded', { target: null });
const many = (count: number, times: number) =>
  Array.from({ length: count * times }, (_, index) => `intent ${index % count}`);

describe('expected answers are labels where they are few short texts that repeat', () => {
  test.each<[string, readonly SampleResult[], readonly string[]]>([
    ['two of them', ask(twice('spam', 'ham')), ['ham', 'spam']],
    ['truth values', ask(twice(true, false)), ['false', 'true']],
    ['letters that are no options', ask(twice('P', 'N')), ['N', 'P']],
    ['stars', ask(twice('1 star', '5 stars')), ['1 star', '5 stars']],
    ['signs', ask(twice('+', '-')), ['+', '-']],
    ['other scripts', ask(twice('垃圾', '正常')), ['垃圾', '正常']],
    ['case and spaces make no other', ask(['Spam ', 'spam', 'ham', 'HAM']), ['HAM', 'Spam']],
    ['hidden ones are left out', [...ask(twice('spam', 'ham')), hidden], ['ham', 'spam']],
    ['many, with ten questions each', ask(many(14, 10)), many(14, 1).sort()],
  ])('%s', (_, rows, labels) => expect(findLabels(rows)).toEqual(labels));

  const dozen = Array.from({ length: 12 }, (_, index) => `city ${index}`);
  test.each<[string, readonly SampleResult[]]>([
    ['one label', ask(['spam', 'spam', 'spam'])],
    ['one that only one question has', ask([...twice('spam', 'ham'), 'news'])],
    ['texts that are found', ask([...dozen, 'Paris'])],
    ['many with few questions each', ask(many(13, 3))],
    ['options, whose letters mean another thing in each', ask(twice('A', 'B'), { options: 4 })],
    ['letters of options without options', ask(twice('A', '(B)', 'c', 'A, C'))],
    ['numbers', ask(twice('1', '2'))],
    ['numbers among words', ask(twice('3', 'none'))],
    ['numbers of JSON', ask(twice(1, 2))],
    ['amounts', ask(twice('$1,000.50', '20 %'))],
    ['dates', ask(twice('2024-01-02', '2024-01-03'))],
    ['lists', ask(twice(['spam', 'ad'], ['ham']))],
    ['objects', ask(twice({ label: 'spam' }, { label: 'ham' }))],
    ['long texts', ask(twice('x'.repeat(31), 'y'.repeat(31)))],
    ['empty texts', ask(twice('', 'spam'))],
    [
      'trials of one question each',
      ask(twice('Paris', 'Rome')).map((row, at) => ({
        ...row,
        id: `q${at % 2}`,
        trial: at < 2 ? 1 : 2,
      })),
    ],
    ['no result', []],
  ])('not: %s', (_, rows) => expect(findLabels(rows)).toBeNull());
});

test.each<[string, readonly Json[], readonly string[]]>([
  ['one label of one question', [...twice('spam', 'ham'), 'maybe'], ['maybe']],
  ['a tenth of the questions', [...many(2, 9), 'x', 'y'], ['x', 'y']],
  ['more are texts that are found', [...many(2, 8), 'x', 'y'], []],
  ['one label besides is none', ['spam', 'spam', 'ham'], []],
  ['labels', twice('spam', 'ham'), []],
  ['many', [...many(14, 10), 'x'], []],
  ['numbers', [...twice('spam', 'ham'), '3'], []],
])('what alone keeps answers from being labels: %s', (_, targets, rare) => {
  expect(findRareLabels(ask(targets)).rare).toEqual(rare);
});

test.each<[string, SampleResult['state'], Json, string | null]>([
  ['a right answer has the label of its question', 'correct', 'It is spam.', 'spam'],
  ['a wrong one has its own', 'incorrect', ' HAM ', 'ham'],
  ['what is no label has none', 'incorrect', 'news', null],
  ['so has a sentence', 'incorrect', 'It is ham.', null],
  ['a wrong answer never has the label of its question', 'incorrect', 'spam', null],
  ['an object has that of its only label', 'incorrect', { label: 'ham', why: 'kind' }, 'ham'],
  [
    'an object with two has none',
    'incorrect',
    { first: 'ham', second: 'news', third: 'spam' },
    null,
  ],
  ['a list has none', 'incorrect', ['ham'], null],
  ['no answer has none', 'no_answer', null, null],
  ['an error has none', 'errored', null, null],
  ['a timeout has none', 'timed_out', null, null],
])('%s', (_, state, answer, predicted) => {
  const row = { ...toResult(state, { target: 'Spam' }), answer } as SampleResult;
  const [read] = readLabels([row], ['ham', 'spam']);
  expect(read).toMatchObject({ expected: 'spam', predicted });
});

it('leaves out what is ungraded or was not run', () => {
  const rows = [toResult('ungraded', { target: null }), toResult('not_run', { target: 'spam' })];
  expect(readLabels(rows, ['ham', 'spam'])).toEqual([]);
});
