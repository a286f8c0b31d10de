import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../overhead/projects.ts';

/** What a run had at one moment: of its two long-lived processes, and of all that it had started. */
export type Moment = {
  readonly ms: number;
  /** Vitest's main process and its worker: resident memory. */
  readonly longLivedBytes: number;
  readonly allBytes: number;
  /** Open descriptors. */
  readonly mainFiles: number;
  readonly workerFiles: number;
  readonly processes: number;
  readonly cpuMs: number;
};

export type Watched = {
  readonly moments: readonly Moment[];
  readonly wallMs: number;
  readonly code: number | null;
  readonly output: string;
  /** Command lines of processes that outlived the run. */
  readonly survivors: readonly string[];
};

const EVERY_MS = 250;
/** Linux reports CPU times in ticks of 10 ms, on every architecture. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

type Process = {
  readonly pid: number;
  /** In ticks since the machine's start: a number may be given out again. */
  readonly started: string;
  readonly parent: number;
  readonly cpuMs: number;
};

/** Runs Vitest in a project and looks at its processes four times a second. Linux only: all of it comes from /proc. */
export async function watchRun({ cwd, args, env }: Project, surroundings: NodeJS.ProcessEnv): Promise<Watched> {
  const start = performance.now();
  const mark = `soak-${crypto.randomUUID()}`;
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd,
    env: { ...surroundings, ...env, SOAK_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const moments: Moment[] = [];
  const seen = new Map<string, number>();
  const watching = setInterval(() => {
    const tree = findTree(child.pid ?? 0);
    for (const { pid, started } of tree) seen.set(`${pid} ${started}`, pid);
    moments.push(toMoment(tree, performance.now() - start));
  }, EVERY_MS);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  try {
    const code = await promise;
    const wallMs = performance.now() - start;
    // What was killed at the end has its moment to go.
    await sleep(3000);
    return {
      moments,
      wallMs,
      code,
      output: Buffer.concat(chunks).toString(),
      survivors: findSurvivors(seen, [mark, cwd]),
    };
  } finally {
    clearInterval(watching);
  }
}

function toMoment([main, ...others]: readonly Process[], ms: number): Moment {
  const workers = others.filter(({ parent }) => parent === main?.pid);
  const longLived = main === undefined ? workers : [main, ...workers];
  const bytes = (processes: readonly Process[]) => sum(processes.map(({ pid }) => residentBytes(pid)));
  return {
    ms,
    longLivedBytes: bytes(longLived),
    allBytes: bytes([...(main === undefined ? [] : [main]), ...others]),
    mainFiles: main === undefined ? 0 : countFiles(main.pid),
    workerFiles: sum(workers.map(({ pid }) => countFiles(pid))),
    processes: others.length + 1,
    // With the times of children that have ended.
    cpuMs: sum(longLived.map(({ cpuMs }) => cpuMs)),
  };
}

/** A process and all that descend from it, itself first. */
function findTree(root: number): readonly Process[] {
  const found = readProcess(root);
  if (found === null) return [];
  const children = readProc(`${root}/task/${root}/children`).split(' ').filter(Boolean);
  return [found, ...children.flatMap((pid) => findTree(Number(pid)))];
}

/** Those seen in the tree that are still there, and those that name the run in their environment or command line. */
function findSurvivors(seen: ReadonlyMap<string, number>, marks: readonly string[]): readonly string[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const left = all.filter((pid) => {
    const found = readProcess(Number(pid));
    if (found === null) return false;
    const said = readProc(`${pid}/environ`) + readProc(`${pid}/cmdline`);
    return seen.has(`${found.pid} ${found.started}`) || marks.some((mark) => said.includes(mark));
  });
  return left.map((pid) => readProc(`${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200));
}

/** Null once it has ended, also where nobody has asked for its end yet. */
function readProcess(pid: number): Process | null {
  const stat = readProc(`${pid}/stat`);
  // The second field is the program's name in brackets, and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || fields[0] === 'Z') return null;
  const ticks = sum(fields.slice(11, 15).map(Number));
  return { pid, started: fields[19] ?? '', parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
}

function residentBytes(pid: number): number {
  return Number(readProc(`${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;
}

function countFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Text of a file of /proc; empty once its process has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
