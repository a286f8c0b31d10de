import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openRegular } from '../data/files/read-file.ts';
import { escapeJson, tryOrUndefined } from '../words/show.ts';
import { WriteError, writing } from '../words/write-error.ts';

const LINE_BREAK = 0x0a;

/** A loss of power takes at most the lines of this time. */
const SYNC_EVERY_MS = 1000;

/** The files with lines that the system may still have in memory alone. */
const unsynced = new Set<LineFile>();

/** What is being put on the disk now. */
const syncing = new Set<Promise<void>>();

/**
 * A file to which lines are appended, which are put on the disk once a second. A full disk may cut
 * a line off: `append` then throws, and the next line begins on a new line.
 */
export class LineFile {
  readonly #path: string;
  readonly #descriptor: number;
  #isTorn: boolean;
  #isSyncing = false;
  /** Why lines did not reach the disk. */
  #fault: unknown = null;

  /** `mode` is that of a file that does not exist yet. */
  constructor(path: string, mode?: number) {
    this.#path = path;
    this.#descriptor = writing(path, () => openSync(path, 'a+', mode));
    this.#isTorn = endsWithinLine(this.#descriptor);
  }

  /** Appends whole lines, each with its line break. Throws a WriteError. */
  append(lines: string): void {
    // Writes to a deleted file succeed and are lost. Looking takes half a microsecond.
    if (fstatSync(this.#descriptor).nlink === 0)
      throw new Error(`${this.#path} was removed while it was written to`);
    const text = this.#isTorn ? `\n${lines}` : lines;
    if (this.#fault !== null) throw this.#fault;
    this.#isTorn = true;
    writing(this.#path, () => appendFileSync(this.#descriptor, text));
    this.#isTorn = false;
    unsynced.add(this);
    if (!this.#isSyncing) void this.#syncEachSecond();
  }

  /** Puts the appended lines on the disk. */
  async sync(): Promise<void> {
    if (!unsynced.delete(this)) return;
    const synced = promisify(fdatasync)(this.#descriptor).catch((error: unknown) => {
      throw new WriteError(this.#path, error);
    });
    syncing.add(synced);
    await synced.finally(() => syncing.delete(synced));
  }

  async #syncEachSecond(): Promise<void> {
    this.#isSyncing = true;
    try {
      while (unsynced.has(this)) {
        await sleep(SYNC_EVERY_MS, null, { ref: false });
        await this.sync();
      }
    } catch (error) {
      this.#fault = error;
    } finally {
      this.#isSyncing = false;
    }
  }

  close(): void {
    unsynced.delete(this);
    closeSync(this.#descriptor);
  }
}

/** Puts the appended lines of all files on the disk. */
export async function syncLines(): Promise<void> {
  await Promise.all([...syncing, ...[...unsynced].map((file) => file.sync())]);
}

function endsWithinLine(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  if (!stats.isFile() || stats.size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, stats.size - 1);
  return last[0] !== LINE_BREAK;
}

/**
 * The lines of a UTF-8 file, one by one, without empty ones. The file is never in memory as a
 * whole: a long run has more text than one string can have. Throws NotRegular if it is not a file.
 */
export function* readLines(file: string, chunkBytes?: number): Generator<string, void> {
  const reader = new LineReader(file, chunkBytes);
  try {
    yield* reader.readWhole();
    yield* reader.readRest();
  } finally {
    reader.close();
  }
}

/** Reads the lines of a file that may still grow, as `readLines` does. */
export class LineReader {
  readonly #descriptor: number;
  readonly #chunk: Buffer;
  #position: number;
  /** The beginning of a line that is not whole yet. */
  #torn: readonly Uint8Array[] = [];

  /**
   * Begins at the byte `from`. Small chunks: the buffers of those that were read stay until memory is
   * collected.
   */
  constructor(file: string, chunkBytes = 1 << 16, from = 0) {
    this.#descriptor = openRegular(file);
    this.#chunk = Buffer.allocUnsafe(chunkBytes);
    this.#position = from;
  }

  /** The byte behind the last whole line. */
  get wholeBytes(): number {
    return this.#torn.reduce((end, { length }) => end - length, this.#position);
  }

  /** The whole lines since the last call. */
  *readWhole(): Generator<string, void> {
    for (;;) {
      const { length } = this.#chunk;
      const count = readSync(this.#descriptor, this.#chunk, 0, length, this.#position);
      const read = this.#chunk.subarray(0, count);
      if (read.length === 0) return;
      this.#position += read.length;
      // In UTF-8 the byte of a line break is in no other character, so each line can be decoded by
      // itself.
      const end = read.lastIndexOf(LINE_BREAK) + 1;
      const whole = end > 0 ? toLines([...this.#torn, read.subarray(0, end)]) : [];
      // A copy: the next chunk takes the place of this one.
      const rest = Buffer.from(read.subarray(end));
      this.#torn = end > 0 ? [rest] : [...this.#torn, rest];
      yield* whole;
    }
  }

  /** The last line, if it has no line break. */
  *readRest(): Generator<string, void> {
    yield* toLines(this.#torn);
    this.#torn = [];
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function toLines(parts: readonly Uint8Array[]): readonly string[] {
  const lines = Buffer.concat(parts).toString('utf8').split('\n');
  return lines.filter((line) => line !== '');
}

/** Writes a file completely or not at all, even in a crash. */
export function writeWhole(file: string, text: string): void {
  writeLines(file, [text]);
}

/** Writes a value as indented JSON, completely or not at all. */
export function writeJson(file: string, value: unknown): void {
  writeWhole(file, `${escapeJson(value, 2)}\n`);
}

/**
 * Like `writeWhole`, for lines that together may be longer than a string can be (512 million
 * characters).
 */
export function writeLines(file: string, lines: Iterable<string>): void {
  writeAside(file, (descriptor) => {
    for (const batch of toBatches(lines)) appendFileSync(descriptor, batch);
  });
}

/** Like `writeWhole`, for what `write` writes to a descriptor. Throws a WriteError. */
export function writeAside(file: string, write: (descriptor: number) => void): void {
  // As root, a file would replace the device.
  const isDevice = dirname(file) === '/dev' && existsSync(file);
  const aside = isDevice ? file : `${file}.${process.pid}.tmp`;
  try {
    writing(
      file,
      () => {
        const descriptor = openSync(aside, 'w');
        try {
          write(descriptor);
        } finally {
          closeSync(descriptor);
        }
        if (!isDevice) renameSync(aside, file);
      },
      aside,
    );
  } catch (error) {
    // Free the space again. The old file stays.
    if (!isDevice) tryOrUndefined(() => rmSync(aside, { force: true }));
    throw error;
  }
}

/** A write costs more than a line. */
const BATCH_LENGTH = 1 << 16;

function* toBatches(lines: Iterable<string>): Generator<string, void> {
  let batch = '';
  for (const line of lines) {
    // Long texts stay alone: one character beyond Latin-1 doubles the memory of the whole text
    // around it.
    if (batch.length + line.length > BATCH_LENGTH) {
      yield batch;
      batch = '';
    }
    batch += line;
  }
  yield batch;
}
