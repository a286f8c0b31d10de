import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { EXTENSION } from '../../package.ts';
import { messageOf } from '../../words/thrown.ts';
import { told } from '../../words/told.ts';
import { parseJson } from './json-records.ts';
import { readBytes, readText } from './read-file.ts';
import { RecordError, type RecordFile } from './record.ts';
import { parseTable } from './table.ts';

/**
 * Reads a file of records in any known format; throws a RecordError when the file has none. Adds what
 * is wrong with single lines to `bad`; without it, throws the first.
 */
export async function readRecords(file: string, bad?: RecordError[]): Promise<RecordFile> {
  const source = await readByName(file, bad);
  if (source.records.length > 0) return source;
  throw new RecordError({
    file,
    problem: told`the file has no records`,
    remedy: 'Check the path.',
  });
}

async function readByName(file: string, bad?: RecordError[]): Promise<RecordFile> {
  if (/\.parquet$/i.test(file)) return readParquet(file);
  const text = readText(file);
  if (/\.[ct]sv$/i.test(file)) return parseTable(file, text, bad);
  return { file, records: parseJson(file, text, bad) };
}

/** Reading takes seconds. A file that takes minutes is broken or hostile. */
const DEADLINE_MS = 60_000;

const MAX_HEAP_MB = 2048;

/**
 * Reads a Parquet file into plain values as JSON has them; a record's `line` is its row, 1 for the
 * first. A 64-bit integer becomes a number (text beyond 2^53), a date ISO text, a JSON column its
 * value; bytes that are not UTF-8 text stay bytes. Rejects with a RecordError when the file is not
 * a complete Parquet file.
 */
export async function readParquet(file: string, deadlineMs = DEADLINE_MS): Promise<RecordFile> {
  const { rows, problem } = await readInThread(readBytes(file), deadlineMs);
  if (rows !== undefined)
    return { file, records: rows.map((value, row) => ({ line: row + 1, value })) };
  throw new RecordError({
    file,
    problem: told`the file is not a complete Parquet file`,
    detail: problem,
    remedy: 'Download it again.',
  });
}

type ThreadReply = Readonly<{ rows?: readonly unknown[]; problem?: string }>;

/**
 * Runs the parser in a thread, which can be ended: a few wrong bytes make it loop or allocate
 * without end.
 */
function readInThread(bytes: Uint8Array, deadlineMs: number): Promise<ThreadReply> {
  const worker = new Worker(new URL(`./parquet-worker${EXTENSION}`, import.meta.url), {
    workerData: Uint8Array.from(bytes).buffer,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    env: {},
  });
  return awaitReply(worker, deadlineMs);
}

/** The first message of a thread, which then is ended, or why there is none. */
export async function awaitReply(worker: Worker, deadlineMs: number): Promise<ThreadReply> {
  // A thread may fail after its answer, or while it is ended. Without a listener that would end the
  // process.
  worker.on('error', () => {});
  try {
    const [reply]: ThreadReply[] = await once(worker, 'message', {
      signal: AbortSignal.timeout(deadlineMs),
    });
    return reply ?? { problem: 'the reader returned nothing' };
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError')
      return { problem: `not read in ${deadlineMs / 1000} s` };
    return { problem: messageOf(error) };
  } finally {
    await worker.terminate();
  }
}
