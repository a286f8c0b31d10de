import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canEqual } from './can-equal.ts';
import { exact } from './exact.ts';
import { official } from './official.ts';

test('never rules out what a rule finds equal', () => {
  const part = fc.constantFrom(
    'a',
    'B',
    'é',
    'İ',
    'K',
    ' ',
    '.',
    ',',
    ';',
    '$',
    '7',
    '1e9',
    'inf',
    'word',
    '\n',
    'ſ',
    'ﬁ',
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const equal = fc.tuple(text, text).filter(([answer, truth]) => {
    return official.judge(answer, truth).correct || exact.judge(answer, truth).correct;
  });
  fc.assert(fc.property(equal, ([answer, truth]) => canEqual(answer, truth)));
});

test.each([
  ['I counted the boxes on the shelf.\nFINAL ANSWER: 17', '17', false],
  ['I counted the boxes on the shelf.\nFINAL ANSWER: 17', 'inf', true],
  ['I counted the boxes on the shelf.\nFINAL ANSWER: 17', 'x; 1e999', true],
  ['R a i n - c o a t !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!', 'raincoat', true],
  // 26 letters of the alphabet against as many as 9 + 2 * 8.
  ['abcdefghijklmnopqrstuvwxyz', 'x,yzzzzzz', false],
  ['abcdefghijklmnopqrstuvwxy[]^`{}', 'x,yzzzzzz', true],
  ['AZaz'.repeat(6), 'x,yzzzzzz', true],
  ['0000000000000000000000000000000000000000000000000017', '17', true],
])('%j against %j: %s', (answer, truth, expected) => {
  expect(canEqual(answer, truth)).toBe(expected);
});
