import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { openRegular } from '../records/files.ts';
import { escapeJson } from '../text/show.ts';

/**
 * A file that lines are appended to. What a full disk cuts off is the rest of one line: a line is written to its end or
 * its writing throws, and the next one does not join what is left of it.
 */
export class LineFile {
  readonly #path: string;
  readonly #descriptor: number;
  #isTorn: boolean;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'a+');
    this.#isTorn = endsWithinLine(this.#descriptor);
  }

  /** Appends whole lines, each with its line break. */
  append(lines: string): void {
    this.#requireLinked();
    const bytes = Buffer.from(this.#isTorn ? `\n${lines}` : lines);
    this.#isTorn = true;
    for (let done = 0; done < bytes.length; ) done += this.#write(bytes, done);
    this.#isTorn = false;
  }

  /** Appends one line, and gives what reads it again, "" once it is gone: a line that is on disk need not be held. */
  appendLine(line: string): () => string {
    this.append(`${line}\n`);
    const length = Buffer.byteLength(line);
    const start = fstatSync(this.#descriptor).size - 1 - length;
    return () => readPart(this.#path, start, length);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** What is written to a file that was removed, alone or with its folder, ends with this process. */
  #requireLinked(): void {
    if (fstatSync(this.#descriptor).nlink === 0) throw new Error(`${this.#path} was removed while it was written to`);
  }

  /** A nearly full disk takes a part, and says so in nothing but its count. */
  #write(bytes: Uint8Array, from: number): number {
    const written = writeSync(this.#descriptor, bytes, from);
    if (written === 0) throw new Error(`The disk took ${from} of ${bytes.length} bytes. Free space on it.`);
    return written;
  }
}

function readPart(path: string, start: number, length: number): string {
  const bytes = Buffer.alloc(length);
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'r');
    readSync(descriptor, bytes, 0, length, start);
    return bytes.toString('utf8');
  } catch {
    return '';
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function endsWithinLine(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  if (!stats.isFile() || stats.size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, stats.size - 1);
  return last.toString('latin1') !== '\n';
}

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

/** Writes a file whole or not at all: a reader, or a crash, never meets half of it. */
export function writeWhole(file: string, text: string): void {
  replace(file, (aside) => writeFileSync(aside, text));
}

const MOST_CHARACTERS = 1 << 20;

/** As `writeWhole`, of lines that together may be longer than a text can be (512 million characters). */
export function writeLines(file: string, lines: Iterable<string>): void {
  replace(file, (aside) => appendInPortions(aside, lines));
}

/** Writes a value as indented JSON, whole or not at all. */
export function writeJson(file: string, value: unknown): void {
  writeWhole(file, `${escapeJson(value, 2)}\n`);
}

function appendInPortions(file: string, lines: Iterable<string>): void {
  writeFileSync(file, '');
  let waiting = '';
  for (const line of lines) {
    waiting += line;
    if (waiting.length < MOST_CHARACTERS) continue;
    appendFileSync(file, waiting);
    waiting = '';
  }
  appendFileSync(file, waiting);
}

/** What a full disk took of the new file is given back, and the old one stays. */
function replace(file: string, write: (aside: string) => void): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    write(aside);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
