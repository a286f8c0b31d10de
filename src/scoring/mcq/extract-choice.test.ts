import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCases } from '../../../test/read-cases.ts';
import { extractChoice } from './extract-choice.ts';
import { questions, rows } from './forms.cases.ts';
import { FORMS } from './forms.ts';
import { gradeMcq } from './grade-mcq.ts';

const choices = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };

type Labelled = Readonly<{
  options: Readonly<Record<string, string>>;
  multiple?: boolean;
  output: string;
  chosen: readonly string[] | null;
}>;

it.each(rows)('reads by $how: $question: $output', ({ how, question, output, chosen, state }) => {
  const found = extractChoice(output, questions[question] ?? {});
  expect([found.how, found.choices?.join() ?? null, found.state]).toEqual([how, chosen, state]);
});

it.each(
  FORMS.flatMap(({ name, examples }) =>
    examples.map(([output, chosen, asked]) => [name, output, chosen, asked] as const),
  ),
)('reads its examples by %s: %s', (name, output, chosen, asked) => {
  const multiple = asked === 'several' ? true : undefined;
  const found = extractChoice(output, { choices, multiple });
  expect([found.how, found.choices?.join() ?? null]).toEqual([name, chosen]);
});

describe('extractChoice', () => {
  it('reads the forms that the committed prompt asks for by its strictest reader', () => {
    const prompt = readFileSync('evals/mcq/prompt.md', 'utf8');
    const [example = ''] = /^\{".*\}$/mu.exec(prompt) ?? [];
    const reasoned = `I weighed A and C.\n\n${example}`;
    expect(extractChoice(reasoned, { choices })).toMatchObject({
      choices: ['B'],
      how: 'JSON answer',
      confidence: 'high',
    });
    const several = reasoned.replace('"B"', '"A,D"');
    expect(prompt).toContain('"A,D"');
    expect(extractChoice(several, { choices })).toMatchObject({
      choices: ['A', 'D'],
      how: 'JSON answer',
    });
  });

  it.each([
    ['edge cases', 'edges.cases.jsonl', 66],
    ['step-by-step outputs', 'steps.cases.jsonl', 154],
  ])('reads the made-up %s', (_, file, count) => {
    const cases = readCases<Labelled>(file, import.meta.url);
    const wrong = cases.filter(({ options, output, chosen }) => {
      const read = extractChoice(output, { choices: options }).choices?.toSorted().join();
      return read !== chosen?.toSorted().join();
    });
    expect(cases).toHaveLength(count);
    expect(wrong).toEqual([]);
  });

  it('reads made-up outputs of many models, of which it does not read all', () => {
    const path = '../../../bench/mcq-made-up-outputs.jsonl';
    const verdicts = readCases<Labelled>(path, import.meta.url).map((row) => {
      const read = extractChoice(row.output, { choices: row.options, multiple: row.multiple });
      const isRight = read.choices?.toSorted().join() === row.chosen?.toSorted().join();
      return { isRight, isAnswered: read.choices !== null, isCertain: read.certain };
    });
    const answered = verdicts.filter(({ isAnswered }) => isAnswered);
    const certain = answered.filter(({ isCertain }) => isCertain);
    const share = (some: typeof verdicts) =>
      some.filter(({ isRight }) => isRight).length / some.length;
    expect(share(verdicts)).toBeGreaterThan(0.93);
    expect(share(answered)).toBeGreaterThan(0.985);
    expect(share(certain)).toBeGreaterThan(0.99);
  });

  it.each(['NFC', 'NFD'])('compares texts in one Unicode form: options in %s', (form) => {
    const towns = { A: 'Orléans', B: 'Besançon', C: 'ガス' };
    const asked = Object.fromEntries(
      Object.entries(towns).map(([label, town]) => [label, town.normalize(form)]),
    );
    for (const said of ['NFC', 'NFD'])
      for (const [label, town] of Object.entries(towns)) {
        expect(extractChoice(town.normalize(said), { choices: asked }).choices).toEqual([label]);
        expect(gradeMcq(label, town.normalize(said), { choices: asked }).state).toBe('correct');
      }
  });

  it.each([
    '\u200bB\u200b',
    'Answer:\ufeffB\u2060',
    'The answer is \u00adB.',
    '\u2066B\u2069',
    'Ｂ',
    'Ⓑ',
    '🅱️',
    '𝐁',
    '👉 **𝗕**',
  ])('reads a label beside invisible characters and in other types: %j', (output) => {
    expect(extractChoice(output, { choices }).choices).toEqual(['B']);
  });

  const analysis =
    'A. Danube: it flows east.\n\nB. Rhine: it has castles.\n\nC. Elbe: no.\n\nD. Loire: it is French.';

  it.each([
    'B',
    '**B)** Rhine',
    'The river with castles is:\n\nB. Rhine',
    'Based on this, B explains it.',
    'Therefore, it is the Rhine.',
    'Final choice: (B). Note that (A) is a common trap.',
    '因此选B。',
  ])('takes the conclusion after an analysis of the options: %j', (conclusion) => {
    expect(
      extractChoice(`Let's look at each option.\n\n${analysis}\n\n${conclusion}`, { choices })
        .choices,
    ).toEqual(['B']);
  });

  it.each([
    ['{"answer": "B", "confidence": 0.8}', 0.8],
    ['{"confidence": "high", "answer": "B"}', 'high'],
    ['{"answer": "B", "confidence": true}', null],
    ['B', null],
  ])('returns the confidence that JSON states: %j', (output, confidence) => {
    expect(extractChoice(output, { choices }).confidence).toBe(confidence);
  });

  it('accepts the labels of the question as they are, prototype names included', () => {
    const named = JSON.parse('{"__proto__": "one", "constructor": "two"}');
    expect(extractChoice('The answer is constructor.', { choices: named }).choices).toEqual([
      'constructor',
    ]);
    expect(extractChoice('two', { choices: named }).choices).toEqual(['constructor']);
    expect(extractChoice('toString', { choices: named }).choices).toBeNull();
  });

  it('reads both ends of an output of any length', () => {
    const filler = 'The river goes on. '.repeat(20_000);
    expect(extractChoice(`Answer: C\n\n${filler}`, { choices }).choices).toEqual(['C']);
    expect(extractChoice(`${filler}\n\nAnswer: C`, { choices }).choices).toEqual(['C']);
    expect(extractChoice(`<think>${filler}</think>C`, { choices }).choices).toEqual(['C']);
  });
});
