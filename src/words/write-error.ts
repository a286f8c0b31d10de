import { showPath } from './show.ts';
import { causesOf, messageOf } from './thrown.ts';

/** What the system says, by the code of its error. To make a folder writable helps with few. */
const PROBLEMS: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  ENOSPC: ['the disk is full', 'Free space there ("df -h" and "df -i" show what is left)'],
  EDQUOT: ['your disk quota is used up', 'Remove files of yours there'],
  EFBIG: ['the file would be larger than it may be', 'Allow larger files (ulimit -f)'],
  EROFS: ['the file system is read-only', 'Mount it so that it can be written'],
  EACCES: ['you may not write there', 'Make that folder writable'],
  EPERM: ['the system does not allow it', 'Make that folder writable'],
  EMFILE: [
    'the process has too many files open',
    'Allow more (ulimit -n) or lower EVAL_CONCURRENCY',
  ],
  ENFILE: ['the machine has too many files open', 'End other programs'],
  ENOENT: ['its folder does not exist', 'Make that folder'],
  ENOTDIR: ['a file is where a folder is needed', 'Move that file away'],
  EEXIST: ['something else has that name', 'Move it away'],
  EISDIR: ['a folder has that name', 'Move it away'],
  ENAMETOOLONG: ['the path is too long', 'Use a shorter one'],
  ELOOP: ['symbolic links in its path form a loop', 'Correct them'],
  EBUSY: ['another program uses it', 'End that program'],
  EIO: ['the disk has failed', 'Check it'],
};

/** Another folder does not help with these. */
const ANYWHERE: readonly string[] = ['EFBIG', 'EMFILE', 'ENFILE'];

/**
 * Why something cannot be written, "the disk is full (ENOSPC)", and what to do, both without a full
 * stop. The error is that of a system call, or has it as its cause. `way` is another way out where
 * another folder helps: "set EVAL_DIR to another folder".
 */
export function explainWrite(
  error: unknown,
  way: string | null = null,
): Readonly<{ why: string; remedy: string }> {
  const code =
    causesOf(error)
      .map(codeOf)
      .find((known) => Object.hasOwn(PROBLEMS, known)) ?? '';
  const [why, remedy] = PROBLEMS[code] ?? [messageOf(error), 'Check the disk'];
  return {
    why: code === '' ? why : `${why} (${code})`,
    remedy: way === null || ANYWHERE.includes(code) ? remedy : `${remedy}, or ${way}`,
  };
}

/** What cannot be written, why, and what to do. It has the code of the system's error. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  readonly code: string;
  readonly #what: string;

  /** `deed` is what was tried: "written", "removed". */
  constructor(path: string, cause: unknown, deed = 'written') {
    const what = `${showPath(path)} cannot be ${deed}`;
    super(describeProblem(what, cause), { cause });
    this.code = codeOf(cause);
    this.#what = what;
  }

  /** The message with another way out, as `explainWrite` takes it. */
  or(way: string): string {
    return describeProblem(this.#what, this.cause, way);
  }
}

/**
 * Runs what writes a file or makes a folder, first under the path `aside`. The error of a system
 * call on that path, or on an open file, becomes a WriteError. Others stay: they may be those of what
 * is written.
 */
export function writing<T>(path: string, write: () => T, aside = path): T {
  try {
    return write();
  } catch (error) {
    throw isOfPath(error, aside) ? new WriteError(path, error) : error;
  }
}

function describeProblem(what: string, cause: unknown, way?: string): string {
  const { why, remedy } = explainWrite(cause, way);
  return `${what}: ${why}. ${remedy}.`;
}

/** Calls on open files name no path. */
function isOfPath(error: unknown, path: string): boolean {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  const named = 'path' in error ? error.path : undefined;
  return error.syscall !== 'read' && (named === undefined || named === path);
}

function codeOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : '';
}
