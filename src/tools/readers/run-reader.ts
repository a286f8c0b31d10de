import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { startConfined } from '../confined-node.ts';
import { type DocumentKind, ReadError, type Reading } from './reader.ts';

/** What a reader is asked: the bytes come on stdin. `parent` is the process id of who asks. */
export type ReaderRequest = {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly parent: number;
  readonly memoryMb: number;
};

export type ReaderAnswer = Reading | { readonly problem: string };

/** What one file may take up before it counts as hostile. */
export type ReaderLimits = { readonly deadlineMs: number; readonly memoryMb: number };

/** Readers at once: a run asks many questions at a time, and each reader may take much memory. */
const limit = pLimit(4);

const LIMITS: ReaderLimits = { deadlineMs: 60_000, memoryMb: 1_500 };

/**
 * Runs a reader in a process of its own, which may read its program and nothing else. It is ended when it takes too long
 * or too much memory: a few wrong bytes can make a parser loop or allocate without end. Rejects with a ReadError, or with
 * the signal's reason.
 */
export async function runReader(
  { bytes, kind, name }: { readonly bytes: Uint8Array; readonly kind: DocumentKind; readonly name: string },
  signal: AbortSignal,
  { deadlineMs, memoryMb }: ReaderLimits = LIMITS,
): Promise<Reading> {
  return limit(() => runOne(bytes, { kind, name, parent: process.pid, memoryMb }, signal, deadlineMs));
}

async function runOne(
  bytes: Uint8Array,
  request: ReaderRequest,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<Reading> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const answer = parseAnswer(await runChild(request, bytes, AbortSignal.any([signal, deadline])), request);
    if ('text' in answer) return answer;
    throw new ReadError(answer.problem);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) throw new ReadError(`takes longer to read than ${deadlineMs / 1000} s, the limit for a file`);
    throw error;
  }
}

async function runChild(request: ReaderRequest, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { child, ended } = await startConfined(CHILD, FOLDER, signal, [JSON.stringify(request)]);
  child.stdin.end(bytes);
  const [reply] = await Promise.all([readAll(child.stdout), ended]);
  return reply;
}

/** A process that dies without a word has run out of memory: it is not ended otherwise. */
function parseAnswer(reply: string, { memoryMb }: ReaderRequest): ReaderAnswer {
  if (reply === '') return { problem: `needs more memory to be read than ${memoryMb} MB, the limit for a file` };
  const { text, pages, problem }: { text?: unknown; pages?: unknown; problem?: unknown } = JSON.parse(reply);
  if (typeof text !== 'string') return { problem: String(problem) };
  return typeof pages === 'number' ? { text, pages } : { text };
}

const CHILD = fileURLToPath(new URL('./reader-child.ts', import.meta.url));
/** A reader reads nothing but viva's source and the installed packages. */
const FOLDER = fileURLToPath(new URL('../../', import.meta.url));
