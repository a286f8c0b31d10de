import { expect, test } from 'vitest';
import { toResult } from '../../src/figures/result.fixture.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { countConfusion } from './confusion.ts';

/** A result by its expected answer and its answer; "" for none. */
function toRow([target, answer]: readonly [string, string], index: number): SampleResult {
  const state = answer === '' ? 'timed_out' : answer === target ? 'correct' : 'incorrect';
  return {
    ...toResult(state, { id: `q${index}`, target }),
    answer: answer || null,
  } as SampleResult;
}

const PAIRS = [
  ['spam', 'spam'],
  ['spam', 'HAM'],
  ['spam', 'news'],
  ['<i>', '<i>'],
  ['<i>', ''],
  ['ham', 'ham'],
] as const;

test('counts the answers to each label, with other and missing answers in their own columns', () => {
  expect(countConfusion(PAIRS.map(toRow), ['<i>', 'ham', 'spam'])).toEqual({
    labels: ['<i>', 'ham', 'spam'],
    columns: ['<i>', 'ham', 'spam', '(other)', '(none)'],
    counts: [
      [1, 0, 0, 0, 1],
      [0, 1, 0, 0, 0],
      [0, 1, 1, 1, 0],
    ],
  });
});

test('there is none where the labels do not fit beside each other', () => {
  const labels = Array.from({ length: 13 }, (_, index) => `label ${index}`);
  expect(countConfusion([], labels)).toBeNull();
});
