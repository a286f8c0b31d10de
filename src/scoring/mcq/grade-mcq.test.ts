import { describe, expect, it } from 'vitest';
import { gradeMcq } from './grade-mcq.ts';

const metals = { A: 'iron', B: 'gold', C: 'tin', D: 'zinc' };
const closed = {
  A: 'It floats',
  B: 'It sinks',
  C: 'It burns',
  D: 'All of the above',
  E: 'None of the above',
};

describe('gradeMcq', () => {
  it.each([
    ['The answer is B.', 'B', {}, true],
    ['The answer is C.', 'B', {}, false],
    ['D and A', 'A,D', {}, true],
    ['A, D, A', 'A;D', {}, true],
    ['a, d', ['D', 'A'], {}, true],
    ['A', 'A,D', {}, false],
    ['A, B, D', 'A,D', {}, false],
    ['Answer: A/D', 'A,D', {}, true],
    ['Answer: A/D', 'D', {}, false],
    ['The answer is A or D.', 'A,D', {}, false],
    ['gold', 'b', {}, true],
    ['B', 'gold', {}, true],
    ['All of the above', 'ALL', { multiple: true }, true],
    ['A, B, C, D', 'ALL', { multiple: true }, true],
    ['None of the above', 'NONE', {}, true],
    ['None of the above', 'B', {}, false],
    ['B', 'NONE', {}, false],
  ])('%j against %j %j: %s', (output, target, question, correct) => {
    expect(gradeMcq(output, target, { choices: metals, ...question }).correct).toBe(correct);
  });

  it.each([
    ['D', 'ALL', true],
    ['A, B and C', 'D', true],
    ['A, B, C, D', 'ALL', true],
    ['All of the above', 'A,B,C', true],
    ['A and B', 'D', false],
    ['None of these', 'NONE', true],
    ['E', 'None of the above', true],
    ['None of the options is correct.', 'A', false],
  ])('with an all-option and a none-option, %j against %j: %s', (output, target, correct) => {
    expect(gradeMcq(output, target, { choices: closed }).correct).toBe(correct);
  });

  it('takes A and B for "Both A and B" where one option is right, and only there', () => {
    const choices = { A: 'salt', B: 'sugar', C: 'Both A and B' };
    expect(gradeMcq('A, B', 'C', { choices, multiple: false }).correct).toBe(true);
    expect(gradeMcq('A, B', 'C', { choices, multiple: true }).correct).toBe(false);
    expect(gradeMcq('A', 'C', { choices, multiple: false }).correct).toBe(false);
  });

  it.each([
    [null, 'missing'],
    ['', 'empty'],
    ['  \n', 'empty'],
    ['<think>It may be B', 'truncated thinking'],
    ['A or B', 'conflict'],
    ['B. iron', 'conflict'],
    ['I am sorry, I cannot help with that.', 'refusal'],
    ['Metals are shiny.', 'no choice found'],
  ])('%j is no answer (%s) and matches no target, NONE included', (output, reason) => {
    for (const target of ['NONE', 'B']) {
      expect(gradeMcq(output, target, { choices: metals })).toMatchObject({
        correct: false,
        state: 'no_answer',
        reason,
        answer: null,
      });
    }
  });

  it('counts "none of the above" as an answer, wrong unless none is right', () => {
    expect(gradeMcq('None of the options is correct.', 'B', { choices: metals })).toMatchObject({
      state: 'incorrect',
      answer: 'NONE',
      reason: null,
    });
    expect(gradeMcq('None of the options is correct.', 'NONE', { choices: metals })).toMatchObject({
      state: 'correct',
      answer: 'NONE',
    });
  });

  it('gives the canonical letters, the rule and the confidence', () => {
    expect(
      gradeMcq('{"answer": ["D", "A"], "confidence": "high"}', 'A,D', { choices: metals }),
    ).toMatchObject({
      state: 'correct',
      answer: 'A,D',
      how: 'JSON answer',
      rule: 'set match',
      rules: null,
      confidence: 'high',
    });
  });

  it.each([
    ['A, D', 'A,D', 1, 1],
    ['A', 'A,D', 0.5, 2 / 3],
    ['A, B', 'A,D', 1 / 3, 0.5],
    ['B', 'A', 0, 0],
    ['', 'A', 0, 0],
    ['None of the above', 'NONE', 1, 1],
    ['B', 'NONE', 0, 0],
  ])('gives partial credit beside the verdict: %j against %j', (output, target, jaccard, f1) => {
    const { partial } = gradeMcq(output, target, { choices: metals });
    expect(partial?.['jaccard']).toBeCloseTo(jaccard);
    expect(partial?.['option_f1']).toBeCloseTo(f1);
  });

  it('spells the all-option out for partial credit', () => {
    expect(gradeMcq('A and B', 'D', { choices: closed }).partial?.['jaccard']).toBeCloseTo(2 / 3);
  });

  it('explains with the texts of the options what is missing and what is wrong', () => {
    expect(gradeMcq('A, B', 'A,D', { choices: metals }).explanation).toBe(
      'expected A (iron), D (zinc), got A (iron), B (gold): missing D; wrong B',
    );
    expect(gradeMcq('A or B', 'A', { choices: metals }).explanation).toBe(
      'expected A (iron), got no answer (conflict)',
    );
    expect(gradeMcq('A', 'A', { choices: metals }).explanation).toBe(
      'the output chooses A (iron), as expected',
    );
  });

  it('cuts long texts and escapes control characters in what it explains', () => {
    const choices = { A: `\u001b[2J${'x'.repeat(500)}`, B: 'two' };
    const { explanation } = gradeMcq('B', 'A', { choices });
    expect(explanation).toContain('\\u001b[2Jxxx');
    expect(explanation).toContain('…');
    expect(explanation.length).toBeLessThan(200);
    expect(explanation).not.toContain('\u001b');
  });

  it('takes a bare answer as it is when told not to extract', () => {
    const verbatim = (answer: string, target: string) =>
      gradeMcq(answer, target, { choices: metals }, { extract: false });
    expect(verbatim('A;D', 'A,D')).toMatchObject({ correct: true, how: 'as given' });
    expect(verbatim('gold', 'B').correct).toBe(true);
    expect(verbatim('NONE', 'NONE').correct).toBe(true);
    expect(verbatim('ALL', 'ALL').correct).toBe(true);
    expect(verbatim('The answer is B.', 'B')).toMatchObject({
      correct: false,
      state: 'no_answer',
      reason: 'no choice found',
    });
    expect(verbatim('', 'B')).toMatchObject({ state: 'no_answer', reason: 'empty' });
  });

  it('works without choices', () => {
    expect(gradeMcq('{"answer": "f"}', 'F', {}).correct).toBe(true);
    expect(gradeMcq('All of the above', 'ALL', {}).correct).toBe(true);
    expect(gradeMcq('The answer is a matter of taste.', 'A', {}).state).toBe('no_answer');
  });

  it('throws for a target that names no option', () => {
    expect(() => gradeMcq('A', 'Z', { choices: metals })).toThrow(
      'The expected answer names no option of the question, got "Z".',
    );
  });

  it.each([
    ['A', 'A,B', 'missing B'],
    ['A, B', 'A', 'wrong B'],
    ['A, B', 'C,D', 'missing C, D; wrong A, B'],
  ])('explains %j for %s', (output, target, said) => {
    expect(gradeMcq(output, target, { choices: metals }).explanation.split(': ').at(-1)).toBe(said);
  });

  it('says that there was no output', () => {
    expect(gradeMcq(null, 'A', { choices: metals })).toMatchObject({
      how: 'no output',
      state: 'no_answer',
    });
  });

  it.each([
    ['B', metals, 'B'],
    ['A;B', metals, 'A,B'],
    ['ALL', metals, 'A,B,C,D'],
    ['ALL', closed, 'D'],
    ['ALL', undefined, 'ALL'],
    ['NONE', metals, 'NONE'],
    ['NONE', closed, 'E'],
    ['I think it is B', metals, null],
    ['', metals, null],
  ])('takes %j as a bare answer to %j as %j', (answer, choices, chosen) => {
    expect(gradeMcq(answer, 'A', { choices }, { extract: false })).toMatchObject({
      answer: chosen,
      how: 'as given',
    });
  });
});
