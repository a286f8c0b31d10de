import { clearInterval, setInterval } from 'node:timers';
import { showPath } from '../words/show.ts';
import { refusal } from './failure.ts';
import { writeOwn } from './guard-output.ts';

/** When it is said that a file still loads, and when it is given up; both in ms. */
const PATIENCE = { sayMs: 30_000, mostMs: 600_000, say: writeOwn };

/** How many suites of this process are planned now. */
let planned = 0;

/** Plans a suite, which its file awaits. All that this waits for has limits and words of its own. */
export async function whilePlanning<T>(plan: () => Promise<T>): Promise<T> {
  planned++;
  try {
    return await plan();
  } finally {
    planned--;
  }
}

/**
 * What `load` settles to. Rejects with a refusal that names the file if that takes too long: a
 * top-level await that never settles would block the run for ever, in silence.
 */
export async function loadInTime<T>(
  load: () => T | PromiseLike<T>,
  file: string,
  { sayMs, mostMs, say } = PATIENCE,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  let waitedMs = 0;
  // In steps: a pause of the machine is at most one. No stopwatch, whose thread costs a run of cached
  // answers more than the rest of its start.
  const steps = setInterval(() => {
    if (planned > 0) return;
    waitedMs += sayMs;
    if (waitedMs === sayMs) say(`${showPath(file)} still loads after ${sayMs / 1000} s\n`);
    if (waitedMs >= mostMs) late.reject(refusal(describeLate(file, mostMs)));
  }, sayMs);
  // `waitForLeftBehind` counts what keeps the process, which the worker's channel does anyway.
  steps.unref();
  return Promise.race([load(), late.promise]).finally(() => clearInterval(steps));
}

function describeLate(file: string, mostMs: number): string {
  const late = `${showPath(file)} has not loaded after ${mostMs / 1000} s`;
  return `${late}: a top-level await in it, or in what it imports, is still waiting. Await only what ends.`;
}
