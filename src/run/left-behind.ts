import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { isReportDue, onCancelled } from './task-runner.ts';

/** How long a file waits in all, in ms: an agent may have timers and connections of its own. */
const MOST_MS = 2000;

/** What keeps a process waiting where a score has left something behind. */
const WAITING = /^(?:Timeout|TCPSocket|TCPConnect|GetAddrInfo)/;

let deadline: number | null = null;

/**
 * After the last test of an eval file waits while more timers and connections wait than before the
 * first: what a score left behind may still fail, and nobody would see it once the process has ended.
 * Vitest's own timer does not count: it would hide one of a score, or be waited for in each run.
 */
export function waitForLeftBehind(): void {
  deadline = null;
  let before = 0;
  beforeAll(() => {
    // 4.1 may have a report due without a timer, here after a slow hook.
    before = Math.max(0, countWaiting() - Number(isReportDue('before-hook-start')));
  });
  let isCancelled = false;
  onCancelled(() => {
    isCancelled = true;
  });
  afterAll(async () => {
    if (countWaiting() - Number(isReportDue('after-hook-start')) <= before) return;
    deadline ??= performance.now() + MOST_MS;
    // Where something waits, so is Vitest's timer waited for.
    const isWaiting = () => countWaiting() > before && !isCancelled;
    while (isWaiting() && performance.now() < deadline) await sleep(10);
  });
}

function countWaiting(): number {
  return process.getActiveResourcesInfo().filter((kind) => WAITING.test(kind)).length;
}
