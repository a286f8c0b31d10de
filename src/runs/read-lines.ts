import { closeSync, readSync } from 'node:fs';
import { openRegular } from '../files/regular-file.ts';

export type ReadOptions = {
  readonly chunkBytes?: number;
  /** A line that is longer by a chunk is left out: what damage has made of a file need not fit into memory. */
  readonly mostBytes?: number;
  /** Hears of each line that is left out for its length. */
  readonly onTooLong?: () => void;
};

const CHUNK_BYTES = 1 << 20;

/** One text can be of 512 MB. */
const MOST_BYTES = 256 * 2 ** 20;

/**
 * The lines of a UTF-8 file, one after the other and empty ones left out. The file is never held whole: the rows of a
 * long run are more than one text can be. Throws NotRegular for what is no file.
 */
export function* readLines(file: string, options: ReadOptions = {}): Generator<string, void> {
  const { chunkBytes = CHUNK_BYTES, mostBytes = MOST_BYTES, onTooLong } = options;
  const descriptor = openRegular(file);
  try {
    let torn: readonly Uint8Array[] = [];
    let isTooLong = false;
    let chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const read = chunk.subarray(0, readSync(descriptor, chunk));
      if (read.length === 0) break;
      // A line break is one byte in UTF-8 and part of no other character, so whole lines decode on their own.
      const end = read.lastIndexOf(0x0a) + 1;
      if (isTooLong && end === 0) continue;
      const start = isTooLong ? read.indexOf(0x0a) + 1 : 0;
      if (end > start) yield* toLines([...torn, read.subarray(start, end)]);
      torn = end > 0 ? [read.subarray(end)] : [...torn, read];
      isTooLong = sizeOf(torn) > mostBytes;
      // What waits for its end stays in its chunk.
      chunk = isTooLong ? chunk : Buffer.allocUnsafe(chunkBytes);
      if (!isTooLong) continue;
      onTooLong?.();
      torn = [];
    }
    yield* toLines(torn);
  } finally {
    closeSync(descriptor);
  }
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((size, part) => size + part.length, 0);
}

function toLines(parts: readonly Uint8Array[]): readonly string[] {
  const lines = Buffer.concat(parts).toString('utf8').split('\n');
  return lines.filter((line) => line !== '');
}
