import { describe, expect, it } from 'vitest';
import { extractChoice } from './extract-choice.ts';
import { plainAnswer } from './plain-answer.ts';

const choices = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };
const numbered = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [String(i + 1), `river ${i + 1}`]));
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
    ['B', 'B', 'whole text'],
    ['  (b).\n', 'b', 'whole text'],
    ['C. Elbe', 'C', 'whole text'],
    ['(C) Elbe.', 'C', 'whole text'],
    ['Answer:B', 'B', 'answer line'],
    ['Answer:  B \n', 'B', 'answer line'],
    [' the correct answer: (D)', 'D', 'answer line'],
    ['Answer: D: Loire.\n', 'D', 'answer line'],
    ['The answer is: A', 'A', 'statement'],
    ['\n{"answer":"B"}\n', 'B', 'JSON answer'],
    ['{"Answer" : "b" }', 'b', 'JSON answer'],
    ['{"text": "The answer is C", "answer": "C"}', 'C', 'JSON answer'],
    ['{"text": "It isn\'t A", "finalAnswer": "C"}', 'C', 'JSON answer'],
  ])('says how it reads %j and where', (output, part, how) => {
    const found = plainAnswer(output, { choices });
    expect(found).toMatchObject({ choices: [part.toUpperCase()], how, state: 'answered' });
    expect(output.slice(...(found?.span ?? [0, 0]))).toBe(part);
  });

  it.each(['12', 'Answer: 12', 'Answer: 12. river 12', '{"answer": "12"}'])('reads numbers: %j', (output) => {
    expect(plainAnswer(output, { choices: numbered })?.choices).toEqual(['12']);
  });

  it.each([
    'E',
    'The answer is B, not A.',
    'So the answer is B.',
    'answerb',
    '{"answer": "B or C"}',
    '{"answer": "B", "correct_answer": "C"}',
    '{"answer": "B", \'correct\': "C"}',
    '{"answer": "B", \'correct\' : "C"}',
    '{"wrong_answer": "B"}',
    '{"answer_key": "B"}',
    '{"note": "B"}',
    'So: {"answer": "B"}',
    '{"answer": "B"} or C',
    '{"note": "\\"answer\\": \\"A\\"", "x": "B"}',
    '{"a": {"answer": "B"}}',
    '{"x": "\'answer\': A"}',
    'B\n\nA',
    'B. Elbe',
    'B. Rhine is long',
    'B. Rh. ine',
  ])('leaves %j to the steps', (output) => {
    expect(plainAnswer(output, { choices })).toBeNull();
  });

  it('takes a label in its own case, or else in the other', () => {
    expect(plainAnswer('b', { choices: { b: 'one', B: 'two' } })?.choices).toEqual(['b']);
    expect(plainAnswer('B', { choices: { a: 'one', b: 'two' } })?.choices).toEqual(['b']);
    expect(plainAnswer('b', { choices: { A: 'one', B: 'two' } })?.choices).toEqual(['B']);
    expect(plainAnswer('c', { choices: { A: 'one', B: 'two' } })).toBeNull();
  });

  it('makes no number of two, and needs choices', () => {
    expect(plainAnswer('Answer: 1\n2', { choices: numbered })).toBeNull();
    expect(plainAnswer('1\nAnswer: 2', { choices: numbered })).toBeNull();
    expect(plainAnswer('B', {})).toBeNull();
  });
});
