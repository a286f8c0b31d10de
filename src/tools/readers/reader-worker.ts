import { parentPort, workerData } from 'node:worker_threads';
import type { FileKind } from './file-kind.ts';
import { ReadError } from './read-error.ts';
import { READERS, type Reading } from './registry.ts';
import type { ReaderAnswer } from './run-reader.ts';

async function answer({
  bytes,
  kind,
  name,
}: {
  bytes: Uint8Array;
  kind: FileKind;
  name: string;
}): Promise<ReaderAnswer> {
  try {
    const read = await READERS[kind]?.();
    if (read === undefined) return { problem: `is a ${kind} file, for which there is no reader` };
    return cap(await read(bytes, name));
  } catch (error) {
    if (error instanceof ReadError) return { problem: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `is broken, or no real ${kind} file (${reason.replace(/\s+/g, ' ').slice(0, 300)})` };
  }
}

const MAX_CHARACTERS = 5_000_000;

function cap(reading: Reading): Reading {
  if (reading.text.length <= MAX_CHARACTERS) return reading;
  const left = reading.text.length - MAX_CHARACTERS;
  return { ...reading, text: `${reading.text.slice(0, MAX_CHARACTERS)}\n[... ${left} more characters are not read]` };
}

// The thread of reader-child.ts; last in the file, since constants are not hoisted.
parentPort?.postMessage(await answer(workerData));
