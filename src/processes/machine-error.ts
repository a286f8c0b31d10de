import { quote } from '../text/show.ts';
import { AgentError } from '../types.ts';

/** Causes below this are not looked at: a chain may be endless. */
const MAX_CAUSES = 5;

/**
 * The error "machine", which is not kept, when this computer had no file, process or memory to spare, or could not start
 * its own program: that says nothing of who asked. Null when it was something else, such as a line that is too long.
 * `what` could not be done: "start the command".
 */
export function toMachineError(error: unknown, what: string): AgentError | null {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if (current instanceof AgentError && current.kind === 'machine') return current;
    const remedy = findRemedy(current);
    if (remedy !== null) {
      return new AgentError('machine', `The machine cannot ${what} (${current.message}). ${remedy}`, { cause: error });
    }
    current = current.cause;
  }
  return null;
}

function findRemedy(error: NodeJS.ErrnoException): string | null {
  const { code = '', syscall = '', path } = error;
  if (code === 'ENOMEM') return 'Lower EVAL_CONCURRENCY, or free memory, and run again.';
  if (LACKS.includes(code)) return ALLOW_MORE;
  if (!syscall.startsWith('spawn')) return null;
  // Most systems say so of processes alone; elsewhere it means only that there is nothing yet.
  if (code === 'EAGAIN') return ALLOW_MORE;
  // Node names the program also when it is the folder that is missing.
  if (!MISSING.includes(code)) return null;
  return `Check that ${quote(path ?? '')} and the folder that it starts in are there and may be used, and run again.`;
}

const LACKS: readonly string[] = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ERR_WORKER_INIT_FAILED'];
const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];
const ALLOW_MORE =
  'Lower EVAL_CONCURRENCY, or allow more open files and processes (ulimit -n, ulimit -u), and run again.';
