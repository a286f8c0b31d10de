import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FileKind } from './file-kind.ts';
import { ReadError } from './read-error.ts';
import type { Reading } from './registry.ts';

export type ReaderRequest = { readonly bytes: Uint8Array; readonly kind: FileKind; readonly name: string };
export type ReaderAnswer = Reading | { readonly problem: string };

/** What one file may take up before it counts as hostile. */
export type ReaderLimits = {
  readonly deadlineMs: number;
  /** Of the heap, and once more of what lies beside it. */
  readonly memoryMb: number;
};

const LIMITS: ReaderLimits = { deadlineMs: 60_000, memoryMb: 1_000 };
const LOOK_EVERY_MS = 100;

/**
 * Runs a reader in a thread of its own, which is ended when it takes too long or too much: a few wrong bytes can make a
 * parser loop or allocate without end. Rejects with a ReadError, or with the signal's reason.
 */
export async function runReader(
  request: ReaderRequest,
  signal: AbortSignal,
  { deadlineMs, memoryMb }: ReaderLimits = LIMITS,
): Promise<Reading> {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    env: {},
    stderr: true,
    stdout: true,
  });
  const tooMuch = new AbortController();
  const watch = setInterval(() => void endWhenTooLarge(worker, memoryMb, tooMuch), LOOK_EVERY_MS);
  try {
    const stop = AbortSignal.any([signal, tooMuch.signal, AbortSignal.timeout(deadlineMs)]);
    const [answer]: ReaderAnswer[] = await once(worker, 'message', { signal: stop });
    if (answer !== undefined && 'text' in answer) return answer;
    throw new ReadError(answer?.problem ?? 'could not be read');
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, tooMuch.signal.aborted, deadlineMs);
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

/** Buffers lie outside of the heap that a thread can be held to. */
async function endWhenTooLarge(worker: Worker, memoryMb: number, tooMuch: AbortController): Promise<void> {
  const used = await worker.getHeapStatistics().catch(() => null);
  if (used !== null && used.external_memory > memoryMb * 1_000_000) tooMuch.abort();
}

function explain(error: unknown, isTooLarge: boolean, deadlineMs: number): ReadError {
  if (error instanceof ReadError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (isTooLarge || code === 'ERR_WORKER_OUT_OF_MEMORY') return new ReadError('needs too much memory to be read');
  if (code === 'ABORT_ERR') return new ReadError(`cannot be read in ${deadlineMs / 1000} seconds`);
  return new ReadError(`cannot be read (${error instanceof Error ? error.message : String(error)})`);
}
