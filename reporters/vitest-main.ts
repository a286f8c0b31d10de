import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reporter, Vitest } from 'vitest/node';

// All that viva uses of Vitest's main process beyond its documentation.
// `test/vitest-internals.test.ts` has a case for each.

/**
 * Makes `vitest list` run files. Only when it is run has an eval file tests. If `collect` ignores
 * `staticParse`, evals are listed as empty files.
 */
export function listByRunning(vitest: Vitest): void {
  const collect = vitest.collect.bind(vitest);
  vitest.collect = (filters, options) => collect(filters, { ...options, staticParse: false });
}

/**
 * Shows a text under "Console" of these test files in the Vitest UI. Vitest keeps it for pages that
 * are opened later. It has no public way to tell open pages after a run, so its reporter for them
 * is found by name. If either goes, the terminal and report.html alone have the text.
 */
export function showInUi(vitest: Vitest, fileIds: readonly string[], content: string): void {
  if (!vitest.config.ui) return;
  const reporters: readonly Reporter[] =
    'reporters' in vitest && Array.isArray(vitest.reporters) ? vitest.reporters : [];
  const pages = reporters.filter((reporter) => reporter.constructor.name === 'WebSocketReporter');
  for (const taskId of fileIds) {
    const log = { type: 'stdout', content, taskId, time: Date.now(), size: 1 } as const;
    vitest.state.updateUserLog(log);
    for (const page of pages) page.onUserConsoleLog?.(log);
  }
}

/**
 * Follows the workers that Vitest starts from now on. `onEnd` gets the number of each that has
 * ended; the function that it returns kills them. They are known by the path of what they run. If it
 * changes, they go on asking after Ctrl-C until this process has reported, and what a worker that
 * was killed has started stays.
 */
export function followWorkers(onEnd: (worker: number) => void): () => void {
  subscribe('child_process', (started) => {
    if (typeof started !== 'object' || started === null || !('process' in started)) return;
    const child = started.process;
    if (!(child instanceof ChildProcess)) return;
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      if (isWorker(child)) onEnd(child.pid ?? 0);
    });
  });
  return () => {
    for (const child of listWorkers()) {
      child.kill('SIGKILL');
      onEnd(child.pid ?? 0);
    }
  };
}

/**
 * Waits until Vitest has ended the workers, which it does when each has answered that it may. They
 * then give their memory back while this process reports. On a busy machine that answer takes long.
 */
export async function letWorkersEnd(): Promise<void> {
  const latest = performance.now() + LONGEST_END_MS;
  do await sleep(1);
  while (listWorkers().some(({ killed }) => !killed) && performance.now() < latest);
}

const LONGEST_END_MS = 500;

/** The processes that this one has started and that have not ended. */
const children = new Set<ChildProcess>();

/** From 5.1.2 on Vitest also starts a process that watches the workers, and lives on. */
const isWorker = ({ spawnargs }: ChildProcess) =>
  /vitest.dist.workers.(?:f|vmF)orks\b/.test(spawnargs.join());
const listWorkers = () => [...children].filter(isWorker);
