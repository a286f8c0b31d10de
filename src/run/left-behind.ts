import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { onCancelled } from './task-runner.ts';

/** How long a file waits in all, in ms: an agent may have timers and connections of its own. */
const MOST_MS = 2000;

/** What keeps a process waiting where a score has left something behind. */
const WAITING = /^(?:Timeout|TCPSocket|TCPConnect|GetAddrInfo)/;

/** How long Vitest's own timer, of its next report, lasts at most, in ms, with a margin. */
const REPORT_MS = 120;

let before = 0;
let isLowered = false;
let deadline: number | null = null;

/**
 * After the last test of an eval file waits while more timers and connections wait than now: what a
 * score left behind may still fail, and nobody would see it once the process has ended. The file begins
 * when Vitest's own timer of the file before it has ended: it would hide one of a score.
 */
export function waitForLeftBehind(): void {
  [before, isLowered, deadline] = [countWaiting(), false, null];
  beforeAll(async () => {
    const begun = performance.now();
    for (; before > 0 && !isLowered && performance.now() < begun + REPORT_MS; await sleep(10))
      before = Math.min(before, countWaiting());
    isLowered = true;
  });
  let isCancelled = false;
  onCancelled(() => {
    isCancelled = true;
  });
  afterAll(async () => {
    deadline ??= performance.now() + MOST_MS;
    const isWaiting = () => countWaiting() > before && !isCancelled;
    while (isWaiting() && performance.now() < deadline) await sleep(10);
  });
}

function countWaiting(): number {
  return process.getActiveResourcesInfo().filter((kind) => WAITING.test(kind)).length;
}
