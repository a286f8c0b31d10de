import { buffer as readAll } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import type { ReaderRequest } from './run-reader.ts';

/*
 * The program that `runReader` starts: the bytes of a file on stdin, {text, pages} or {problem} as JSON on stdout. The
 * reader works in a thread, so that this one is free to see how much memory it takes.
 */

const LOOK_EVERY_MS = 50;

const request: ReaderRequest = JSON.parse(process.argv[2] ?? '');

// Without an answer: that is how the parent knows. One that was killed, as on Ctrl-C, cannot end this process any more.
setInterval(() => {
  if (process.memoryUsage.rss() > request.memoryMb * 1_000_000 || process.ppid !== request.parent) process.exit(1);
}, LOOK_EVERY_MS).unref();

const bytes = await readAll(process.stdin);
const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
  workerData: { bytes, kind: request.kind, name: request.name },
  resourceLimits: { maxOldGenerationSizeMb: request.memoryMb },
});
worker.once('message', reply);
worker.once('error', (error) => {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') process.exit(1);
  reply({ problem: `cannot be read (${error.message})` });
});

function reply(answer: unknown): void {
  process.stdout.write(JSON.stringify(answer), () => process.exit(0));
}
