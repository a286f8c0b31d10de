import { describe, expect, it } from 'vitest';
import { extractChoice } from './extract-choice.ts';
import { plainAnswer } from './plain-answer.ts';

const choices = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };
const PLAIN = [
  'B',
  ' b.\n',
  '(c)',
  '"D"',
  'Answer: A',
  'The answer is a.',
  '**Answer:** B',
  'final answer: (D)',
  'C. Elbe',
  '(C) Elbe.',
  'The answer is B) Rhine',
  'Answer: D: Loire.\n',
  '{"answer": "B"}',
  '{"reasoning": "It isn\'t the Danube (A).", "final_answer": "C", "confidence": 0.7}',
];

describe('plainAnswer', () => {
  it.each(PLAIN)('reads %j as the steps do', (output) => {
    const found = plainAnswer(output, { choices });
    // A space more than the plain forms allow sends the same output through the steps.
    const stepwise = extractChoice(`     ${output}`, { choices });
    expect(found?.choices).not.toBeNull();
    expect([found?.choices, found?.how, found?.confidence]).toEqual([
      stepwise.choices,
      stepwise.how,
      stepwise.confidence,
    ]);
  });

  it.each([
    'E',
    'The answer is B, not A.',
    'answerb',
    '{"answer": "B or C"}',
    '{"answer": "B", "correct_answer": "C"}',
    '{"note": "\\"answer\\": \\"A\\"", "x": "B"}',
    '{"a": {"answer": "B"}}',
    '{"x": "\'answer\': A"}',
    'B\n\nA',
    'B. Elbe',
    'B. Rhine is long',
  ])('leaves %j to the steps', (output) => {
    expect(plainAnswer(output, { choices })).toBeNull();
  });

  it('leaves a letter that is a label in neither or in both cases to the steps', () => {
    expect(plainAnswer('b', { choices: { b: 'one', B: 'two' } })?.choices).toEqual(['b']);
    expect(plainAnswer('constructor'.slice(0, 1), { choices: { A: 'x' } })).toBeNull();
    expect(plainAnswer('B', {})).toBeNull();
  });
});
