import { describe, expect, it } from 'vitest';
import { extractChoice } from './extract-choice.ts';

const question = { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' } };

describe('extractChoice', () => {
  it.each([
    ['The answer is **B**.', 'B'],
    ['<think>A?</think> Thus \\boxed{\\text{C}}', 'C'],
    ['ａｎｓｗｅｒ： Ｄ', 'Ｄ'],
    ['{"answer": "Rhine", "confidence": 1}', '"Rhine"'],
    ['<answer> B </answer>', ' B '],
    ['A. Danube\nB. Rhine\nC. Elbe\nD. Loire\n\nFinal answer: D', 'D'],
    ['The answer is the Loire.', 'Loire'],
    ['Both A and C are correct.', 'A and C'],
    ['It is A or C.', 'A or C'],
    ['\\boxed{Rhine}', 'Rhine'],
    ['Hamburg is on the Elbe (C). Hence the river is the Rhine.', 'Rhine'],
    ['\\boxed{A and B}', 'A and B'],
    ['| A | no |\n| B | yes |\n| C | no |', 'A | no |\n| B | yes |\n| C | no |'],
    ['Danube: wrong.\nB: right.\nC: wrong.', 'Danube: wrong.\nB: right.\nC: wrong.'],
    ['As far as I can see, I do not know.', 'I do not know'],
  ])('says where in the raw output the answer stands: %j', (output, part) => {
    const { span } = extractChoice(output, question);
    expect(output.slice(...(span ?? [0, 0]))).toBe(part);
  });

  it.each([
    ['{"answer": "A", "confidence": "high"}', 'high'],
    ['{"answer": "A", "confidence": 0.8}', 0.8],
    ['{"answer": "A", "confidence": "85"}', 85],
    ['{"confidence": "low", "answer": null}', 'low'],
    ['{"answer": "A"}', null],
    ['The answer is A, with high confidence.', null],
  ])('keeps the confidence that JSON states: %j', (output, confidence) => {
    expect(extractChoice(output, question).confidence).toBe(confidence);
  });

  it.each([
    ['B', 'whole text'],
    ['B only', 'whole text'],
    ['{"answer": "B"}', 'JSON answer'],
    ['<answer>B</answer>', 'answer tag'],
    ['Answer: B', 'answer line'],
    ['I think the answer is B, really.', 'statement'],
    ['It passes Cologne.\n\nB', 'closing line'],
    ['A is wrong. B is correct. C is wrong.', 'verdict on each option'],
    ['B, because it passes Cologne.', 'leading label'],
    ['It matches option B.', 'confirmed option'],
    ['The answer is the Rhine.', 'stated option text'],
    ['So we get: B', 'closing mention'],
    ['None of the options is right, I fear.', 'none or all stated'],
    ['It passes Cologne.\n\nB\n\nC does not.', 'label on a line of its own'],
    ['Perhaps B, since it passes Cologne.', 'guess'],
    ['Perhaps "Rhine", since it passes Cologne.', 'guess'],
    ['I do not know.', 'refusal'],
    ['Look at option (B) and its length.', 'only mention'],
    ['If it asked for Hamburg, the answer would be C.', 'conditional statement'],
    ['Hamburg is on the Elbe (C). Hence the river is the Rhine.', 'concluded option text'],
    ['Options A and C seem plausible to me.', 'options only weighed'],
    ['It is the Rhine. Option C passes Hamburg.', 'opening option text'],
    ['Cologne lies on the Rhine.', 'only option text'],
    ['Cologne is old.', 'no answer found'],
    ['', 'empty output'],
    ['\n\n', 'empty output'],
    ['<think>B', 'unfinished thinking'],
  ])('says how it was found: %j by %s', (output, how) => {
    expect(extractChoice(output, question).how).toBe(how);
  });

  it.each([
    ['A is right, and D is right too.', 'several confirmed', 'D'],
    ['Both fit:\n- Danube is long.\n- Elbe is shorter.\nSo much.', 'options listed', 'Danube is long.\n- Elbe'],
  ])('says how it was found and where, if several may be right: %j by %s', (output, how, part) => {
    const found = extractChoice(output, { ...question, multiple: true });
    expect(found.how).toBe(how);
    expect(output.slice(...(found.span ?? [0, 0]))).toBe(part);
  });

  it.each([
    ['I refuse to answer this.', 'D'],
    ['It cannot be determined.', 'C'],
  ])('takes the option that says so for a refusal: %j', (output, label) => {
    const choices = { A: 'It rises', B: 'It falls', C: 'Cannot be determined', D: 'Refused' };
    expect(extractChoice(output, { choices }).choices).toEqual([label]);
  });

  it('does not guess from a text that was cut off', () => {
    const long = 'The river in question rises in the mountains and then turns north. '.repeat(5);
    expect(extractChoice(`${long}Look at option (B) and its`, question).state).toBe('no_answer');
    expect(extractChoice(`${long}Look at option (B) and its length.`, question).choices).toEqual(['B']);
    expect(extractChoice(`${long}Perhaps B, since the river that`, question).state).toBe('no_answer');
    expect(extractChoice(`${long}The answer is B, since the river that`, question).choices).toEqual(['B']);
  });

  it('reads both ends of an output of any length', () => {
    const filler = 'The river goes on. '.repeat(20_000);
    expect(extractChoice(`Answer: C\n\n${filler}`, question).choices).toEqual(['C']);
    expect(extractChoice(`${filler}\n\nAnswer: C`, question).choices).toEqual(['C']);
    expect(extractChoice(`<think>${filler}</think>C`, question).choices).toEqual(['C']);
  });

  it('takes labels from the question as they are, prototype names included', () => {
    const choices = JSON.parse('{"__proto__": "one", "constructor": "two"}');
    expect(extractChoice('The answer is constructor.', { choices }).choices).toEqual(['constructor']);
    expect(extractChoice('two', { choices }).choices).toEqual(['constructor']);
    expect(extractChoice('toString', { choices }).choices).toBeNull();
  });
});
