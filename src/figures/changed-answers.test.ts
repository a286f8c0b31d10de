import { expect, test } from 'vitest';
import type { SampleResult } from '../words/row.ts';
import { formatAnswer, listChangedAnswers } from './changed-answers.ts';
import { compare } from './paired-comparison.ts';
import { toResult } from './result.fixture.ts';

const scored = toResult('incorrect');

test.each<[SampleResult, string]>([
  [scored, 'text'],
  [{ ...scored, answer: null, output: 'all of it' } as SampleResult, 'all of it'],
  [toResult('no_answer'), 'no answer (empty)'],
  [toResult('timed_out'), 'timed out'],
  [toResult('errored'), 'errored (network)'],
  [toResult('not_run'), 'not run (budget)'],
])('says what a result answered (%#)', (row, words) => {
  expect(formatAnswer(row)).toBe(words);
});

test('cuts a long answer in its middle', () => {
  const row = { ...scored, answer: `${'1'.repeat(80)}2` } as SampleResult;
  expect(formatAnswer(row)).toBe(`${'1'.repeat(29)}…${'1'.repeat(29)}2`);
});

test.each([
  ['truth', 'truth'],
  [0, '0'],
  // A suite without targets has empty ones.
  ['', null],
])('where %j was expected, a changed answer says so', (target, expected) => {
  const [a, b] = [toResult('correct', { target }), toResult('incorrect', { target })];
  const [answer] = listChangedAnswers(compare([a], [b]), [a], [b]);
  expect(answer).toMatchObject({ change: 'broken', expected });
});
