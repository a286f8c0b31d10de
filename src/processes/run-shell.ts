import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createMark, liveGroups, MARK_NAME } from './groups.ts';
import { toMachineError } from './machine-error.ts';
import { CappedOutput, OutputTail } from './output.ts';

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

type ShellOptions = {
  /** A line for its stdin. */
  readonly input: string;
  readonly workdir: string;
  readonly signal: AbortSignal;
};

/**
 * Runs a shell script in a process group of its own and waits for it. When `signal` aborts, the whole group is told to
 * end, is killed 2 s later, and the promise rejects with the signal's reason. Nothing of the group outlives its leader,
 * and nothing that has left the group but kept its environment.
 */
export async function runShell(script: string, options: ShellOptions): Promise<Finished> {
  options.signal.throwIfAborted();
  try {
    const pipes = await openOutputPipes(options.workdir);
    try {
      return await runWith(pipes, script, options);
    } finally {
      for (const { reader } of pipes) reader.destroy();
    }
  } catch (error) {
    options.signal.throwIfAborted();
    // A machine that cannot start anything says nothing of the command; a line that is too long does.
    throw toMachineError(error, 'start the command') ?? error;
  }
}

/**
 * The first line of stdin is the leave to begin: it comes when the guard of groups.ts knows the group. The shell hands
 * the question on by a pipe of its own, since what Node calls a pipe is a socket, which no program can open as /dev/stdin.
 */
const PRELUDE = `read -r viva_go || exit 125
exec <<viva_question
$(cat)
viva_question
`;

async function runWith(pipes: readonly OutputPipe[], script: string, { input, workdir, signal }: ShellOptions) {
  const mark = createMark();
  // The shell itself needs no mark: it is the leader of its group.
  const child = start(`export ${MARK_NAME}=${mark}; ${PRELUDE}${script}`, workdir, pipes);
  const [stdout = child.stdout, stderr = child.stderr] = pipes.map(({ reader }) => reader);
  const { pid: group, stdin } = child;
  if (group === undefined || !stdin || !stdout || !stderr) throw (await once(child, 'error'))[0];
  const end = () => liveGroups.end(group);
  signal.addEventListener('abort', end, { once: true });
  try {
    // A command that does not read its question breaks the pipe; whether it answers is another matter.
    stdin.on('error', () => {});
    const finishing = finish(child, { stdout, stderr, overflow: end });
    await liveGroups.add(group, mark);
    // While the pipes were made there was nothing yet to end.
    if (signal.aborted) end();
    else stdin.end(`go\n${input}`);
    const finished = await finishing;
    signal.throwIfAborted();
    return finished;
  } finally {
    signal.removeEventListener('abort', end);
    // After an abort what is left of the group has its 2 s.
    if (signal.aborted) liveGroups.forgetEnded(group);
    else liveGroups.kill(group);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }
}

function start(script: string, cwd: string, pipes: readonly OutputPipe[]): ChildProcess {
  const [stdout = 'pipe', stderr = 'pipe'] = pipes.map(({ writer }) => writer);
  try {
    return spawn('/bin/sh', ['-c', script, 'sh'], { cwd, detached: true, stdio: ['pipe', stdout, stderr] });
  } finally {
    for (const { writer } of pipes) closeSync(writer);
  }
}

type Outputs = { readonly stdout: Readable; readonly stderr: Readable; readonly overflow: () => void };

async function finish(child: ChildProcess, outputs: Outputs): Promise<Finished> {
  const stdout = new CappedOutput(outputs.stdout, MAX_STDOUT_BYTES, outputs.overflow);
  const stderr = new OutputTail(outputs.stderr, STDERR_TAIL_BYTES);
  const closed = Promise.all([once(outputs.stdout, 'close'), once(outputs.stderr, 'close')]);
  await once(child, 'exit');
  await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false }).then(() => readWritten(stdout))]);
  return {
    stdout: stdout.text,
    stdoutOverflowed: stdout.overflowed,
    stderr: stderr.text,
    code: child.exitCode,
    signal: child.signalCode,
  };
}

/** A busy machine may let the grace pass before anything was read: a turn of the event loop reads what is there. */
async function readWritten(stdout: CappedOutput): Promise<void> {
  for (let before = -1; before < stdout.bytes; ) {
    before = stdout.bytes;
    await turn();
  }
}

/** Where a program writes its stdout or stderr, and what reads that. */
type OutputPipe = { readonly reader: Readable; readonly writer: number };

/**
 * Pipes for a program's stdout and stderr. What Node calls a pipe is a socket, which a program cannot open as
 * /dev/stdout. Node makes no real one but opens one that has a name, which is gone again before the program starts.
 * None where there is no mkfifo, or `folder` takes no pipe.
 */
async function openOutputPipes(folder: string): Promise<readonly OutputPipe[]> {
  const paths = [1, 2].map(() => join(folder, `.${randomUUID()}`));
  const opened: number[] = [];
  try {
    // Where it fails, there is nothing to open.
    await once(spawn('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' }), 'exit');
    // The reader comes first and waits for no writer; a writer would wait for a reader.
    for (const path of paths) {
      opened.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      opened.push(openSync(path, constants.O_WRONLY));
    }
    const [outReader = 0, stdout = 0, errReader = 0, stderr = 0] = opened;
    return [toPipe(outReader, stdout), toPipe(errReader, stderr)];
  } catch (error) {
    opened.forEach(closeSync);
    if (!isMissing(error) && toMachineError(error, '') !== null) throw error;
    return [];
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}

function toPipe(fd: number, writer: number): OutputPipe {
  return { reader: new Socket({ fd, readable: true, writable: false }), writer };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
