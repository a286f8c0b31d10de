import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The numbers that processes under test wrote to a file, one a line, once there are so many of
 * them.
 */
export async function readPids(file: string, count: number): Promise<readonly number[]> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    const pids = existsSync(file)
      ? readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number)
      : [];
    if (pids.length >= count) return pids;
    await sleep(20);
  }
  throw new Error(`Fewer than ${count} processes wrote to ${file}.`);
}

/** Which of these processes are still there after 10 seconds; waits no longer than it must. */
export async function survivors(pids: readonly number[]): Promise<readonly number[]> {
  let alive = pids;
  for (let waited = 0; waited < 10_000 && alive.length > 0; waited += 20) {
    await sleep(20);
    alive = alive.filter(isAlive);
  }
  return alive;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/**
 * An orphan that was killed waits for process 1 to notice; where that is not init, it may wait for
 * ever.
 */
function isZombie(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && /\) Z /.test(readFileSync(stat, 'utf8'));
}
