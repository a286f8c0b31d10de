import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Starts a program in a Node process that Node's permission model confines: it reads what lies at `readable` and the
 * installed packages, writes nothing, starts no process, and sees no variable of ours. Threads of it are confined alike.
 * Rejects when there is no process to spare. `ended` gives the exit code.
 */
export async function startConfined(
  program: string,
  readable: string,
  signal: AbortSignal,
  args: readonly string[] = [],
) {
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
  // Without a process there are no pipes either.
  if (child.pid === undefined) await ended;
  // A child that dies before it has read everything breaks the pipe; its empty reply says so.
  child.stdin.on('error', () => {});
  return { child, ended };
}
