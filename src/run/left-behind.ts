import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { onCancelled } from './task-runner.ts';

/** How long a file waits in all, in ms: an agent may have timers and connections of its own. */
const MOST_MS = 2000;

/** What keeps a process waiting where a score has left something behind. */
const WAITING = /^(?:Timeout|TCPSocket|TCPConnect|GetAddrInfo)/;

let before = 0;
let deadline: number | null = null;

/**
 * After the last test of an eval file waits while more timers and connections wait than now: what a
 * score left behind may still fail, and nobody would see it once the process has ended. Vitest's own
 * timer, of its next report, lasts up to 0.1 s.
 */
export function waitForLeftBehind(): void {
  [before, deadline] = [countWaiting(), null];
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
