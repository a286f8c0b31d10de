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
    ['A', 'A,D', {}, false],
    ['Answer: A/D', 'A,D', {}, true],
    ['Answer: A/D', 'D', {}, false],
    ['gold', 'b', {}, true],
    ['B', 'gold', {}, true],
    ['All of the above', 'ALL', { multiple: true }, true],
    ['A, B, C, D', 'ALL', { multiple: true }, true],
    ['None of the above', 'NONE', {}, true],
    ['B', 'NONE', {}, false],
    ['D', 'ALL', { choices: closed }, true],
    ['A, B and C', 'D', { choices: closed }, true],
    ['All of the above', 'A,B,C', { choices: closed }, true],
    ['A and B', 'D', { choices: closed }, false],
    ['None of these', 'NONE', { choices: closed }, true],
    ['None of the options is correct.', 'A', { choices: closed }, false],
  ])('%j against %j %j: %s', (output, target, question, correct) => {
    expect(gradeMcq(output, target, { choices: metals, ...question }).correct).toBe(correct);
  });

  it('reads A and B as "Both A and B" only where one option is right', () => {
    const choices = { A: 'salt', B: 'sugar', C: 'Both A and B' };
    expect(gradeMcq('A, B', 'C', { choices, multiple: false }).correct).toBe(true);
    expect(gradeMcq('A, B', 'C', { choices, multiple: true }).correct).toBe(false);
    expect(gradeMcq('A', 'C', { choices, multiple: false }).correct).toBe(false);
  });

  it.each([
    [null, 'missing'],
    ['', 'empty'],
    ['<think>It may be B', 'truncated thinking'],
    ['A or B', 'conflict'],
    ['B. iron', 'conflict'],
    ['It cannot be determined.', 'refusal'],
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

  it('returns the canonical letters, the rule and the confidence', () => {
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
    ['B', 'A', 0, 0],
    ['', 'A', 0, 0],
    ['None of the above', 'NONE', 1, 1],
  ])('scores the overlap where several may be right: %j for %j', (output, target, jaccard, f1) => {
    const { scores } = gradeMcq(output, target, { choices: metals, multiple: true });
    expect(scores?.['jaccard']).toBeCloseTo(jaccard);
    expect(scores?.['option_f1']).toBeCloseTo(f1);
  });

  it.each([undefined, false])(
    'scores no overlap where one option is right, multiple %j',
    (multiple) => {
      const { scores } = gradeMcq('A', 'A', { choices: metals, multiple });
      expect(scores).toEqual({ jaccard: null, option_f1: null });
    },
  );

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

  it.each([
    ['B', metals, 'B'],
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
