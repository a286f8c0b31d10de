import { buffer as readAll } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { READERS, ReadError, type Reading } from './reader.ts';
import type { ReaderAnswer, ReaderRequest } from './run-reader.ts';

/*
 * The program that `runReader` starts: the bytes of a file on stdin, {text, pages} or {problem} as JSON on stdout. The
 * reader works in a thread, so that the main thread is free to watch the memory that it takes.
 */

const WATCH_EVERY_MS = 50;
const MAX_CHARACTERS = 5_000_000;

async function superviseThread(): Promise<void> {
  const request: ReaderRequest = JSON.parse(process.argv[2] ?? '');
  // It ends without an answer when memory runs out. After a Ctrl-C its parent is gone and can no longer end it.
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
    return cap(await read(bytes, name));
  } catch (error) {
    if (error instanceof ReadError) return { problem: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `is broken, or no real ${kind} file (${reason.replace(/\s+/g, ' ').slice(0, 300)})` };
  }
}

function cap(reading: Reading): Reading {
  if (reading.text.length <= MAX_CHARACTERS) return reading;
  const left = reading.text.length - MAX_CHARACTERS;
  return { ...reading, text: `${reading.text.slice(0, MAX_CHARACTERS)}\n[... ${left} more characters are not read]` };
}

if (isMainThread) await superviseThread();
else parentPort?.postMessage(await answer(workerData.request, workerData.bytes));
