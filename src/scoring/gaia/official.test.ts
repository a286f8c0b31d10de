import { describe, expect, it } from 'vitest';
import { readCases } from '../../../test/read-cases.ts';
import { official } from './official.ts';

type Row = Readonly<{
  answer: string | null;
  truth: string;
  correct: boolean;
  case: string;
}>;

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
    expect(rows.length).toBeGreaterThan(600);
    expect(correct.length).toBeGreaterThan(200);
    expect(rows.length - correct.length).toBeGreaterThan(200);
  });
});

// What no row of the table shows.
it.each([
  ['a trailing separator is an element', 'Blue; 4312;', 'Blue; 4312', false],
  ['an empty element of the target is a text', 'a,,b', 'a,;b', true],
  ['a curly apostrophe is not punctuation', 'it’s', "it's", false],
  ['letters are not composed', 'cafe\u0301', 'café', false],
  ['a separator of other tables is none', 'a b', 'a|b', true],
])('%s', (_, answer, target, correct) => {
  expect(official.judge(answer, target).correct).toBe(correct);
});

it('reads digits of Unicode 14 and no later ones', () => {
  // U+11F50 came with Unicode 15; Python 3.11 does not know it.
  expect(
    ['𝟚𝟛', '٢٣', '\u{11f52}\u{11f53}'].map((answer) => official.judge(answer, '23').correct),
  ).toEqual([true, true, false]);
});

it.each<readonly [string | null, string, string]>([
  ['$1,927', '1927', 'compared as number: 1927 is 1927'],
  ['23 km', '23', 'compared as number: "23 km" cannot be read as a number'],
  [
    'x',
    'inf',
    'compared as number: "x" cannot be read as a number, which this rule counts as infinity',
  ],
  ['Red, Green', 'red; green; Blue', 'compared as list: 2 elements, expected 3'],
  ['a, b', 'a; c', 'compared as list: element 2: "b" is not "c"'],
  ['a, b', 'a; B', 'compared as list: all 2 elements match'],
  ['Bar!', 'bar', 'compared as text: "bar" is "bar"'],
  [null, 'bar', 'compared as text: "none" is not "bar"'],
])('explains %j against %j', (answer, target, explanation) => {
  expect(official.judge(answer, target).explain()).toBe(explanation);
});
