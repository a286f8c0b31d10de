import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type RecordFile, readBytes } from './read-text.ts';
import { RecordError } from './record-error.ts';

/** Minutes of work for thousands of questions would be a broken or hostile file. */
const DEADLINE_MS = 60_000;
const MAX_HEAP_MB = 2048;

/**
 * Reads a Parquet file into plain values as JSON has them; a record's `line` is its row, 1 for the first. A 64-bit
 * integer becomes a number (text beyond 2^53), a date ISO text, a JSON column what it spells; bytes that are no UTF-8
 * text stay bytes. Rejects with a RecordError when the file is no whole Parquet file.
 */
export async function readParquet(file: string, deadlineMs = DEADLINE_MS): Promise<RecordFile> {
  const answer = await readInThread(readBytes(file), deadlineMs);
  if ('rows' in answer)
    return { file, records: answer.rows.map((value, row) => ({ line: row + 1, value })), notes: [] };
  throw new RecordError({
    file,
    problem: 'the file is not a whole Parquet file',
    detail: answer.problem,
    remedy: 'Download it again.',
  });
}

/** Whether a file is read as Parquet, by its name. */
export function isParquet(file: string): boolean {
  return file.toLowerCase().endsWith('.parquet');
}

type Answer = { readonly rows: readonly unknown[] } | { readonly problem: string };

/** In a thread, because a few wrong bytes make the parser loop or allocate without end, and a thread can be ended. */
async function readInThread(bytes: Uint8Array, deadlineMs: number): Promise<Answer> {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), {
    workerData: Uint8Array.from(bytes).buffer,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    env: {},
  });
  try {
    const [answer]: Answer[] = await once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) });
    return answer ?? { problem: 'the reader gave nothing' };
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return { problem: `not read in ${deadlineMs / 1000} s` };
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await worker.terminate();
  }
}
