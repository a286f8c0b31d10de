import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A program of viva's own, and what it may read beside itself and the installed packages. */
export type Confined = {
  readonly program: string;
  readonly readable?: string;
  readonly args?: readonly string[];
  readonly stdin: string | Uint8Array;
  readonly deadlineMs: number;
};

/**
 * What a program writes that runs in a process of its own, confined by Node's permission model: it writes no file, starts
 * no process, and sees no variable of ours. The same holds for its threads. The process is killed at the deadline, which
 * gives "late", and with the signal, whose reason is thrown.
 */
export async function runConfined(confined: Confined, signal: AbortSignal): Promise<Ended | 'late'> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(confined.deadlineMs);
  try {
    return await runToEnd(confined, AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return 'late';
    throw error;
  }
}

type Ended = { readonly stdout: string; readonly exitCode: number | null };

async function runToEnd({ program, readable = program, args = [], stdin }: Confined, signal: AbortSignal) {
  const options = ['--permission', '--allow-worker', '--disable-warning=SecurityWarning'];
  // Node checks the name of a folder and, where that is a link, the folder behind it.
  const folders = [readable, ...(existsSync(PACKAGES) ? [PACKAGES, realpathSync(PACKAGES)] : [])];
  const access = folders.map((folder) => `--allow-fs-read=${folder}`);
  const child = spawn(process.execPath, [...options, ...access, program, ...args], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // Where no process can be started there are no pipes either.
  if (child.pid === undefined) await ended;
  // A child that dies before it has read everything breaks the pipe; its empty reply says so.
  child.stdin.on('error', () => {}).end(stdin);
  const [stdout, exitCode] = await Promise.all([readAll(child.stdout), ended]);
  return { stdout, exitCode };
}
