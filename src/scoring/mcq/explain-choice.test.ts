import { describe, expect, it, test } from 'vitest';
import { extractChoice } from './extract-choice.ts';

const choices = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };
const ALL = Object.entries(choices)
  .map(([label, text]) => `${label}. ${text}`)
  .join('\n');

function explain(output: string, multiple?: boolean) {
  return extractChoice(output, { choices, multiple }, { explain: true });
}

describe('an explained reading', () => {
  it('lists what each form read at its place in the output, and marks what decides', () => {
    const output = '<think>B?</think>\n**If it rains**, the answer is C.\n\n**Answer:** B, not D';
    const { claims, ...read } = explain(output);
    expect(read).toEqual(extractChoice(output, { choices }));
    expect(claims.filter(({ form }) => form === 'statement')).toEqual([
      {
        text: 'answer is C',
        start: output.indexOf('answer is C'),
        end: output.indexOf('C.') + 1,
        form: 'statement',
        says: 'C',
        won: false,
        why: 'doubted: conditional',
      },
      {
        text: 'Answer:** B',
        start: output.indexOf('Answer:'),
        end: output.indexOf('B,') + 1,
        form: 'statement',
        says: 'B',
        won: true,
        why: expect.stringContaining('"statement"'),
      },
    ]);
  });

  test.each([
    ['Answer: C\nAnswer: B', 'C', 'a later claim of the same form counts'],
    ['So the answer is B, I choose C.', 'C', '"statement" is a stronger form'],
    ['The answer is not A. B is right.', 'A', null],
    ['I do not think the answer is A. B is right.', 'A', 'doubted: announcement denied'],
    ['The answer is B.\n\nQuestion: which is short?\nAnswer: A', 'A', 'it is in another question'],
    ['Write it like this: "Answer: A". Answer: B', 'A', 'it is in an example'],
    [`${ALL}\n\nAnswer: B`, 'A', 'it is in a repeated list of the options'],
    ['Answer: A. Wait, castles decide, so it is B.', 'A', 'it was corrected later'],
  ])('says why a claim of %j on %s lost', (output, says, why) => {
    const { claims, choices: chosen } = explain(output);
    expect(chosen).toEqual(['B']);
    expect(claims.filter(({ won }) => won)).toHaveLength(1);
    const lost = claims.filter((claim) => claim.says === says && !claim.won);
    if (why === null) expect(lost).toEqual([]);
    else expect(lost.map((claim) => claim.why)).toContainEqual(expect.stringContaining(why));
  });

  it('finds places behind a repeated prompt, and in the tail of a long output', () => {
    const long = `<|im_start|>user\nWhich?<|im_end|>\n<|im_start|>assistant\n${'It flows. '.repeat(9_000)}\nAnswer: B`;
    const winner = explain(long).claims.find(({ won }) => won);
    expect(long.slice(winner?.start, winner?.end)).toBe('Answer: B');
  });

  it('lists nothing in an output without an answer', () => {
    expect(explain('').claims).toEqual([]);
    expect(explain('Rivers flow.').claims).toEqual([]);
  });
});

describe('a reading', () => {
  test.each([
    'B',
    'The answer is B.',
    '{"answer": "B"}',
    'B is right, so the answer is B.',
    'If it rains, the answer is A. The answer is B.',
    'None of the above.',
    'I cannot answer that.',
    '',
    '<think>Is it B?',
  ])('of %j is certain', (output) => {
    expect(extractChoice(output, { choices }).certain).toBe(true);
  });

  test.each([
    ['two stated labels differ', 'Answer: A\nI see more.\nAnswer: B'],
    ['a later sentence takes it back', 'D, as it is long. Actually, castles decide: I choose B.'],
    ['another question follows', 'B\n\nQuestion: which is long?\nAnswer: A'],
    ['an example is repeated', 'End with, for example, "The answer is A". The answer is B.'],
    ['only a loose form spoke', 'Castles and wine are what I know the Rhine for.'],
    ['it is a conflict', 'The answer is A or B.'],
    ['nothing was found', 'Rivers flow.'],
  ])('is not certain where %s', (_, output) => {
    expect(extractChoice(output, { choices }).certain).toBe(false);
  });
});
