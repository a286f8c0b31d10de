import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { findPackage } from '../package.ts';
import { limitTime } from './stopwatch.ts';

/** One of viva's own programs, and the files that it may read besides itself. */
export type Confined = Readonly<{
  program: string;
  readable?: string;
  /** The names of packages. Their dependencies are readable too. */
  packages: readonly string[];
  args?: readonly string[];
  stdin: string | Uint8Array;
  deadlineMs: number;
  /** The memory limit of the whole process. */
  memoryMb: number;
}>;

/**
 * Runs a program in a separate process and returns its output. Node's permission model confines the
 * process and its threads: it cannot write files, start processes or see our environment. The
 * process is killed at the deadline (the result is then "late"), when the signal aborts (its reason
 * is thrown), when our own process ends, and when it uses too much memory.
 */
export async function runConfined(
  confined: Confined,
  signal: AbortSignal,
): Promise<Ended | 'late'> {
  signal.throwIfAborted();
  const deadline = limitTime(confined.deadlineMs);
  try {
    return await runToEnd(confined, AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return 'late';
    throw error;
  }
}

/** Its name before Node 22.13 is another. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

type Ended = Readonly<{ stdout: string; exitCode: number | null }>;

async function runToEnd(confined: Confined, signal: AbortSignal) {
  const { program, readable = program, packages, args = [], stdin, memoryMb } = confined;
  const options = [
    PERMISSION,
    '--allow-worker',
    '--disable-warning=SecurityWarning',
    watchOption(memoryMb),
  ];
  const access = findOutermost([readable, ...findFolders(packages)]).map(
    (folder) => `--allow-fs-read=${folder}`,
  );
  const child = spawn(process.execPath, [...options, ...access, program, ...args], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  // If the process could not be started, there are no pipes.
  if (child.pid === undefined) await ended;
  // A child that dies before it has read everything breaks the pipe. The caller sees this by the
  // empty output.
  child.stdin.on('error', () => {}).end(stdin);
  const [stdout, exitCode] = await Promise.all([readAll(child.stdout), ended]);
  return { stdout, exitCode };
}

/**
 * The folders of packages and of all their dependencies, wherever the package manager puts them.
 */
function findFolders(
  names: readonly string[],
  from = import.meta.url,
  found = new Set<string>(),
): Iterable<string> {
  for (const name of names) {
    const file = findPackage(name, from);
    if (file === undefined) continue;
    // Node checks the path as it is written. The package may be a link, and so may the
    // "node_modules" folder around it.
    const holder = resolve(file, '../'.repeat(name.split('/').length + 1));
    const real = realpathSync(file);
    const isKnown = found.has(dirname(real));
    found.add(holder).add(realpathSync(holder)).add(dirname(real));
    if (isKnown) continue;
    const { dependencies = {} }: { readonly dependencies?: object } = JSON.parse(
      readFileSync(real, 'utf8'),
    );
    findFolders(Object.keys(dependencies), real, found);
  }
  return found;
}

/** Before Node 22.13, a folder is not readable where one inside it is named too (no issue found). */
function findOutermost(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(other + sep)));
}

/**
 * Starts a thread in the program that can end the process while the main thread is busy. A busy
 * main thread cannot start threads, so the program waits until the thread runs. The code is plain
 * JavaScript, because TypeScript would double the time of a short run.
 */
function watchOption(memoryMb: number): string {
  const watch = `
    const { parentPort } = require('node:worker_threads');
    const isDue = () => process.ppid !== ${process.pid} || process.memoryUsage.rss() > ${memoryMb * 1_000_000};
    setInterval(() => isDue() && process.kill(process.pid, 'SIGKILL'), 50);
    parentPort.postMessage('watching');`;
  const start = `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    const watch = new Worker(${JSON.stringify(watch)}, { eval: true, execArgv: [] });
    await once(watch, 'message');
    watch.unref();`;
  return `--import=data:text/javascript,${encodeURIComponent(start)}`;
}
