import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What a command cost: times in ms, memory in bytes. CPU time and memory are those of the command
 * and all its children.
 */
export type Cost = Readonly<{
  wallMs: number;
  cpuMs: number;
  /** Highest sum of resident memory; pages that processes share are counted in each. */
  peakBytes: number;
}>;

type Measured = Cost & {
  readonly code: number | null;
  readonly output: string;
  /** Whether it was ended for its time; its exit code does not tell. */
  readonly timedOut: boolean;
};

type MeasureOptions = Readonly<{
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** When to end the script by SIGTERM; 0 for never. */
  timeoutMs?: number;
}>;

const SAMPLE_EVERY_MS = 20;
/** Linux reports CPU times in ticks of 10 ms, on every architecture. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

/**
 * Runs a Node script to its end and measures its process tree; its output is drained and kept.
 * Linux only: the figures come from /proc. One call at a time, since the CPU time is what the ended
 * children of this process add up to.
 */
export async function measureTree(
  args: readonly string[],
  { cwd, env, timeoutMs = 0 }: MeasureOptions,
): Promise<Measured> {
  const before = readEndedChildrenMs();
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    timeout: timeoutMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, readBytes(child.pid ?? 0));
  }, SAMPLE_EVERY_MS);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  try {
    const code = await promise;
    const wallMs = performance.now() - start;
    const output = Buffer.concat(chunks).toString('utf8');
    return {
      code,
      wallMs,
      cpuMs: readEndedChildrenMs() - before,
      peakBytes,
      output,
      timedOut: child.killed,
    };
  } finally {
    clearInterval(sampling);
  }
}

/** CPU time of all children that have ended, theirs included (`cutime` and `cstime` of proc(5)). */
function readEndedChildrenMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is the program's name in brackets, and may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Resident memory of a process and all its children. */
function readBytes(pid: number): number {
  const own = Number(readProc(`${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;
  const children = readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.map(readBytes).reduce((sum, bytes) => sum + bytes, own);
}

/** Text of a file of /proc; empty once its process has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
