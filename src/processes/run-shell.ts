import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';
import { liveGroups } from './groups.ts';
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
 * is killed 2 s later; the promise rejects with the signal's reason. No process of the group
 * outlives the script.
 *
 * Not by execa: it waits as long as a grandchild keeps stdout open
 * (https://github.com/sindresorhus/execa/issues/1191).
 */
export async function runShell(script: string, options: ShellOptions): Promise<Finished> {
  options.signal.throwIfAborted();
  try {
    return await runGroup(script, options);
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
 * The shell passes the question on as a here-document: Node's pipes are sockets, which programs
 * cannot open as /dev/stdin.
 */
const PRELUDE = `exec <<viva_question
$(cat)
viva_question
`;

/** The script starts once its group is listed: if this process is killed before, it never does. */
const GATE = 'read -r _ <&3 || exit\nexec 3<&-\n';

async function runGroup(
  script: string,
  { input, onStart, onOutput, workdir, signal }: ShellOptions,
) {
  const prelude = input === null ? '' : PRELUDE;
  const child = spawn('/bin/sh', ['-c', `${GATE}${prelude}${script}`, 'sh'], {
    cwd: workdir,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { pid: group, stdin, stdout, stderr } = child;
  if (group === undefined) throw (await once(child, 'error'))[0];
  liveGroups.add(group);
  const gate = child.stdio[3] as Writable;
  gate.on('error', () => {});
  gate.end('\n');
  const end = () => liveGroups.end(group);
  signal.addEventListener('abort', end, { once: true });
  try {
    // A command may answer without reading its question, which breaks the pipe.
    stdin.on('error', () => {});
    if (onOutput !== undefined) stdout.on('data', onOutput);
    const finishing = finish(child, { stdout, stderr, overflow: end });
    if (input === null) onStart?.(stdin);
    else stdin.end(input);
    const finished = await finishing;
    signal.throwIfAborted();
    return finished;
  } finally {
    signal.removeEventListener('abort', end);
    // After an abort the group still gets its 2 s.
    if (signal.aborted) liveGroups.forgetEnded(group);
    else liveGroups.kill(group);
    for (const stream of [stdin, stdout, stderr, gate]) stream.destroy();
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
