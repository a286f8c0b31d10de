import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Loaded into each Node process of a run by NODE_OPTIONS, with --expose-gc: writes down what is held after a full
 * collection, and how many calls had begun by then.
 */

/** What one process held at one moment. */
export type Held = { readonly role: 'main' | 'worker'; readonly calls: number; readonly bytes: number };

const EVERY_MS = 1500;
/** A UUID and the end of its line. */
const LINE_BYTES = 37;

const folder = process.cwd();
const role = process.argv[1]?.endsWith('vitest.mjs') ? 'main' : 'worker';

setInterval(() => {
  const calls = Math.round((statSync(join(folder, 'calls.txt'), { throwIfNoEntry: false })?.size ?? 0) / LINE_BYTES);
  if (globalThis.gc === undefined) throw new Error('There is no gc(). Start Node with --expose-gc.');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const held: Held = { role, calls, bytes: heapUsed + external };
  appendFileSync(join(folder, 'heap.jsonl'), `${JSON.stringify(held)}\n`);
}, EVERY_MS).unref();
