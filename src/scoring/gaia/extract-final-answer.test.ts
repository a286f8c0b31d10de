import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { readCases } from '../../../test/read-cases.ts';
import { extractFinalAnswer } from './extract-final-answer.ts';
import { scoreGaia } from './rules.ts';

// A quadratic extraction of a megabyte takes minutes; a linear one below a tenth of a second on an
// idle machine.
describe('takes time in proportion to the text', () => {
  // test/hostile/patterns.test.ts times each pattern; these repeat what the steps look for.
  const units = [
    'FINAL ANSWER:\n',
    'FINAL ANSWER: [YOUR FINAL ANSWER]\n',
    '\nAnswer: x',
    '<answer>',
    '<answer></answer>',
    '<think>',
    '\\boxed{',
    '\\boxed{a}',
    'submit("',
    '{"answer": "',
    'the answer is ',
    'The answer is x. ',
    '** a',
    '$$\n',
    '```\n',
    '\\',
    '1_',
    '> ',
  ];

  it.each(units)('of %j', (unit) => {
    for (const prefix of ['', '<answer>', 'FINAL ANSWER: ', '{"answer": "']) {
      for (const suffix of ['', '</answer>x']) {
        const output = `${prefix}${unit.repeat(Math.ceil(100_000 / unit.length))}${suffix}`;
        const start = cpuTime();
        extractFinalAnswer(output);
        expect(cpuTime() - start).toBeLessThan(2_000);
      }
    }
  });
});

type Case = Readonly<{
  rule: string;
  output: string;
  answer: string | null;
  how: string;
  certain?: boolean;
}>;

it.each(readCases<Case>('extraction.cases.jsonl', import.meta.url))(
  '$rule',
  ({ rule: _, output, ...found }) => {
    expect(extractFinalAnswer(output)).toMatchObject(found);
  },
);

describe('explains what it read', () => {
  test.each(readCases<Case>('extraction.cases.jsonl', import.meta.url))(
    'where it $rule: $output',
    ({ output }) => {
      const { claims, ...found } = extractFinalAnswer(output, { explain: true });
      expect(found).toEqual(extractFinalAnswer(output));
      expect(claims.map(({ start, end }) => output.slice(start, end))).toEqual(
        claims.map(({ text }) => text),
      );
      expect(claims.flatMap(({ won, says, form }) => (won ? [[says, form]] : []))).toEqual(
        found.answer === null ? [] : [[found.answer, found.how]],
      );
      expect(claims.map(({ start }) => start)).toEqual(
        claims.map(({ start }) => start).toSorted((a, b) => a - b),
      );
    },
  );

  test('in the words and at the places of the output, with the reasons', () => {
    const output =
      '<think>FINAL ANSWER: 4</think>\u200bRéponse\u200b finale : 12\n(e.g. FINAL ANSWER: 5)\nFINAL ANSWER:\nAnswer: 13';
    const { claims } = extractFinalAnswer(output, { explain: true });
    expect(claims.map(({ text, says, why }) => [text, says, why])).toEqual([
      ['Réponse\u200b finale : 12', '12', 'another one of an equal form comes after it'],
      ['FINAL ANSWER: 5)', '5)', 'the text gives it as an example'],
      ['FINAL ANSWER:', null, 'nothing follows'],
      [
        'Answer: 13',
        '13',
        'no form in the output is more explicit, and it is the last of its form',
      ],
    ]);
  });
});

const template = '\nFINAL ANSWER: [YOUR FINAL ANSWER]';
const announce = (length: number) => `I counted.\nAnswer: ${'x'.repeat(length)}`;

it.each([
  ['the last 40 candidates', `FINAL ANSWER: 1${template.repeat(39)}`, '1'],
  ['no more candidates', `FINAL ANSWER: 1${template.repeat(40)}`, null],
  ['200 characters after a bare "Answer:"', announce(200), 'x'.repeat(200)],
  ['no more of them', announce(201), announce(201)],
  ['39 blanks before "Answer"', `${' '.repeat(39)}Answer: 5`, '5'],
  ['no more blanks', `${' '.repeat(40)}Answer: 5`, 'Answer: 5'],
  ['no more blanks in a line', `\n${' '.repeat(40)}Answer: 5`, 'Answer: 5'],
  ['60 dots as no answer', `FINAL ANSWER: ${'.'.repeat(60)}`, null],
  ['more dots as one', `FINAL ANSWER: ${'.'.repeat(61)}`, '.'.repeat(61)],
])('reads %s', (_, output, answer) => {
  expect(extractFinalAnswer(output).answer).toBe(answer);
});

describe('stripping never makes a right answer wrong', () => {
  const signs = ['$5', '-5', '+5.0', '42%', '2**3', "'tis", 'C#; .NET', '[a, b]'];
  const targets = [...signs, 'US$, CA$', 'A. B., C. D.', 'x*, y*'];
  const wraps: readonly ((target: string) => string)[] = [
    (target) => `Steps.\nFINAL ANSWER: ${target}`,
    (target) => `**Final Answer:** ${target}`,
    (target) => `**Final Answer: ${target}**`,
    (target) => `### Final Answer\n\n${target}\n`,
    (target) => `<answer>${target}</answer>`,
    (target) => JSON.stringify({ final_answer: target }),
    (target) => `final_answer("${target}")`,
    (target) => `\\boxed{${target}}`,
    (target) => target,
  ];

  it.each(targets)('%s', (target) => {
    const lost = wraps
      .map((wrap) => wrap(target))
      .filter((output) => {
        const { answer } = extractFinalAnswer(output);
        return !scoreGaia(answer, target).correct;
      });
    expect(lost).toEqual([]);
  });
});

it('finds no answer in the form that the prompt of evals/gaia shows, which has no brackets to copy', () => {
  const form = readFileSync('evals/gaia/prompt.md', 'utf8').match(/^FINAL ANSWER: .*$/m)?.[0] ?? '';
  expect(form).toMatch(/^FINAL ANSWER: [a-z ]+$/);
  expect(extractFinalAnswer(form).answer).toBeNull();
});
