import { describe, expect, it } from 'vitest';
import { gradeGaia } from './grade-gaia.ts';

const PROSE = 'First I looked at the map.\nThen I counted.\nI am not sure.';

it('extracts, then applies the official rule', () => {
  expect(gradeGaia('I counted.\nFINAL ANSWER: 1,927', '1927')).toEqual({
    correct: true,
    answer: '1,927',
    how: 'final answer marker',
    rule: 'official',
    explanation: 'compared as number: 1927 is 1927',
    state: 'correct',
    reason: null,
    rules: { official: true, exact: false, contains: false, bidirectional: true },
    confidence: null,
  });
});

it('counts an answer that does not match as incorrect', () => {
  expect(gradeGaia('<answer>1928</answer>', '1927')).toMatchObject({
    correct: false,
    answer: '1928',
    state: 'incorrect',
    reason: null,
    explanation: 'compared as number: 1928 is not 1927',
  });
});

it('counts "Unable to determine" as incorrect, not as no answer', () => {
  expect(gradeGaia('FINAL ANSWER: Unable to determine', 'Otter').state).toBe('incorrect');
});

describe('a missing or empty answer is no answer, whatever the truth', () => {
  it.each<[string | null, string]>([
    [null, 'missing'],
    ['', 'empty'],
    [' \n', 'empty'],
    ['FINAL ANSWER:', 'empty'],
    ['<answer></answer>', 'empty'],
    ['{"final_answer": null}', 'empty'],
    ['FINAL ANSWER: [YOUR FINAL ANSWER]', 'placeholder'],
    ['<think>FINAL ANSWER: Otter', 'truncated thinking'],
    ['Hm. <think>so', 'truncated thinking'],
    ['x'.repeat(1001), 'no final answer'],
  ])('%j: %s', (output, reason) => {
    for (const truth of ['?!', 'None', 'inf', '', 'Otter', '0']) {
      expect(gradeGaia(output, truth)).toMatchObject({
        state: 'no_answer',
        correct: false,
        answer: null,
        how: 'none',
        reason,
        rules: null,
        confidence: null,
      });
    }
  });

  it('says in a sentence why there is none', () => {
    const outputs = [null, '', 'FINAL ANSWER: [YOUR FINAL ANSWER]', '<think>', PROSE];
    expect(outputs.map((output) => gradeGaia(output, 'Otter').explanation)).toEqual([
      'the agent gave no output',
      'the answer is empty',
      'the answer is the unfilled template of the prompt',
      'the output ends inside a thinking block, before any final answer',
      'no final answer was found in the output',
    ]);
  });
});

describe('a whole text', () => {
  it.each([
    ['Otter', 'otter', 'correct'],
    ['Seal', 'otter', 'incorrect'],
    ['x'.repeat(200), 'otter', 'incorrect'],
    ['x'.repeat(201), 'otter', 'no_answer'],
    [PROSE, 'otter', 'no_answer'],
    ['red,\ngreen', 'red, green', 'correct'],
    ['x'.repeat(1000), 'X'.repeat(1000), 'correct'],
  ])('%j against %j is %s', (output, truth, state) => {
    expect(gradeGaia(output, truth).state).toBe(state);
  });

  it('of prose keeps the verdicts of the looser rules for the audit', () => {
    expect(gradeGaia(`${PROSE}\nMaybe an otter.`, 'otter')).toMatchObject({
      state: 'no_answer',
      reason: 'no final answer',
      answer: null,
      rules: { official: false, exact: false, contains: true, bidirectional: true },
    });
  });

  it.each([
    ['no idea', 'inf', 'incorrect', false],
    [PROSE, '1e999', 'no_answer', false],
    ['no idea, 2', 'inf, 2', 'incorrect', false],
    ['Infinity', 'inf', 'correct', true],
    ['1e999', 'inf', 'correct', true],
    ['FINAL ANSWER: no idea', 'inf', 'correct', true],
  ])(
    '%j against %j is %s: unreadable text is infinity only where it was announced',
    (output, truth, state, verdict) => {
      expect(gradeGaia(output, truth)).toMatchObject({ state, correct: verdict, rules: { official: verdict } });
    },
  );
});

describe('options', () => {
  it('judge by another rule', () => {
    const options = { rule: 'contains' };
    expect(gradeGaia('FINAL ANSWER: an otter', 'otter', options)).toMatchObject({ state: 'correct', rule: 'contains' });
    expect(gradeGaia('FINAL ANSWER: an otter', 'otter')).toMatchObject({ state: 'incorrect', rule: 'official' });
  });

  it('take the output as the bare answer', () => {
    const options = { extract: false };
    expect(gradeGaia('FINAL ANSWER: 5', '5', options)).toMatchObject({
      state: 'incorrect',
      how: 'as given',
      answer: 'FINAL ANSWER: 5',
    });
    expect(gradeGaia('no\nidea', 'inf', options)).toMatchObject({ state: 'correct', how: 'as given' });
    expect(gradeGaia(' ', '?!', options)).toMatchObject({ state: 'no_answer', reason: 'empty', how: 'none' });
    expect(gradeGaia(null, 'None', options)).toMatchObject({ state: 'no_answer', reason: 'missing' });
  });

  it('take what the record accepts beside the truth, for the rule any-of alone', () => {
    const judge = (...accept: string[]) => gradeGaia('NYC', 'New York', { rule: 'any-of', accept }).correct;
    const verdicts = [judge('nyc'), judge(), judge('LA', 'nyc'), judge('LA', 'SF'), judge('LA', 'SF', 'nyc')];
    expect(verdicts).toEqual([true, false, true, false, true]);
    expect(gradeGaia('NYC', 'New York').correct).toBe(false);
    expect(gradeGaia('Stryker was here', 'New York', { rule: 'any-of' }).correct).toBe(false);
  });

  it.each([null, '', 'FINAL ANSWER: 5'])('refuse an unknown rule for %j too', (output) => {
    expect(() => gradeGaia(output, '5', { rule: 'oficial' })).toThrow(RangeError);
  });
});

it('counts an announced answer of several lines or of 201 characters as an answer', () => {
  expect(gradeGaia('<answer>red\ngreen</answer>', 'blue').state).toBe('incorrect');
  expect(gradeGaia(`FINAL ANSWER: ${'x'.repeat(201)}`, 'blue').state).toBe('incorrect');
});
