import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathWithin, tryOrUndefined } from '../../words/show.ts';
import { plainly, told } from '../../words/told.ts';
import { WriteError } from '../../words/write-error.ts';
import { RecordError } from './record.ts';

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

/** Lets only the user into a folder; somebody else's folder stays as it is. */
export function keepToUser(folder: string): void {
  tryOrUndefined(() => chmodSync(folder, 0o700));
}

/** Whether a folder, or a link to one, is at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A Buffer, in types that the package shows to projects without those of Node. */
type Bytes = Uint8Array<ArrayBuffer> & { toString(encoding?: 'utf8'): string };

/** Throws what `openRegular` throws. */
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
    throw new RecordError({ file, problem: told`the text is UTF-16, not UTF-8`, remedy: AS_UTF8 });
  }
  if (text.trim() !== '') return text;
  throw new RecordError({ file, problem: told`the file is empty`, remedy: 'Check the path.' });
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
    const problem = told`the text is not valid UTF-8`;
    throw new RecordError({ file, problem, remedy: AS_UTF8, cause });
  }
}

/** Throws a RecordError for what is not a file, cannot be read or is too long. */
export function readBytes(file: string, mostBytes: number = Number.POSITIVE_INFINITY): Bytes {
  try {
    const { size } = statSync(file);
    if (size <= mostBytes) return readRegular(file);
    const problem = told`the file has ${size} bytes; at most ${mostBytes} are read`;
    throw new RecordError({ file, problem, remedy: 'Split it, or leave records out.' });
  } catch (error) {
    throw error instanceof RecordError ? error : toRecordError(file, error);
  }
}

/** Whether a path leaves a folder through links. Throws where there is no such path. */
export function leadsOut(folder: string, path: string): boolean {
  const [real, inside] = [realpathSync(path), realpathSync(folder)];
  return ![inside, hubBlobs(inside)].some(
    (each) => each !== null && pathWithin(each, real) !== null,
  );
}

/**
 * The cache of the Hugging Face Hub keeps a dataset as
 * `datasets--owner--name/snapshots/<revision>/...`, where every file is a link into
 * `datasets--owner--name/blobs`. Returns the folder of blobs for a folder in such a snapshot, since
 * links into it stay inside the dataset; else null.
 */
function hubBlobs(folder: string): string | null {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const parent = dirname(at);
    if (basename(at) === 'snapshots' && basename(parent).startsWith('datasets--'))
      return join(parent, 'blobs');
  }
  return null;
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
    const problem = told`a file was expected, got ${plainly(cause.what)}`;
    return new RecordError({ file, problem, remedy: 'Name the file with the records.' });
  }
  const code = toErrorCode(cause);
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const problem = isMissing ? told`no such file` : told`the file cannot be read (${plainly(code)})`;
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
