import { setImmediate } from 'node:timers/promises';
import { readClock } from '../own-clock.ts';

/** Longest time in ms for which trials that wait for nothing keep everything else from running. */
const LONGEST_MS = 20;

let last = readClock();
let breath: Promise<void> | null = null;

/**
 * Lets the process turn to other things now and then. Recalled trials run one after the other without a pause: no result
 * would be reported, and no Ctrl-C heard, before the last of them. Null when there is no need to wait.
 */
export function takeBreath(): Promise<void> | null {
  if (breath === null && readClock() - last > LONGEST_MS) breath = breathe();
  return breath;
}

async function breathe(): Promise<void> {
  await setImmediate();
  breath = null;
  last = readClock();
}
