import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;

/**
 * The lines of a UTF-8 file, one after the other and empty ones left out. The file is never held whole: the rows of a
 * long run are more than one text can be (512 MB).
 */
export function* readLines(file: string, chunkBytes: number = CHUNK_BYTES): Generator<string, void> {
  const descriptor = openSync(file, 'r');
  try {
    let torn: readonly Uint8Array[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const read = chunk.subarray(0, readSync(descriptor, chunk));
      if (read.length === 0) break;
      // A line break is one byte in UTF-8 and part of no other character, so whole lines decode on their own.
      const end = read.lastIndexOf(0x0a) + 1;
      if (end > 0) yield* toLines([...torn, read.subarray(0, end)]);
      torn = end > 0 ? [read.subarray(end)] : [...torn, read];
    }
    yield* toLines(torn);
  } finally {
    closeSync(descriptor);
  }
}

function toLines(parts: readonly Uint8Array[]): readonly string[] {
  const lines = Buffer.concat(parts).toString('utf8').split('\n');
  return lines.filter((line) => line !== '');
}
