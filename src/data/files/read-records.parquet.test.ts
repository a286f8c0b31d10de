import { Worker } from 'node:worker_threads';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { makeFile } from '../../../test/make-folder.ts';
import { awaitReply, readParquet, readRecords } from './read-records.ts';
import { RecordError } from './record.ts';

async function read(columnData: ColumnSource[], options = {}) {
  return (await readRecords(write(parquetWriteBuffer({ columnData, ...options })))).records;
}

const TEXT: ColumnSource[] = [{ name: 'a', data: ['one', 'two', 'three'], type: 'STRING' }];

const write = (bytes: ArrayBuffer | Uint8Array) => makeFile('x.parquet', new Uint8Array(bytes));

async function refusal(bytes: ArrayBuffer | Uint8Array): Promise<RecordError> {
  const error: unknown = await readRecords(write(bytes)).catch((thrown: unknown) => thrown);
  if (error instanceof RecordError) return error;
  throw new Error(`Expected a RecordError, got ${error}`);
}

describe('values', () => {
  test('are read as JSON would have them; bytes that are not text stay bytes, and a column called __proto__ changes no other field', async () => {
    const bytes = new Uint8Array([0xff, 0xfe]);
    const [record] = await read([
      { name: 'text', data: ['é “x”'], type: 'STRING' },
      { name: 'integer', data: [2n], type: 'INT64' },
      { name: 'beyond 2^53', data: [2n ** 60n], type: 'INT64' },
      { name: 'null', data: [null], type: 'STRING', nullable: true },
      { name: 'JSON', data: [{ Steps: '1' }], type: 'JSON' },
      { name: 'date', data: [new Date(0)], type: 'TIMESTAMP' },
      { name: 'bytes', data: [bytes], type: 'BYTE_ARRAY' },
      { name: '__proto__', data: ['x'], type: 'STRING' },
    ]);
    expect(record?.line).toBe(1);
    expect(record?.value).toMatchObject({
      text: 'é “x”',
      integer: 2,
      'beyond 2^53': '1152921504606846976',
      null: null,
      JSON: { Steps: '1' },
      date: '1970-01-01T00:00:00.000Z',
      bytes,
    });
    expect(Object.getPrototypeOf(record?.value)).toBe(Object.prototype);
  });
});

describe('files', () => {
  test('records of several row groups keep their order and know their row', async () => {
    const data = Array.from({ length: 25 }, (_, index) => `q${index}`);
    const records = await read([{ name: 'id', data, type: 'STRING' }], { rowGroupSize: 10 });
    expect(records).toEqual(data.map((id, index) => ({ line: index + 1, value: { id } })));
  });

  const whole = new Uint8Array(parquetWriteBuffer({ columnData: TEXT }));

  test.each([
    ['no Parquet file', new TextEncoder().encode('{"task_id": "a"}\n')],
    ['an empty file', new Uint8Array()],
    ['a half of a file', whole.slice(0, whole.length / 2)],
    ['a file without its last byte', whole.slice(0, -1)],
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
    const bytes = whole.slice();
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
    expect(await awaitReply(worker, 5000)).toEqual({ rows: [1] });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
