import { describe, expect, it } from 'vitest';
import { type GradeGaiaOptions, gradeGaia } from './grade-gaia.ts';

const EMPTY = 'the answer is empty';
const PROSE = 'First I looked at the map.\nThen I counted.\nI am not sure.';

it('extracts, then applies the official rule', () => {
  expect(gradeGaia('I counted.\nFINAL ANSWER: 1,927', '1927')).toEqual({
    correct: true,
    answer: '1,927',
    certain: true,
    how: 'final answer marker',
    rule: 'official',
    explanation: 'compared as number: 1927 is 1927',
    state: 'correct',
    reason: null,
    rules: { official: true, exact: false, contains: false, bidirectional: true },
    confidence: null,
  });
});

// Output, target, state, what the official rule says (false unless given), and options.
it.each<[string, string, string, boolean?, GradeGaiaOptions?]>([
  ['FINAL ANSWER: Unable to determine', 'Otter', 'incorrect'],
  // An answer and a target in another Unicode form are the same; a bare answer is taken as it is.
  ['FINAL ANSWER: Cafe\u0301', 'Caf\u00e9', 'correct', true],
  ['FINAL ANSWER: Caf\u00e9', 'Cafe\u0301\u200b', 'correct', true],
  ['Cafe\u0301', 'Caf\u00e9', 'incorrect', false, { extract: false }],
  // A whole text is an answer if it is one short line, or right.
  ['Otter', 'otter', 'correct', true],
  ['x'.repeat(201), 'otter', 'no_answer'],
  [PROSE, 'otter', 'no_answer'],
  ['red,\ngreen', 'red, green', 'correct', true],
  ['x'.repeat(1000), 'X'.repeat(1000), 'correct', true],
  // Unreadable text counts as infinity only if it was announced as the answer.
  ['no idea', 'inf', 'incorrect'],
  [PROSE, '1e999', 'no_answer'],
  ['no idea, 2', 'inf, 2', 'incorrect'],
  ['Infinity', 'inf', 'correct', true],
  ['1e999', 'inf', 'correct', true],
  ['FINAL ANSWER: no idea', 'inf', 'correct', true],
  ['FINAL ANSWER: an otter', 'otter', 'incorrect'],
  ['FINAL ANSWER: an otter', 'otter', 'correct', false, { rule: 'contains' }],
  ['FINAL ANSWER: 5', '5', 'incorrect', false, { extract: false }],
  ['no\nidea', 'inf', 'correct', true, { extract: false }],
  ['NYC', 'New York', 'incorrect', false, { accept: ['nyc'] }],
  ['NYC', 'New York', 'incorrect', false, { rule: 'any-of', accept: ['LA', 'SF'] }],
  ['NYC', 'New York', 'correct', false, { rule: 'any-of', accept: ['LA', 'nyc'] }],
])('%j against %j: %s', (output, target, state, official = false, options = {}) => {
  const grade = gradeGaia(output, target, options);
  expect(grade).toMatchObject({
    state,
    correct: state === 'correct',
    rule: options.rule ?? 'official',
  });
  expect(grade.rules?.['official']).toBe(official);
});

describe('a missing or empty answer is no answer, whatever the expected answer', () => {
  it.each<[string | null, string, string]>([
    [null, 'missing', 'the agent gave no output'],
    ['', 'empty', EMPTY],
    ['FINAL ANSWER:', 'empty', EMPTY],
    ['{"final_answer": null}', 'empty', EMPTY],
    [
      'FINAL ANSWER: [YOUR FINAL ANSWER]',
      'placeholder',
      'the answer is the unfilled template of the prompt',
    ],
    [
      '<think>Otter',
      'truncated thinking',
      'the output ends inside a thinking block, before any final answer',
    ],
    ['x'.repeat(1001), 'no final answer', 'no final answer was found in the output'],
  ])('%j: %s', (output, reason, explanation) => {
    const none = {
      state: 'no_answer',
      correct: false,
      answer: null,
      how: 'none',
      rules: null,
      confidence: null,
    };
    for (const target of ['?!', 'None', 'inf', '', 'Otter', '0']) {
      expect(gradeGaia(output, target)).toMatchObject({ ...none, reason, explanation });
    }
  });

  it.each([null, ' '])('also where %j is the bare answer', (output) => {
    expect(gradeGaia(output, 'None', { extract: false }).state).toBe('no_answer');
  });
});

it('keeps the verdicts of the looser rules on prose', () => {
  expect(gradeGaia(`${PROSE}\nMaybe an otter.`, 'otter')).toMatchObject({
    state: 'no_answer',
    reason: 'no final answer',
    answer: null,
    rules: { official: false, exact: false, contains: true, bidirectional: true },
  });
});
