import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

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
