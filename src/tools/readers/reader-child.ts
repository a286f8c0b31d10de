import { buffer as readAll } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ReadError } from './zip.ts';

/*
 * The program that reads one document for `readDocument`: its bytes on stdin, {text, pages} or {problem} as JSON on
 * stdout. The reader works in a thread, so that the main thread can watch the memory that it takes.
 */

/** `parent` is the process that asks. */
export type ReaderRequest = {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly parent: number;
  readonly memoryMb: number;
};

export type ReaderAnswer = ReadText | { readonly problem: string };

/** What a reader finds in a file; `pages` of a PDF. */
export type ReadText = { readonly text: string; readonly pages?: number };

type Reader = (bytes: Uint8Array, name: string) => ReadText | Promise<ReadText>;

/** Readers by kind of file. Each is loaded on first use, with its library. To add one: its file and a line here. */
const READERS = {
  pdf: async () => (await import('./documents.ts')).readPdf,
  docx: async () => (await import('./documents.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./documents.ts')).readPptx,
} as const satisfies Readonly<Record<string, () => Promise<Reader>>>;

/** The kinds of files that have a reader. */
export type DocumentKind = keyof typeof READERS;

const WATCH_EVERY_MS = 50;
const MAX_CHARACTERS = 5_000_000;

if (isMainThread) await superviseThread();
else parentPort?.postMessage(await answer(workerData.request, workerData.bytes));

async function superviseThread(): Promise<void> {
  const request: ReaderRequest = JSON.parse(process.argv[2] ?? '');
  // It ends without an answer when memory runs out. A parent that is killed can no longer end it.
  setInterval(() => {
    if (process.memoryUsage.rss() > request.memoryMb * 1_000_000 || process.ppid !== request.parent) process.exit(1);
  }, WATCH_EVERY_MS).unref();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { request, bytes: await readAll(process.stdin) },
    resourceLimits: { maxOldGenerationSizeMb: request.memoryMb },
  });
  const reply = (answer: ReaderAnswer) => process.stdout.write(JSON.stringify(answer), () => process.exit(0));
  worker.once('message', reply);
  worker.once('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') process.exit(1);
    reply({ problem: `cannot be read (${error.message})` });
  });
}

async function answer({ kind, name }: ReaderRequest, bytes: Uint8Array): Promise<ReaderAnswer> {
  try {
    const read = await READERS[kind]();
    const { text, ...rest } = await read(bytes, name);
    if (text.length <= MAX_CHARACTERS) return { text, ...rest };
    const left = text.length - MAX_CHARACTERS;
    return { text: `${text.slice(0, MAX_CHARACTERS)}\n[... ${left} more characters are not read]`, ...rest };
  } catch (error) {
    if (error instanceof ReadError) return { problem: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `is broken, or no real ${kind} file (${reason.replace(/\s+/g, ' ').slice(0, 300)})` };
  }
}
