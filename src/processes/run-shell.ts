import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';
import { createMark, liveGroups, MARK_NAME } from './groups.ts';
import { toMachineError } from './machine-error.ts';

/** A shell's exit code for an unknown command. */
export const NOT_FOUND = 127;

/** How a command ended, and its output. */
export type Finished = Readonly<{
  stdout: string;
  stdoutOverflowed: boolean;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}>;

/**
 * Runs a shell script in its own process group. When `signal` aborts, the group is asked to end and
 * is killed 2 s later; the promise rejects with the signal's reason. No descendant outlives the
 * script.
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
    throw toMachineError(error, 'start the command') ?? error;
  }
}

const MAX_STDOUT_BYTES = 10 * 1024 * 1024;
const STDERR_TAIL_BYTES = 8192;

/** How long a descendant may leave stdout open after the command has ended. */
const GRACE_MS = 500;

type ShellOptions = Readonly<{
  /** The whole standard input; null where `onStart` gets it, to write as the command goes on. */
  input: string | null;
  onStart?: (stdin: Writable) => void;
  /** Called with what the command writes to stdout. */
  onOutput?: (chunk: Buffer) => void;
  workdir: string;
  signal: AbortSignal;
}>;

/**
 * The first line of stdin is the start signal, sent once the guard knows the group. The shell
 * passes the question on as a here-document: Node's pipes are sockets, which programs cannot open
 * as /dev/stdin.
 */
const BEGIN = 'read -r viva_go || exit 125\n';
const PRELUDE = `${BEGIN}exec <<viva_question
$(cat)
viva_question
`;

async function runWith(
  pipes: readonly OutputPipe[],
  script: string,
  { input, onStart, onOutput, workdir, signal }: ShellOptions,
) {
  const mark = createMark();
  // The shell itself needs no mark: it is the leader of its group.
  const prelude = input === null ? BEGIN : PRELUDE;
  const child = start(`export ${MARK_NAME}=${mark}; ${prelude}${script}`, workdir, pipes);
  const [stdout = child.stdout, stderr = child.stderr] = pipes.map(({ reader }) => reader);
  const { pid: group, stdin } = child;
  if (group === undefined || !stdin || !stdout || !stderr) throw (await once(child, 'error'))[0];
  const end = () => liveGroups.end(group);
  signal.addEventListener('abort', end, { once: true });
  try {
    // A command may answer without reading its question, which breaks the pipe.
    stdin.on('error', () => {});
    if (onOutput !== undefined) stdout.on('data', onOutput);
    const finishing = finish(child, { stdout, stderr, overflow: end });
    await liveGroups.add(group, mark);
    // The signal may have aborted before the group existed.
    if (signal.aborted) end();
    else if (input !== null) stdin.end(`go\n${input}`);
    else {
      stdin.write('go\n');
      onStart?.(stdin);
    }
    const finished = await finishing;
    signal.throwIfAborted();
    return finished;
  } finally {
    signal.removeEventListener('abort', end);
    // After an abort the group still gets its 2 s.
    if (signal.aborted) liveGroups.forgetEnded(group);
    else liveGroups.kill(group);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }
}

function start(script: string, cwd: string, pipes: readonly OutputPipe[]): ChildProcess {
  const [stdout = 'pipe', stderr = 'pipe'] = pipes.map(({ writer }) => writer);
  try {
    return spawn('/bin/sh', ['-c', script, 'sh'], {
      cwd,
      detached: true,
      stdio: ['pipe', stdout, stderr],
    });
  } finally {
    for (const { writer } of pipes) closeSync(writer);
  }
}

type Outputs = Readonly<{
  stdout: Readable;
  stderr: Readable;
  overflow: () => void;
}>;

async function finish(child: ChildProcess, outputs: Outputs): Promise<Finished> {
  const stdout = new CappedOutput(outputs.stdout, MAX_STDOUT_BYTES, outputs.overflow);
  const stderr = new OutputTail(outputs.stderr, STDERR_TAIL_BYTES);
  const closed = Promise.all([once(outputs.stdout, 'close'), once(outputs.stderr, 'close')]);
  await once(child, 'exit');
  await Promise.race([
    closed,
    sleep(GRACE_MS, undefined, { ref: false }).then(() => readWritten(stdout)),
  ]);
  return {
    stdout: stdout.text,
    stdoutOverflowed: stdout.overflowed,
    stderr: stderr.text,
    code: child.exitCode,
    signal: child.signalCode,
  };
}

/**
 * On a busy machine the time may pass before anything is read. Each pass of the event loop reads
 * some.
 */
async function readWritten(stdout: CappedOutput): Promise<void> {
  for (let before = -1; before < stdout.bytes; ) {
    before = stdout.bytes;
    await nextPass();
  }
}

type OutputPipe = Readonly<{ reader: Readable; writer: number }>;

/**
 * Real pipes for stdout and stderr, which a program can open as /dev/stdout, unlike Node's sockets.
 * Node can only open pipes that have a name, so the names are removed before the program starts.
 * The list is empty without mkfifo, or on a file system without pipes.
 */
async function openOutputPipes(folder: string): Promise<readonly OutputPipe[]> {
  const paths = [1, 2].map(() => join(folder, `.${randomUUID()}`));
  const opened: number[] = [];
  try {
    await once(spawn('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' }), 'exit');
    // Opened for reading first: a writer would wait for a reader.
    for (const path of paths) {
      opened.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      opened.push(openSync(path, constants.O_WRONLY));
    }
    const [outReader = 0, stdout = 0, errReader = 0, stderr = 0] = opened;
    return [toPipe(outReader, stdout), toPipe(errReader, stderr)];
  } catch (error) {
    opened.forEach(closeSync);
    const hasNoMkfifo = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!hasNoMkfifo && toMachineError(error, '') !== null) throw error;
    return [];
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}

function toPipe(fd: number, writer: number): OutputPipe {
  return { reader: new Socket({ fd, readable: true, writable: false }), writer };
}

/** Collects a stream up to a number of bytes; drops the rest and calls `overflow` once. */
class CappedOutput {
  bytes = 0;
  overflowed = false;
  readonly #chunks: Buffer[] = [];

  constructor(stream: Readable, maxBytes: number, overflow: () => void) {
    stream.on('data', (chunk: Buffer) => {
      if (this.overflowed) return;
      this.bytes += chunk.length;
      this.overflowed = this.bytes > maxBytes;
      if (this.overflowed) overflow();
      else this.#chunks.push(chunk);
    });
  }

  get text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks));
  }
}

export class OutputTail {
  #tail = Buffer.alloc(0);
  #isCut = false;
  readonly #maxBytes: number;

  constructor(stream: Readable, maxBytes: number) {
    this.#maxBytes = maxBytes;
    stream.on('data', (chunk: Buffer) => {
      this.#isCut ||= this.#tail.length + chunk.length > this.#maxBytes;
      this.#tail = Buffer.concat([this.#tail, chunk.subarray(-this.#maxBytes)]).subarray(
        -this.#maxBytes,
      );
    });
  }

  /** A mark shows where the text is cut, so redaction also searches for half a key. */
  get text(): string {
    const text = new TextDecoder().decode(this.#tail);
    return this.#isCut ? `…${text.replace(/^\uFFFD+/, '')}` : text;
  }
}
