import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { RecordError } from './record-error.ts';
import { NotRegular, openRegular } from './regular-file.ts';

/** A text of more than 512 million characters cannot be held; what is written of it may be somewhat longer. */
const MOST_BYTES = 400_000_000;

/** Reads a UTF-8 text file without its byte order mark; throws a RecordError when there is no such text. */
export function readText(file: string, mostBytes: number = MOST_BYTES): string {
  const text = readAnyText(file, mostBytes);
  if (text.trim() === '') {
    throw new RecordError({ file, problem: 'the file is empty', remedy: 'Check the path or download the file again.' });
  }
  return text;
}

/** `readText` of a file that may be empty. */
export function readAnyText(file: string, mostBytes: number): string {
  return decode(file, readBytes(file, mostBytes));
}

/** Reads a file whole; throws a RecordError when it is none or cannot be read. */
export function readBytes(file: string, mostBytes: number = Number.POSITIVE_INFINITY): Uint8Array {
  let descriptor: number | null = null;
  try {
    descriptor = openRegular(file);
    const { size } = fstatSync(descriptor);
    if (size > mostBytes) throw tooLarge(file, size, mostBytes);
    return readFileSync(descriptor);
  } catch (error) {
    if (error instanceof RecordError) throw error;
    throw toRecordError(file, error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function tooLarge(file: string, size: number, most: number): RecordError {
  return new RecordError({
    file,
    problem: `the file has ${size} bytes; at most ${most} are read`,
    remedy: 'Split it, or leave records out.',
  });
}

function toRecordError(file: string, cause: unknown): RecordError {
  if (cause instanceof NotRegular) {
    const problem = `a file was expected, got ${cause.what}`;
    return new RecordError({ file, problem, remedy: 'Name the file with the records.' });
  }
  const code = toErrorCode(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new RecordError({ file, problem: 'no such file', remedy: 'Check the path.', cause });
  }
  return new RecordError({
    file,
    problem: `the file cannot be read (${code})`,
    remedy: 'Check the path and its permissions.',
    cause,
  });
}

/** The code of a failed system call, such as "EACCES". */
export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RecordError({
      file,
      line: findBrokenLine(bytes),
      problem: 'the text is not valid UTF-8',
      remedy: 'Save the file as UTF-8.',
      cause,
    });
  }
}

function findBrokenLine(bytes: Uint8Array): number {
  // A line break is one byte in UTF-8 and part of no other character, so whole lines decode on their own.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(start, stop));
    } catch {
      return line;
    }
    start = stop;
  }
  return line;
}

/** One record as it was read, before anything is known of its fields. */
export type RawRecord = {
  /** The line on which the record starts; 1 for the first. */
  readonly line: number;
  readonly value: unknown;
};

/** A file of records, whatever its format was. */
export type RecordFile = {
  readonly file: string;
  readonly records: readonly RawRecord[];
  /** The first row of a table, as spelt; absent when the format has no columns. */
  readonly header?: readonly string[];
  /** True for a table whose first row is a record: its columns are "column 1", "column 2" and so on. */
  readonly headerless?: boolean;
  readonly notes: readonly string[];
};

/** How one file format becomes records. */
export type RecordFormat = {
  readonly name: string;
  /** Whether this reader takes the file, by its name and its text. */
  reads(file: string, text: string): boolean;
  /** Throws, or rejects with, a RecordError for text that is not in the format. */
  parse(file: string, text: string): RecordFile | Promise<RecordFile>;
};
