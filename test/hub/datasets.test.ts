import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { loadMcq } from '../../src/datasets/load.ts';
import { startFakeHub } from './fake-hub.ts';

const PICTURE = readFileSync(join(import.meta.dirname, '../fixtures/attachments/red.png'));

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
  const names = ['standard (10 options)', 'vision'];
  const files = Object.fromEntries(names.map((name) => [`${name}/test.parquet`, file]));
  const hub = await startFakeHub({ files });
  const path = 'hf:own/questions:standard (10 options)';
  const { samples, fetch } = await loadMcq({ path, hub: hub.settings() });
  await fetch?.(samples);
  expect(samples).toMatchObject([{ group: 'Art' }, { group: 'Law' }]);
  for (const { attachments } of samples)
    expect(attachments.map(({ path }) => readFileSync(path))).toEqual([PICTURE]);
});
