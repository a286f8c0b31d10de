import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { awaitAnswer, readParquet, readRecords } from './read-records.ts';
import { RecordError } from './record.ts';

async function read(columnData: ColumnSource[], options = {}) {
  return (await readRecords(write(parquetWriteBuffer({ columnData, ...options })))).records;
}

function write(bytes: ArrayBuffer | Uint8Array): string {
  const file = join(makeFolder(), 'x.parquet');
  writeFileSync(file, new Uint8Array(bytes));
  return file;
}

async function refusal(bytes: ArrayBuffer | Uint8Array): Promise<RecordError> {
  const error: unknown = await readRecords(write(bytes)).catch((thrown: unknown) => thrown);
  if (error instanceof RecordError) return error;
  throw new Error(`Expected a RecordError, got ${error}`);
}

describe('values', () => {
  test.each<[string, ColumnSource, unknown]>([
    ['text', { name: 'a', data: ['é “x”'], type: 'STRING' }, 'é “x”'],
    ['a 64-bit integer', { name: 'a', data: [2n], type: 'INT64' }, 2],
    [
      'a 64-bit integer beyond 2^53',
      { name: 'a', data: [2n ** 60n], type: 'INT64' },
      '1152921504606846976',
    ],
    ['a null', { name: 'a', data: [null], type: 'STRING', nullable: true }, null],
    ['a JSON column', { name: 'a', data: [{ Steps: '1' }], type: 'JSON' }, { Steps: '1' }],
    ['a date', { name: 'a', data: [new Date(0)], type: 'TIMESTAMP' }, '1970-01-01T00:00:00.000Z'],
  ])('%s is read as JSON would have it', async (_, column, value) => {
    expect(await read([column])).toEqual([{ line: 1, value: { a: value } }]);
  });

  test('bytes that are not text stay bytes', async () => {
    const [record] = await read([
      { name: 'a', data: [new Uint8Array([0xff, 0xfe])], type: 'BYTE_ARRAY' },
    ]);
    expect(record?.value).toEqual({ a: new Uint8Array([0xff, 0xfe]) });
  });

  test('a column called __proto__ changes no other field', async () => {
    const [record] = await read([
      { name: '__proto__', data: ['x'], type: 'STRING' },
      { name: 'a', data: ['y'], type: 'STRING' },
    ]);
    expect(record?.value).toMatchObject({ a: 'y' });
    expect(Object.getPrototypeOf(record?.value)).toBe(Object.prototype);
  });
});

describe('files', () => {
  test('records of several row groups keep their order and know their row', async () => {
    const data = Array.from({ length: 25 }, (_, index) => `q${index}`);
    const records = await read([{ name: 'id', data, type: 'STRING' }], { rowGroupSize: 10 });
    expect(records).toEqual(data.map((id, index) => ({ line: index + 1, value: { id } })));
  });

  test.each([
    ['no Parquet file', new TextEncoder().encode('{"task_id": "a"}\n')],
    ['an empty file', new Uint8Array()],
  ])('%s is refused with what to do', async (_, bytes) => {
    expect((await refusal(bytes)).message).toMatch(
      /x\.parquet: the file is not a complete Parquet file \(.+\)\. Download/,
    );
  });

  test('a file without rows is refused', async () => {
    const bytes = parquetWriteBuffer({ columnData: [{ name: 'a', data: [], type: 'STRING' }] });
    expect((await refusal(bytes)).message).toContain('the file has no records');
  });

  test('a file that would be read for ever is refused at the deadline', async () => {
    const data = ['one', 'two', 'three'];
    const bytes = new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 'a', data, type: 'STRING' }] }),
    );
    // A page header with a count so high that the parser never ends.
    bytes[7] = (bytes[7] ?? 0) ^ 0xff;
    await expect(readParquet(write(bytes), 2000)).rejects.toThrow(
      /complete Parquet file \(.+\)\. Download it again\./,
    );
  });

  test('a reader that runs out of memory after its answer does not end the process', async () => {
    const source = `const { parentPort } = require('node:worker_threads');
      parentPort.postMessage({ rows: [1] });
      for (const all = []; ; ) all.push(new Array(10_000).fill({}));`;
    const worker = new Worker(source, {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: 8 },
    });
    // Both messages wait for this thread, which is busy.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    expect(await awaitAnswer(worker, 5000)).toEqual({ rows: [1] });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test.each([0.5, 0.99])('a file cut at %d of its length is refused', async (part) => {
    const whole = new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 'a', data: ['x'], type: 'STRING' }] }),
    );
    expect((await refusal(whole.slice(0, Math.floor(whole.length * part)))).message).toContain(
      'not a complete Parquet',
    );
  });
});
