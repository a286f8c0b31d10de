import { AgentError } from '../words/answer.ts';
import { quote } from '../words/show.ts';
import { causesOf } from '../words/thrown.ts';

/**
 * An AgentError "machine", which is never cached, if this computer lacks files, processes or
 * memory, or cannot start a program. Null for other errors, such as a command line that is too
 * long. `what` is the failed action: "start the command".
 */
export function toMachineError(error: unknown, what: string): AgentError | null {
  for (const cause of causesOf(error).filter((each) => each instanceof Error)) {
    if (cause instanceof AgentError && cause.kind === 'machine') return cause;
    const remedy = findRemedy(cause);
    if (remedy === null) continue;
    return new AgentError('machine', `The machine cannot ${what} (${cause.message}). ${remedy}`, {
      cause: error,
    });
  }
  return null;
}

function findRemedy(error: NodeJS.ErrnoException): string | null {
  const { code = '', syscall = '', path } = error;
  if (code === 'ENOMEM') return 'Lower EVAL_CONCURRENCY or free memory, then run again.';
  if (LACKS.includes(code)) return ALLOW_MORE;
  if (!syscall.startsWith('spawn')) return null;
  // After a spawn, EAGAIN means that no process is left. After other calls it only means "try
  // again".
  if (code === 'EAGAIN') return ALLOW_MORE;
  // Node's error names the program even if the folder is missing.
  if (!MISSING.includes(code)) return null;
  return `Check that ${quote(path ?? '')} and its working folder exist and may be used, then run again.`;
}

const LACKS: readonly string[] = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ERR_WORKER_INIT_FAILED'];
const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];
const ALLOW_MORE =
  'Lower EVAL_CONCURRENCY or allow more open files and processes (ulimit -n, ulimit -u), then run again.';
