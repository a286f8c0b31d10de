import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { ONLY_POSIX } from '../../test/only-posix.ts';
import { DEFAULT_PROMPT, fillPrompt } from '../run/prompt.ts';
import { textsOf } from '../words/types.fixture.ts';
import { findPictures } from './attachments.ts';
import { loadGaia, loadMcq, loadRecords } from './load.ts';
import { LAYOUTS } from './public-layouts.cases.ts';
import { noteOrders, shuffleChoices } from './shuffle-choices.ts';

test.each(LAYOUTS)(
  'a record in the fields of %s is read without a setting',
  async (_, { record, shape, options, right, attachments = [], ...read }) => {
    const { samples, notes } = await loadMcq({ path: write(record) });
    const [sample] = samples;
    expect(notes.find(({ kind }) => kind === 'layout')?.text).toMatch(
      new RegExp(`^${RegExp.escape(shape)}: 1 record`),
    );
    expect(sample).toMatchObject({ ...read, attachments: attachments.map((name) => ({ name })) });
    expect(Object.values(sample?.choices ?? {}).toSorted()).toEqual(options.toSorted());
    expect(sample?.choices?.[sample.target ?? '']).toBe(right);
  },
);

/** A file with this record on its line, or with these. */
function write(...records: readonly object[]): string {
  return makeFile('test.jsonl', records.map((record) => JSON.stringify(record)).join('\n'));
}

function recordOf(name: string): Readonly<Record<string, unknown>> {
  return LAYOUTS.find(([own]) => own === name)?.[1].record ?? {};
}

test('a dataset of short answers is read by EVAL_GAIA with its own groups, and choices are refused', async () => {
  const hle = { ...recordOf('HLE'), answer_type: 'exactMatch' };
  const { samples } = await loadGaia({ path: write(hle) });
  expect(samples).toMatchObject([{ group: 'Other', attachments: [{ name: 'image.png' }] }]);
  await expect(loadGaia({ path: write(recordOf('RACE')) })).rejects.toThrow(
    'multiple choice (RACE)',
  );
});

test('the target of GSM8K is what its solution ends with', async () => {
  const record = { question: 'How many?', answer: 'Two and three are 5.\n#### 5' };
  const path = write(record);
  for (const loadOwn of [loadGaia, loadRecords]) {
    expect((await loadOwn({ path })).samples).toMatchObject([{ target: '5' }]);
  }
});

test('the target of DROP is the list of its answers', async () => {
  const answers_spans = { spans: ['2', 'two'], types: ['number', 'span'] };
  const record = { query_id: 'd1', section_id: 's', passage: 'Ada has 2.', question: 'How many?' };
  expect((await loadRecords({ path: write({ ...record, answers_spans }) })).samples).toMatchObject([
    { id: 'd1', input: 'Ada has 2.\n\nHow many?', target: ['2', 'two'] },
  ]);
});

test('records with the fields of MMLU and others may count from 1', async () => {
  const record = { question: 'Which?', subject: 'law', choices: ['w', 'x', 'y', 'z'], answer: 2 };
  expect((await loadMcq({ path: write(record) })).samples).toMatchObject([{ target: 'C' }]);
  const many = Array.from({ length: 30 }, (_, nr) => ({ ...record, question: `${nr}?` }));
  for (const unclear of [[{ ...record, nr: 1 }], many])
    await expect(loadMcq({ path: write(...unclear) })).rejects.toThrow('whether it counts');
});

test('fields that the agent does not see are named, and a picture that a question mentions must exist', async () => {
  const transcript = 'word '.repeat(99);
  const record = { question: 'Why?', options: ['x', 'y'], answer: 'A', transcript };
  const { notes } = await loadMcq({ path: write(record, { ...record, thumbnail: 'x.png' }) });
  const unread = textsOf(notes).join();
  expect(unread).toMatch(
    /2 of 2 records have "transcript", a long text .+, set EVAL_MCQ_FIELDS='{"context":"transcript"}'\./,
  );
  expect(unread).toContain('1 of 2 records has "thumbnail", a picture');
  await expect(loadMcq({ path: write({ ...record, question: 'See <image 2>?' }) })).rejects.toThrow(
    'test.jsonl:1: the question says "<image 2>", but the record gives no picture.',
  );
});

test('MMLU-Redux has only records without an error, each configuration a group', async () => {
  const record = { question: 'Which?', choices: ['x', 'y', 'z', 'w'], answer: 0, error_type: 'ok' };
  const wrong = { ...record, question: 'Bad?', error_type: 'wrong_groundtruth' };
  const path = makeFolder({
    'anatomy/test.json': JSON.stringify([record, wrong]),
    'virology/test.json': JSON.stringify([{ ...record, question: 'Who?', answer: 3 }]),
  });
  const { samples, notes } = await loadMcq({ path });
  expect(samples).toMatchObject([
    { group: 'anatomy', target: 'A' },
    { group: 'virology', target: 'D' },
  ]);
  expect(textsOf(notes).join()).toContain('1 record of 3 left out: "error_type" is not "ok".');
});

test(
  'a picture that a record contains becomes a file when its sample is to run',
  ONLY_POSIX,
  async () => {
    const record = recordOf('MMMU-Pro');
    const { samples, fetch } = await loadMcq({ path: write(record), pictures: makeFolder() });
    const [{ path } = { path: '' }] = samples[0]?.attachments ?? [];
    expect(existsSync(path)).toBe(false);
    await fetch?.(samples);
    const bytes = readFileSync(path);
    expect([statSync(dirname(path)).mode & 0o777, statSync(path).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(record['image_1']).toContain(bytes.toString('base64'));
    // As Parquet files of the Hub have it.
    const field = { name: 'image', value: { bytes: new Uint8Array(bytes), path: null } };
    expect(findPictures(field)).toMatchObject([{ name: 'image.png' }]);
  },
);

test('options that the question lists are neither shown again nor shuffled', async () => {
  const dataset = await loadMcq({ path: write(recordOf('MedXpertQA')) });
  expect(dataset.samples.map((sample) => shuffleChoices(sample, 7)(1))).toEqual(dataset.samples);
  expect(noteOrders(dataset.samples, 7, 1)[0]?.text).toBe(
    'EVAL_SHUFFLE_CHOICES=7: nothing is shuffled, because the questions list their options themselves.',
  );
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
  const path = makeFile('q.csv', `question,choices,answer\nWhich?,${choices},${answer}\n`);
  const { samples } = await loadMcq({ path });
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
    const { samples } = await loadMcq({ path: write(record) });
    expect(samples).toMatchObject([{ choicesInside: true }]);
  },
);

test('own suites keep fields that only look like options or texts', async () => {
  const record = {
    input: 'Why?',
    target: 'So.',
    choices: 3,
    options: { temperature: 0.2 },
    a: 1,
    b: 2,
    context: [{ role: 'user' }],
    file: 'print(1)',
    correct: true,
    prompt: 'Other.',
  };
  const { samples } = await loadRecords({ path: write(record) });
  expect(samples).toMatchObject([{ input: 'Why?', target: 'So.', attachments: [] }]);
});
