import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hidesRecords, type PrivacySettings } from '../../words/audience.ts';
import {
  escapeControls,
  nameType,
  quote,
  showPath,
  showValue,
  tryOrUndefined,
} from '../../words/show.ts';
import { WriteError } from '../../words/write-error.ts';

/** One record as it was read, before its fields are known. */
export type RawRecord = Readonly<{
  /** The line on which the record starts; 1 for the first. */
  line: number;
  value: unknown;
  /** Its file, where those of several files are read as one. */
  file?: string;
  /**
   * The value with the text of each number that would lose digits, such as 1.10; absent when there
   * is none.
   */
  written?: unknown;
}>;

/** A file of records in any format. */
export type RecordFile = Readonly<{
  file: string;
  records: readonly RawRecord[];
  /** The first line of a table. */
  header?: TableHeader;
  /** What is wrong with lines that are no records. */
  bad?: readonly RecordError[];
}>;

/** The first line of a table, cell by cell, and what separates its columns. */
export type TableHeader = Readonly<{ cells: readonly string[]; separator: string }>;

/** Whether a value is an object with named fields: neither null nor an array. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that have a value: servers may refuse a null. */
export function omitNullish<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}

/** These fields of an object, in this order. */
export function pick<T extends object, K extends keyof T>(
  fields: T,
  ...names: readonly K[]
): Pick<T, K> {
  const kept: Partial<T> = {};
  for (const name of names) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Pick<T, K>;
}

/** The problem of a file or one of its records. */
export type RecordFault = Readonly<{
  file: string;
  /** 1 for the first line; absent for a problem of the whole file. */
  line?: number | undefined;
  /** Whether `line` counts the records of a list in a script: their lines are not known. */
  listed?: boolean | undefined;
  id?: string | undefined;
  /** The name of the field, as the file spells it. */
  field?: string | undefined;
  /** What is wrong. It quotes ids and field names, but no other text of the record. */
  problem: string;
  /** The value; not shown when the key is absent. */
  value?: unknown;
  /** The message of a parser or a rule. It may quote the record. */
  detail?: string | undefined;
  remedy: string;
  cause?: unknown;
}>;

/**
 * Bad data: file and line, what is wrong, the value, what to do. `idsOnly` is the message without
 * any text of the record, for places that must not show gated records.
 */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly idsOnly: string;
  /** The file, and the line if there is one. */
  readonly place: Pick<RecordFault, 'file' | 'line' | 'listed'>;

  constructor(fault: RecordFault) {
    const { file, line, listed, id, field, problem, remedy } = fault;
    const place = showPlace({ file, line, listed });
    const what = field === undefined ? problem : `${quote(field)} ${problem}`;
    const value = 'value' in fault ? `, got ${showValue(fault.value)}` : '';
    const detail =
      fault.detail === undefined ? '' : ` (${escapeControls(fault.detail).replace(/\.$/, '')})`;
    super(
      `${place}: ${what}${value}${detail}. ${remedy}`,
      'cause' in fault ? { cause: fault.cause } : undefined,
    );
    const withheld = 'value' in fault ? `, the value (${nameType(fault.value)}) is hidden` : '';
    this.place = { file, line, listed };
    this.idsOnly = `${place}${id === undefined ? '' : ` (id ${quote(id)})`}: ${what}${withheld}. ${remedy}`;
  }
}

/** "questions.jsonl:3", or "own.eval.ts, record 3" for a list in a script. */
export function showPlace({ file, line, listed }: RecordError['place']): string {
  if (line === undefined) return showPath(file);
  return showPath(file) + (listed === true ? `, record ${line}` : `:${line}`);
}

/** The error to show: when records are hidden, it names a bad record but leaves out its text. */
export function hideRecordText(error: unknown, settings: PrivacySettings): unknown {
  return error instanceof RecordError && hidesRecords(settings) ? new Error(error.idsOnly) : error;
}

/** Whether a path, also through links, leads to a file. */
export function isFile(path: string): boolean {
  return path !== '' && tryOrUndefined(() => statSync(path).isFile()) === true;
}

/** Opens a file for reading and returns its descriptor. Throws NotRegular for anything else. */
export function openRegular(path: string): number {
  const stats = statSync(path);
  if (!stats.isFile())
    throw new NotRegular(path, stats.isDirectory() ? 'a folder' : 'a device or pipe');
  return openSync(path, 'r');
}

/**
 * Makes a folder and its missing parents. Node's own `recursive: true` hangs below /proc. Throws a
 * WriteError.
 */
export function ensureFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(dirname(folder))) ensureFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw new WriteError(folder, error, 'made');
  }
}

/** Whether a folder, or a link to one, is at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A Buffer, in types that the package shows to projects without those of Node. */
type Bytes = Uint8Array<ArrayBuffer> & { toString(encoding?: 'utf8'): string };

/** Reads a whole file. Throws what `openRegular` throws. */
export function readRegular(path: string): Bytes {
  const descriptor = openRegular(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a UTF-8 text file without its byte order mark; throws a RecordError when the file is not
 * UTF-8 text or is empty.
 */
export function readText(file: string): string {
  const text = readAnyText(file, MOST_BYTES);
  // In UTF-16 each ASCII character comes with a NUL. Without a byte order mark that is valid UTF-8.
  if ((text[0] === '\0') !== (text[1] === '\0')) {
    throw new RecordError({ file, problem: 'the text is UTF-16, not UTF-8', remedy: AS_UTF8 });
  }
  if (text.trim() !== '') return text;
  throw new RecordError({ file, problem: 'the file is empty', remedy: 'Check the path.' });
}

const AS_UTF8 = 'Save the file as UTF-8.';

/** A string cannot have more than 512 million characters. */
const MOST_BYTES = 400_000_000;

/** Reads any UTF-8 text file, also an empty one. */
export function readAnyText(file: string, mostBytes: number): string {
  const bytes = readBytes(file, mostBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const problem = 'the text is not valid UTF-8';
    throw new RecordError({ file, problem, remedy: AS_UTF8, cause });
  }
}

/** Reads a whole file; throws a RecordError when it is not a file or cannot be read. */
export function readBytes(file: string, mostBytes: number = Number.POSITIVE_INFINITY): Bytes {
  try {
    const { size } = statSync(file);
    if (size <= mostBytes) return readRegular(file);
    const problem = `the file has ${size} bytes; at most ${mostBytes} are read`;
    throw new RecordError({ file, problem, remedy: 'Split it, or leave records out.' });
  } catch (error) {
    throw error instanceof RecordError ? error : toRecordError(file, error);
  }
}

/**
 * The code of a failed system call, such as "EACCES", which repeats no paths; the message of any
 * other error.
 */
export function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

/**
 * The error for a path that is neither a file nor a link to one. A pipe waits for its writer, and a
 * device may never end.
 */
class NotRegular extends Error {
  readonly what: 'a folder' | 'a device or pipe';

  constructor(path: string, what: NotRegular['what']) {
    super(`${path} must be a file, got ${what}. Replace it with a file, or remove it.`);
    this.what = what;
  }
}

function toRecordError(file: string, cause: unknown): RecordError {
  if (cause instanceof NotRegular) {
    const problem = `a file was expected, got ${cause.what}`;
    return new RecordError({ file, problem, remedy: 'Name the file with the records.' });
  }
  const code = toErrorCode(cause);
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const problem = isMissing ? 'no such file' : `the file cannot be read (${code})`;
  const remedy = file.includes(',') ? 'Name one file.' : 'Check the path.';
  return new RecordError({ file, problem, remedy, cause });
}

/**
 * SHA-256 over the bytes of files, in their order. It identifies the records as they were
 * published.
 */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readRegular(file));
  return hash.digest('hex');
}

/**
 * A field of a server's reply: compatible servers may leave out anything that the SDKs' types
 * promise.
 */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** A text field; null if it is missing or empty. */
export function textField(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The list, or undefined if it is empty. */
export function nonEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
