import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

/**
 * Prints what a watch shows when its process was stopped, and when its event loop was blocked for
 * as long.
 */
const PROGRAM = `
const { Stopwatch } = await import(${JSON.stringify(new URL('stopwatch.ts', import.meta.url).href)});
const { setTimeout: sleep } = await import('node:timers/promises');
const { execSync } = await import('node:child_process');
const watch = new Stopwatch();
let limitedAt = 0;
watch.limit(1500, () => (limitedAt = watch.ms));
process.stdout.write('ready\\n');
await sleep(100);
if (process.argv[1] === 'block') execSync('sleep 1.6');
else process.kill(process.pid, 'SIGSTOP');
await sleep(400);
const early = limitedAt > 0;
while (limitedAt === 0) await sleep(10);
console.log(JSON.stringify({ paused: watch.wasPaused, early, limited: limitedAt >= 1500 }));
process.exit();
`;

/** What the program prints after its first line, at which `onReady` is called. */
async function watchProgram(word: string, onReady: (child: ChildProcess) => void) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, word], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.once('data', () => onReady(child));
  const [, seen = ''] = (await text(child.stdout)).trim().split('\n');
  const facts: unknown = JSON.parse(seen);
  return facts;
}

test('a pause of the process does not count as time of a call, but a blocked event loop does', async () => {
  const stopped = watchProgram('pause', async (child) => {
    await sleep(2500);
    child.kill('SIGCONT');
  });
  const blocked = watchProgram('block', () => {});
  expect(await stopped).toEqual({ paused: true, early: false, limited: true });
  expect(await blocked).toEqual({ paused: false, early: true, limited: true });
});
