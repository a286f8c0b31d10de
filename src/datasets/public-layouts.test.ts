import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { DEFAULT_PROMPT, fillPrompt } from '../run/prompt.ts';
import { loadGaia, loadMcq, loadRecords } from './load.ts';
import { LAYOUTS } from './public-layouts.cases.ts';
import { shuffleDataset } from './shuffle-choices.ts';

test.each(LAYOUTS)(
  'a record in the fields of %s is read without a setting',
  async (_, expected) => {
    const { record, shape, input, options, right } = expected;
    const folder = makeFolder({ 'test.jsonl': `${JSON.stringify(record)}\n` });
    const { samples, layouts } = await loadMcq({ path: join(folder, 'test.jsonl') });
    const [sample] = samples;
    expect(layouts?.[0]).toMatch(new RegExp(`^${RegExp.escape(shape)}: 1 record`));
    expect(sample).toMatchObject({
      input,
      ...(expected.group === undefined ? {} : { group: expected.group }),
      ...(expected.id === undefined ? {} : { id: expected.id }),
      attachments: (expected.attachments ?? []).map((name) => ({ name })),
    });
    expect(Object.values(sample?.choices ?? {}).toSorted()).toEqual(options.toSorted());
    expect(sample?.choices?.[sample.target ?? '']).toBe(right);
  },
);

function recordOf(name: string): Readonly<Record<string, unknown>> {
  return LAYOUTS.find(([own]) => own === name)?.[1].record ?? {};
}

test('a dataset of short answers is read by EVAL_GAIA with its own groups, and choices are refused', async () => {
  const hle = { ...recordOf('HLE'), answer_type: 'exactMatch' };
  const folder = makeFolder({
    'hle.jsonl': `${JSON.stringify(hle)}\n`,
    'race.jsonl': `${JSON.stringify(recordOf('RACE'))}\n`,
  });
  const { samples } = await loadGaia({ path: join(folder, 'hle.jsonl') });
  expect(samples).toMatchObject([{ group: 'Other', attachments: [{ name: 'image.png' }] }]);
  await expect(loadGaia({ path: join(folder, 'race.jsonl') })).rejects.toThrow(
    'the records are multiple choice (RACE), which EVAL_GAIA would ask without options. Set',
  );
});

test('the target of GSM8K is what its solution ends with', async () => {
  const record = { question: 'How many?', answer: 'Two and three are 5.\n#### 5' };
  const path = makeFile('q.jsonl', JSON.stringify(record));
  for (const loadOwn of [loadGaia, loadRecords]) {
    expect((await loadOwn({ path })).samples).toMatchObject([{ target: '5' }]);
  }
});

test('the target of DROP is the list of its answers', async () => {
  const answers_spans = { spans: ['2', 'two'], types: ['number', 'span'] };
  const record = { query_id: 'd1', section_id: 's', passage: 'Ada has 2.', question: 'How many?' };
  const text = JSON.stringify({ ...record, answers_spans });
  const path = makeFile('q.jsonl', text);
  expect((await loadRecords({ path })).samples).toMatchObject([
    { id: 'd1', input: 'Ada has 2.\n\nHow many?', target: ['2', 'two'] },
  ]);
});

test('records with the fields of MMLU and others may count from 1', async () => {
  const record = { question: 'Which?', subject: 'law', choices: ['w', 'x', 'y', 'z'], answer: 2 };
  const lines = [record, { ...record, nr: 1 }].map((each) => JSON.stringify(each));
  const folder = makeFolder({ 'a.jsonl': lines[0] ?? '', 'b.jsonl': lines[1] ?? '' });
  expect((await loadMcq({ path: join(folder, 'a.jsonl') })).samples).toMatchObject([
    { target: 'C' },
  ]);
  await expect(loadMcq({ path: join(folder, 'b.jsonl') })).rejects.toThrow('whether it counts');
  const many = Array.from({ length: 30 }, (_, nr) => ({ ...record, question: `${nr}?` }));
  const path = makeFile('c.json', JSON.stringify(many));
  await expect(loadMcq({ path })).rejects.toThrow('whether it counts');
});

test('what the agent does not see is named, and a picture that a question speaks of must be there', async () => {
  const record = {
    question: 'Why?',
    options: ['x', 'y'],
    answer: 'A',
    transcript: 'word '.repeat(99),
  };
  const folder = makeFolder({
    'a.jsonl': `${JSON.stringify(record)}\n${JSON.stringify({ ...record, thumbnail: 'x.png' })}\n`,
    'b.jsonl': `${JSON.stringify({ ...record, question: 'See <image 2>?' })}\n`,
  });
  const { notes } = await loadMcq({ path: join(folder, 'a.jsonl') });
  expect(notes).toContain(
    `2 of 2 records have "transcript", a long text that the agent does not see. If the question needs it, set EVAL_MCQ_FIELDS='{"context":"transcript"}'.`,
  );
  expect(notes.join()).toContain(
    '1 of 2 records has "thumbnail", a picture that the agent does not',
  );
  await expect(loadMcq({ path: join(folder, 'b.jsonl') })).rejects.toThrow(
    'b.jsonl:1: the question says "<image 2>", but the record gives no picture.',
  );
});

test('options that the question lists are neither shown again nor shuffled', async () => {
  const folder = makeFolder({ 'q.jsonl': `${JSON.stringify(recordOf('MedXpertQA'))}\n` });
  const dataset = await loadMcq({ path: join(folder, 'q.jsonl') });
  expect(shuffleDataset(dataset, 7)).toBe(dataset);
  expect(dataset.samples.map((sample) => fillPrompt(sample, DEFAULT_PROMPT))).toEqual([
    recordOf('MedXpertQA')['question'],
  ]);
});

test.each([
  ['numpy in a table', `"['mat' 'shed'\n 'sea']"`, 'B', 'shed'],
  ['a list in a table', `"['mat', ""it's"", 'sea']"`, 'B', "it's"],
  [
    'an object with arrays in a table',
    `"{'text': array(['mat', 'shed'], dtype=object), 'label': array(['A', 'B'], dtype=object)}"`,
    'B',
    'shed',
  ],
  ['flags in a table', '"[""mat"", ""shed""]"', '"[0, 1]"', 'shed'],
])('options as %s are read', async (_, choices, answer, right) => {
  const folder = makeFolder({ 'q.csv': `question,choices,answer\nWhich?,${choices},${answer}\n` });
  const { samples } = await loadMcq({ path: join(folder, 'q.csv') });
  expect(samples.map(({ choices: own, target }) => own?.[target ?? ''])).toEqual([right]);
});

test.each(['(A)x', '(a) x', 'A - x', '**A.** x', 'A．x', '1. x'])(
  'options that the question lists as %s are not shown again',
  async (form) => {
    const [first, second] = ['red', 'blue'].map((text, index) =>
      form
        .replace('x', text)
        .replace(/[Aa1]/, (label) => String.fromCharCode(label.charCodeAt(0) + index)),
    );
    const record = { question: `Which? ${first} ${second}`, options: ['red', 'blue'], answer: 'A' };
    const folder = makeFolder({ 'q.jsonl': JSON.stringify(record) });
    const { samples } = await loadMcq({ path: join(folder, 'q.jsonl') });
    expect(samples).toMatchObject([{ choicesInside: true }]);
  },
);

test('own suites keep fields that only look like options or texts', async () => {
  const record = {
    ...{ input: 'Why?', target: 'So.', choices: 3, options: { temperature: 0.2 }, a: 1, b: 2 },
    ...{ context: [{ role: 'user' }], file: 'print(1)', correct: true, prompt: 'Other.' },
  };
  const folder = makeFolder({ 'q.jsonl': JSON.stringify(record) });
  const { samples } = await loadRecords({ path: join(folder, 'q.jsonl') });
  expect(samples).toMatchObject([{ input: 'Why?', target: 'So.', attachments: [] }]);
});
