import { expect, test } from 'vitest';
import { toResult } from '../../src/figures/result.fixture.ts';
import { summarize } from '../../src/figures/summarize.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { renderConfusion } from './confusion.ts';
import { NOTHING } from './markup.ts';

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

/** The cells of the table by rows. */
function render(results: readonly SampleResult[], hidden = false): readonly string[] {
  const isHidden = () => hidden;
  const { text } = renderConfusion({ summary: summarize(results), results, isHidden });
  return [...text.matchAll(/<tr>(.*)<\/tr>/g)].map(([, row = '']) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .trim()
      .replace(/\s+/g, ' '),
  );
}

test('counts the answers to each label, with other and missing answers in their own columns', () => {
  expect(render(PAIRS.map(toRow))).toEqual([
    'expected &#60;i&#62; ham spam (other) (none) n right',
    '&#60;i&#62; 1 · · · 1 2 50.0 %',
    'ham · 1 · · · 1 100.0 %',
    'spam · 1 1 1 · 3 33.3 %',
  ]);
});

test.each<[string, readonly SampleResult[], boolean?]>([
  ['answers differ from question to question', PAIRS.slice(1, 5).map(toRow).slice(0, 3)],
  ['an answer is long', PAIRS.map(([, said], at) => toRow(['x'.repeat(31 + (at % 2)), said], at))],
  ['labels are letters of options', PAIRS.map(toRow).map((row) => ({ ...row, options: 4 }))],
  ['there is one label', PAIRS.slice(0, 3).map(toRow)],
  ['records are hidden', PAIRS.map(toRow), true],
])('no table is shown where %s', (_, results, hidden = false) => {
  const isHidden = () => hidden;
  expect(renderConfusion({ summary: summarize(results), results, isHidden })).toBe(NOTHING);
});
