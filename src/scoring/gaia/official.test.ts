import { describe, expect, it } from 'vitest';
import { readCases } from '../../../test/read-cases.ts';
import { official } from './official.ts';

type Row = {
  readonly answer: string | null;
  readonly truth: string;
  readonly correct: boolean;
  readonly case: string;
};

const rows = readCases<Row>('official.cases.jsonl', import.meta.url);

describe('agrees with verdicts of the original Python program', () => {
  it.each([...Map.groupBy(rows, (row) => row.case)])('on every row of %s', (_, group) => {
    const wrong = group.filter(
      ({ answer, truth, correct }) => official.judge(answer, truth).correct !== correct,
    );
    expect(wrong).toEqual([]);
  });

  it('on rows of both verdicts', () => {
    const correct = rows.filter((row) => row.correct);
    expect([rows.length > 600, correct.length > 200, rows.length - correct.length > 200]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

// [rule, answer, target, verdict]; invisible characters are written as escapes.
const QUIRKS: readonly (readonly [string, string | null, string, boolean])[] = [
  ['a target of punctuation alone equals an empty answer', '', '?!', true],
  ['a point behind a number is read', '23.', '23', true],
  ['a plus sign is read', '+23', '23', true],
  ['a per cent sign is deleted', '23%', '23', true],
  ['commas are deleted anywhere', '2,3', '23', true],
  ['an underscore between digits is read', '2_3', '23', true],
  ['full-width digits are read', '２３', '23', true],
  ['a dollar sign before the minus is deleted', '$-6', '-6', true],
  ['a dollar sign behind the minus is deleted', '-$6', '-6', true],
  ['a comma before a digit vanishes', '6,0', '60', true],
  ['a comma behind the point vanishes', '0.1,234', '0.1234', true],
  ['a signed target is a number', '3.80', '+3.8', true],
  ['a padded target is a number', '7', '007', true],
  ['minus zero equals zero', '-0', '0', true],
  ['a unit makes a number unreadable', '23 km', '23', false],
  ['a number word is unreadable', 'twenty-three', '23', false],
  ['a marker is unreadable', 'FINAL ANSWER: 23', '23', false],
  ['there is no tolerance', '23.0001', '23', false],
  ['any unreadable text equals inf', 'no idea', 'inf', true],
  ['any unreadable text equals Infinity', 'no idea', 'Infinity', true],
  ['any unreadable text equals an overflow', 'no idea', '1e999', true],
  ['an unreadable text does not equal -inf', 'no idea', '-inf', false],
  ['nan equals nothing', 'nan', 'nan', false],
  ['an empty answer is not 0', '', '0', false],
  ['a dollar sign alone is not 0', '$', '0', false],
  ['U+001C is not a blank for numbers', '\u001c23', '23', false],
  ['U+FEFF is not a blank for numbers', '\ufeff23', '23', false],
  ['U+001C is a blank for texts', 'red\u001cfox', 'redfox', true],
  ['U+FEFF counts in texts', 'red\ufefffox', 'redfox', false],
  ['separators are equal', 'Blue, 4312', 'Blue; 4312', true],
  ['a thousands comma is a separator in lists', 'Blue; 4,312', 'Blue; 4312', false],
  ['order counts', '4312; Blue', 'Blue; 4312', false],
  ['a trailing separator is an element', 'Blue; 4312;', 'Blue; 4312', false],
  ['an empty element of the target is a text', 'a,,b', 'a,;b', true],
  ['punctuation counts in list elements', 'Dr Wu; Bo', 'Dr. Wu; Bo', false],
  ['numbers in lists lose their signs', '$1; 2%', '1, 2', true],
  ['an unreadable element equals inf', 'x; 2', 'inf, 2', true],
  ['a target with a comma is a list', '1000', '1,000', false],
  ['a target with a sign is a text', '5', '$5', true],
  ['commas are punctuation when the target has none', 'rain, coat', 'raincoat', true],
  ['articles stay', 'the raincoat', 'raincoat', false],
  ['a curly apostrophe is not punctuation', 'it’s', "it's", false],
  ['an ASCII apostrophe is punctuation', 'its', "it's", true],
  ['letters are not composed', 'cafe\u0301', 'café', false],
  ['case is ignored', 'OTTER', 'oTTer', true],
  ['a sigma is final once blanks are gone', 'ΟΔΟΣ Α', 'οδοσα', true],
  ['a sigma before punctuation is final', 'ΟΔΟΣ.', 'οδος', true],
  ['the dotted capital I keeps its dot', 'İ', 'i', false],
  ['a missing answer is the text None', null, 'None', true],
  ['a missing answer loses its punctuation like a text', null, 'N.o.n.e', true],
  ['a missing answer is not any other text', null, 'nothing', false],
];

it.each(QUIRKS)('%s', (_, answer, target, correct) => {
  expect(official.judge(answer, target).correct).toBe(correct);
});

it('reads digits of Unicode 14 and no later ones', () => {
  // U+11F50 came with Unicode 15; Python 3.11 does not know it.
  expect(
    ['𝟚𝟛', '٢٣', '\u{11f52}\u{11f53}'].map((answer) => official.judge(answer, '23').correct),
  ).toEqual([true, true, false]);
});

it.each<readonly [string | null, string, string]>([
  ['1928', '1927', 'compared as number: 1928 is not 1927'],
  ['$1,927', '1927', 'compared as number: 1927 is 1927'],
  ['23 km', '23', 'compared as number: "23 km" cannot be read as a number'],
  [
    'x',
    'inf',
    'compared as number: "x" cannot be read as a number, which this rule counts as infinity',
  ],
  ['Red, Green', 'red; green; Blue', 'compared as list: 2 elements, expected 3'],
  ['a', 'a, b', 'compared as list: 1 element, expected 2'],
  ['a, b', 'a; c', 'compared as list: element 2: "b" is not "c"'],
  ['a, b', 'a; B', 'compared as list: all 2 elements match'],
  ['Foo; B!', 'bar', 'compared as text: "foob" is not "bar"'],
  ['Bar!', 'bar', 'compared as text: "bar" is "bar"'],
  [null, 'bar', 'compared as text: "none" is not "bar"'],
])('explains %j against %j', (answer, target, explanation) => {
  expect(official.judge(answer, target).explain()).toBe(explanation);
});
