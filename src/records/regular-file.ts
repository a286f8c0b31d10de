import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What stands at a path is neither a file nor a link to one. */
export class NotRegular extends Error {
  readonly what: 'a folder' | 'a device or pipe';

  constructor(path: string, what: NotRegular['what']) {
    super(`${path} must be a file, got ${what}. Put the file itself there, or take this away.`);
    this.what = what;
  }
}

/**
 * Opens a file for reading, through links, and gives its descriptor. Throws NotRegular for anything else: a pipe waits
 * for who writes to it, a device may never end. What stands at a path may change between a look and the opening, so
 * that what was opened is looked at.
 */
export function openRegular(path: string): number {
  const descriptor = openAtOnce(path);
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return descriptor;
  closeSync(descriptor);
  throw new NotRegular(path, stats.isDirectory() ? 'a folder' : 'a device or pipe');
}

/** A file of so many bytes or more is read in no one piece: Node would throw an error that names no file. */
export const TOO_MANY_BYTES = 2 ** 31;

/** Reads a file whole, as `openRegular` opens it. */
export function readRegular(path: string): Buffer {
  const descriptor = openRegular(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A system without such pipes has no such flags: undefined counts as 0 here. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function openAtOnce(path: string): number {
  try {
    return openSync(path, AT_ONCE);
  } catch (error) {
    // A socket cannot be opened at all.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    throw code === 'ENXIO' || code === 'EOPNOTSUPP' ? new NotRegular(path, 'a device or pipe') : error;
  }
}

/** Why something could not be done with a file, in a word: a system's message would repeat whole paths. */
export function toFaultWord(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

/**
 * Makes a folder and those above it. Node's own recursive mkdir never returns where a file system says "no such file"
 * to a new folder in one that is there, as /proc does.
 */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(folder)) throw error;
  }
}
