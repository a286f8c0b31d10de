import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { MachineLoad, readTimes } from './machine-load.ts';

/** Two rounds of calls, which take these milliseconds of the clock and of the processors, with an idle time between. */
async function describeLoad(calls: number, clockMs: number, cpuMs: number): Promise<readonly string[]> {
  let now = { clockMs: 5000, cpuMs: 700 };
  const load = new MachineLoad(() => now);
  for (let round = 0; round < 2; round += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = Array.from({ length: calls }, () => load.watch(() => promise));
    now = { clockMs: now.clockMs + clockMs, cpuMs: now.cpuMs + cpuMs };
    resolve();
    await Promise.all(running);
    now = { clockMs: now.clockMs + 60_000, cpuMs: now.cpuMs };
  }
  return load.describe();
}

const all = availableParallelism() * 1000;

test.each([
  ['is busy with calls beside each other', 20, 1000, 0.9 * all, true],
  ['is just so busy', 2, 1000, 0.61 * all, true],
  ['is half idle', 20, 1000, 0.5 * all, false],
  ['is busy with one call at a time', 1, 1000, all, false],
  ['says nothing', 20, 1000, 0, false],
  ['ran no command', 0, 1000, all, false],
])('a machine that %s', async (_, calls, clockMs, cpuMs, isSaid) => {
  const said = await describeLoad(calls, clockMs, cpuMs);
  expect(said).toHaveLength(isSaid ? 1 : 0);
  if (isSaid) expect(said[0]).toMatch(/^the latency measures this machine: .* Lower EVAL_CONCURRENCY/);
});

test.runIf(process.platform === 'linux')('the time of children, and of theirs, is read', () => {
  const before = readTimes();
  execFileSync('sh', ['-c', 'sh -c "i=0; while [ \\$i -lt 300000 ]; do i=\\$((i+1)); done"; times']);
  const after = readTimes();
  expect(after.cpuMs - before.cpuMs).toBeGreaterThan(50);
  expect(after.cpuMs - before.cpuMs).toBeLessThan((after.clockMs - before.clockMs) * availableParallelism());
});
