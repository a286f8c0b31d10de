import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveGroups } from '../../processes/live-groups.ts';
import { CappedOutput, OutputTail } from '../../processes/output.ts';
import { toErrorCode } from '../../records/read-text.ts';
import { AgentError } from '../../types.ts';

const MAX_STDOUT_BYTES = 10 * 1024 * 1024;
const STDERR_TAIL_BYTES = 8192;

/** How long a descendant may go on holding stdout after the command itself has ended. */
const GRACE_MS = 500;

/** How a command ended and what it wrote. */
export type Finished = {
  readonly stdout: string;
  readonly stdoutOverflowed: boolean;
  /** The last part of it. */
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** What a command is run with; `root` is where relative paths of this process start, and the command's $OLDPWD. */
type ShellOptions = {
  readonly input: string;
  readonly workdir: string;
  readonly root: string;
  readonly signal: AbortSignal;
};

/**
 * Runs a shell script in a process group of its own and waits for it. When `signal` aborts, the whole group is told to
 * end, is killed 2 s later, and the promise rejects with the signal's reason. Nothing of the group outlives its leader.
 */
export async function runShell(script: string, { input, workdir, root, signal }: ShellOptions): Promise<Finished> {
  signal.throwIfAborted();
  // Without `env` a child has the whole environment of this process.
  const words = ['-c', `${PRELUDE}${script}`, 'sh', workdir];
  const child = start(words, root);
  const group = child.pid;
  if (group === undefined) throw await failedStart(child);
  const end = () => liveGroups.end(group);
  signal.addEventListener('abort', end, { once: true });
  try {
    const finishing = finish(child, end);
    await liveGroups.add(group).catch((error) => Promise.reject(toStartError(error)));
    child.stdin.end(`go\n${input}`);
    const finished = await finishing;
    signal.throwIfAborted();
    return finished;
  } finally {
    signal.removeEventListener('abort', end);
    // After an abort what is left of the group has its 2 s.
    if (signal.aborted) liveGroups.forgetEnded(group);
    else liveGroups.kill(group);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

/** The first line of stdin is the leave to begin: it comes when the guard of live-groups.ts knows the group. */
const PRELUDE = 'read -r viva_go || exit 125; cd -- "$1" || exit 126; shift; ';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

async function finish(child: Child, overflow: () => void): Promise<Finished> {
  const stdout = new CappedOutput(child.stdout, MAX_STDOUT_BYTES, overflow);
  const stderr = new OutputTail(child.stderr, STDERR_TAIL_BYTES);
  const closed = new Promise((resolve) => child.once('close', resolve));
  // A command that does not read its question breaks the pipe; whether it answers is another matter.
  child.stdin.on('error', () => {});
  await once(child, 'exit');
  await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
  return {
    stdout: stdout.text,
    stdoutOverflowed: stdout.overflowed,
    stderr: stderr.text,
    code: child.exitCode,
    signal: child.signalCode,
  };
}

/** Some refusals of the system are thrown, others are an event. */
function start(words: readonly string[], root: string): Child {
  try {
    return spawn('/bin/sh', words, { cwd: root, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    throw toStartError(error);
  }
}

async function failedStart(child: Child): Promise<unknown> {
  const [error]: unknown[] = await once(child, 'error');
  return toStartError(error);
}

/** A machine without files, processes or memory to spare says nothing of the command; a line that is too long does. */
function toStartError(cause: unknown): unknown {
  if (!MACHINE_CODES.has(toErrorCode(cause))) return cause;
  const said = cause instanceof Error ? cause.message : String(cause);
  const remedy =
    'Lower EVAL_CONCURRENCY, or allow more open files and processes (ulimit -n, ulimit -u), and run again.';
  return new AgentError('machine', `The machine cannot start the command (${said}). ${remedy}`, { cause });
}

const MACHINE_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOENT', 'EACCES']);
