import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { loadMcq } from '../../src/datasets/load.ts';
import { startFakeHub } from './fake-hub.ts';

const PICTURE = readFileSync(join(import.meta.dirname, '../fixtures/attachments/red.png'));

/** The dataset of a Hub with these files, its attachments downloaded. */
async function load(name: string, config: string, files: Record<string, string | Uint8Array>) {
  const hub = await startFakeHub({ name, files });
  const dataset = await loadMcq({ path: `hf:${name}${config}`, hub: hub.settings() });
  await dataset.fetch?.(dataset.samples);
  return dataset;
}

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const MUSR = [1, 2].map((number) => ({
  narrative: `Ada left key ${number} under the mat. Bo moved it to the drawer.`,
  question: 'Where will Ada look?',
  choices: "['drawer', 'mat']",
  answer_index: 1,
  answer_choice: 'mat',
}));

test('MuSR is read with its stories, each file a group', async () => {
  const { samples, layouts } = await load('TAUR-Lab/MuSR', ':*', {
    'murder_mysteries.jsonl': toLines(MUSR.slice(0, 1)),
    'team_allocation.jsonl': toLines(MUSR.slice(1)),
  });
  const read = { input: expect.stringContaining('under the mat'), target: 'B' };
  expect(samples).toMatchObject([
    { group: 'murder_mysteries', ...read },
    { group: 'team_allocation', ...read },
  ]);
  expect(layouts?.[0]).toContain(
    'MuSR: 2 records of murder_mysteries.jsonl, team_allocation.jsonl',
  );
});

test('a configuration of MMMU-Pro is read with the pictures of its Parquet file', async () => {
  const columns = {
    id: ['p1', 'p2'],
    question: ['What shows <image 1>?', 'And <image 1>?'],
    options: ["['a dot', 'a point']", "['a cat', 'a pixel']"],
    image_1: ['x.png', null].map((path) => ({ bytes: PICTURE, path })),
    answer: ['B', 'B'],
    subject: ['Art', 'Law'],
  };
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data }));
  const text = (name: string): SchemaElement => ({
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: 'OPTIONAL',
  });
  const picture: readonly SchemaElement[] = [
    { name: 'image_1', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    text('path'),
  ];
  const schema = [
    { name: 'root', num_children: columnData.length },
    ...columnData.flatMap(({ name }) => (name === 'image_1' ? picture : [text(name)])),
  ];
  const file = new Uint8Array(parquetWriteBuffer({ columnData, schema }));
  const { samples } = await load('MMMU/MMMU_Pro', ':standard (10 options)', {
    'standard (10 options)/test-00000-of-00001.parquet': file,
    'vision/test-00000-of-00001.parquet': file,
  });
  expect(samples).toMatchObject([{ group: 'Art' }, { group: 'Law' }]);
  for (const { attachments } of samples)
    expect(attachments.map(({ path }) => readFileSync(path))).toEqual([PICTURE]);
});

test('MMLU-Redux has only records without an error, each configuration a group', async () => {
  const record = { question: 'Which?', choices: ['x', 'y', 'z', 'w'], answer: 0, error_type: 'ok' };
  const wrong = { ...record, question: 'Bad?', error_type: 'wrong_groundtruth' };
  const { samples, notes } = await load('edinburgh-dawg/mmlu-redux-2.0', ':*', {
    'anatomy/test.jsonl': toLines([record, wrong]),
    'virology/test.jsonl': toLines([{ ...record, question: 'Who?', answer: 3 }]),
  });
  expect(samples).toMatchObject([
    { group: 'anatomy', target: 'A' },
    { group: 'virology', target: 'D' },
  ]);
  expect(notes.join()).toContain('1 record of 3 left out: "error_type" is not "ok".');
});
