import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AgentError } from '../types.ts';
import { FairTurns } from './fair-turns.ts';
import { packagesAccess } from './packages-access.ts';

/** How long code may run, and how long the machine may take to start and over what cannot be interrupted; tests alone say. */
export type CodeLimits = { readonly runMs: number; readonly graceMs: number; readonly startMs?: number };

// The grace is by the clock, and long: on a busy machine two seconds of the processor's time take many more.
const LIMITS: CodeLimits = { runMs: 2_000, graceMs: 8_000 };

/** No more than the machine can run side by side, or each would be late for the others' sake. */
const turns = new FairTurns(Math.max(2, availableParallelism()));

type CodeRequest = { readonly code: string; readonly data: string | null };
type CodeResult = { readonly output: string; readonly failed: boolean };

/** The process has to start, and 20 of them may do so at once. */
const START_MS = 20_000;

/**
 * Runs JavaScript in a process of its own: what it logs and comes to, and whether it failed. Rejects when the process
 * ends without a result, or has to be ended. Calls with the same signal, which are those of one sample, run in turn.
 */
export function runQuickjs(
  request: CodeRequest,
  signal: AbortSignal,
  limits: CodeLimits = LIMITS,
): Promise<CodeResult> {
  return turns.run(signal, () => runNow(request, signal, limits));
}

async function runNow({ code, data }: CodeRequest, signal: AbortSignal, limits: CodeLimits): Promise<CodeResult> {
  // The sample may be over by the time that its turn has come.
  signal.throwIfAborted();
  const overdue = new AbortController();
  const child = spawn(process.execPath, [...OPTIONS, ...packagesAccess(), CHILD], {
    // Nothing of our environment: keys above all.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([signal, overdue.signal]),
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A child that dies before it has read its request breaks the pipe; its empty reply says so.
  if (child.pid === undefined) await ended;
  child.stdin?.on('error', () => {});
  child.stdin?.end(JSON.stringify({ code, data, parent: process.pid, runMs: limits.runMs }));
  const { startMs = START_MS } = limits;
  let timer = setTimeout(() => overdue.abort(lateStart(startMs)), startMs);
  const onReady = () => {
    clearTimeout(timer);
    // A loop inside a built-in function asks nobody whether it may go on: it ends with its process.
    const reason = new Error(`the code ran for more than ${limits.runMs / 1000} seconds.`);
    timer = setTimeout(() => overdue.abort(reason), limits.runMs + limits.graceMs);
  };
  try {
    return toResult(...(await Promise.all([readReply(child.stdout, onReady), ended])));
  } catch (error) {
    throw overdue.signal.aborted ? overdue.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

const CHILD = fileURLToPath(new URL('./quickjs-child.ts', import.meta.url));

/**
 * Node's permission model: the child may read its own program and the installed packages, and start no process. Its
 * thread has the same options, and so no more leave.
 */
const OPTIONS = [
  '--permission',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
  '--max-old-space-size=128',
  `--allow-fs-read=${CHILD}`,
] as const;

/** That is the machine's doing, and not the code's. */
function lateStart(startMs: number): AgentError {
  const problem = `The machine did not start the calculator within ${startMs / 1000} seconds.`;
  return new AgentError('machine', `${problem} Lower EVAL_CONCURRENCY, or give it less else to do, and run again.`);
}

/** The whole reply; its first byte says that the code is about to run. */
async function readReply(stdout: Readable, onReady: () => void): Promise<string> {
  let reply = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    if (reply === '') onReady();
    reply += chunk;
  }
  return reply.trim();
}

function toResult(reply: string, exitCode: number | null) {
  if (reply === '') throw new Error(`the calculator ended without a result (exit code ${exitCode}).`);
  const { output, failed }: { output: unknown; failed: unknown } = JSON.parse(reply);
  return { output: String(output), failed: failed === true };
}
