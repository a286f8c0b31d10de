import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractChoice } from './extract-choice.ts';
import { questions, rows } from './forms.cases.ts';
import type { ChoiceQuestion } from './question.ts';

const LABELS = ['A', 'B', 'C', 'D', 'E'];
const TEXTS = ['granite', 'a kind of slate', 'limestone', 'chalk', 'red marble'];

/** The forms in which an output may state a label or an option's text. */
const TELLINGS: readonly ((label: string, text: string) => string)[] = [
  (label) => label,
  (label) => `(${label})`,
  (label) => `The answer is ${label}.`,
  (label) => `**Answer:** ${label}`,
  (label) => `I would go with option ${label}, as it is the hardest.`,
  (label, text) => `${label}. ${text}`,
  (label, text) => `The correct answer is (${label}) ${text}.`,
  (label) => `{"reasoning": "hard and old", "answer": "${label}"}`,
  (label) => `It is hard. So \\boxed{${label}}`,
  (_, text) => text,
  (_, text) => `The answer is ${text}.`,
  (label) => `答案：${label}`,
];

const fragment = fc.oneof(
  fc.constantFrom(...'ABIa \n(){}"[*$_选\u0130\ud800\u0301\u0000'),
  fc.constantFrom(
    ...['. ', ', ', ' and ', ' or ', ' is ', 'the answer', 'Answer:', '\\boxed{', '<think>'],
    ...['</think>', '<answer>', '答案', 'not ', 'wrong', 'correct', 'granite', '"answer":'],
    ...['none of the above', 'wait, actually'],
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const hostile = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(''));
const anyQuestion = fc.record({
  choices: fc.option(
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(...LABELS, '1', '2', 'i', '__proto__', 'constructor'),
        fc.string({ maxLength: 3 }),
      ),
      fc.string({ maxLength: 20 }),
      { maxKeys: 6 },
    ),
    { nil: undefined },
  ),
  multiple: fc.option(fc.boolean(), { nil: undefined }),
});

function chosen(output: string, question: ChoiceQuestion): string {
  const { choices, state } = extractChoice(output, question);
  return `${state} ${choices?.join(',')}`;
}

describe('extractChoice', () => {
  it('never throws, and returns labels of the question only, in its order and once each', () => {
    fc.assert(
      fc.property(hostile, anyQuestion, (output, question) => {
        const { choices, state } = extractChoice(output, question);
        const labels = Object.keys(question.choices ?? {});
        const known = labels.length === 0 ? [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] : labels;
        const unknownAll = labels.length === 0 && choices?.join() === 'ALL';
        if (choices !== null && !unknownAll)
          expect(choices).toEqual(known.filter((label) => choices.includes(label)));
        expect(choices !== null && choices.length > 0).toBe(state === 'answered');
      }),
      { numRuns: 500 },
    );
  });

  it('chooses the same text however the texts are spread over the labels', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(TEXTS, { minLength: 5 }),
        fc.nat(4),
        fc.constantFrom(...TELLINGS),
        (texts, index, tell) => {
          const choices = Object.fromEntries(texts.map((text, i) => [LABELS[i] ?? '', text]));
          const text = TEXTS[index] ?? '';
          const label = LABELS[texts.indexOf(text)] ?? '';
          expect(extractChoice(tell(label, text), { choices }).choices).toEqual([label]);
        },
      ),
    );
  });

  it('reads every list of labels, whatever words their letters are elsewhere', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const choices = Object.fromEntries(letters.map((label, i) => [label, `stone number ${i}`]));
    const listed = fc.subarray(letters, { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(
        listed,
        fc.constantFrom(', ', ',', '; ', ' and ', ' & ', '、', ' y ', ' und ', ' et '),
        (labels, separator) => {
          expect(extractChoice(`Answer: ${labels.join(separator)}`, { choices }).choices).toEqual(
            labels,
          );
          expect(extractChoice(labels.join(separator), { choices }).choices).toEqual(labels);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('reads nothing in a closed thinking block', () => {
    const thought = hostile.filter((text) => !/[<>[\]]/u.test(text));
    fc.assert(
      fc.property(thought, fc.constantFrom(...TELLINGS), (thinking, tell) => {
        const choices = Object.fromEntries(TEXTS.map((text, i) => [LABELS[i] ?? '', text]));
        expect(
          extractChoice(`<think>${thinking}</think>\n${tell('C', 'limestone')}`, { choices })
            .choices,
        ).toEqual(['C']);
      }),
    );
  });

  const known = rows.filter(
    ({ how, question }) => /^(?:rivers|weather|ten)/u.test(question) && how !== 'empty output',
  );

  it.each(known)(
    'is not changed by thoughts or an echo of the options in front ($how, $question): $output',
    ({ question, output }) => {
      const asked = questions[question] ?? {};
      const echo = Object.entries(asked.choices ?? {}).map(([label, text]) => `${label}. ${text}`);
      for (const front of ['<think>Perhaps B? The answer is A.</think>', echo.join('\n')])
        expect(chosen(`${front}\n\n${output}`, asked)).toBe(chosen(output, asked));
    },
  );
});
