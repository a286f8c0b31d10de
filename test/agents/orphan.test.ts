import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { survivors } from '../processes.ts';

const CALCULATING = `
const { calculate } = await import(process.argv[1]);
const context = { signal: new AbortController().signal, attachments: [] };
await calculate.run(new Map([['code', process.argv[2]]]), context);
`;

const print = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { encoding: 'utf8' }).stdout.trim();

// Documents are read in a process of the same kind.
test('a calculation ends with the process that asked for it', async ({ skip }) => {
  skip(spawnSync('ps').status !== 0, 'ps');
  // A built-in function asks nobody whether it may go on, and only the parent has a clock.
  const endless = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
  const module = join(ROOT, 'src/tools/calculate.ts');
  const args = ['--input-type=module', '--eval', CALCULATING, module, endless];
  const parent = spawn(process.execPath, args, { stdio: 'ignore' });
  let child = '';
  while (child === '') {
    await sleep(20);
    child = print('pgrep', '-P', `${parent.pid}`);
  }
  while (usedSeconds(child) < 1) await sleep(20);
  parent.kill('SIGKILL');
  expect(await survivors([Number(child)])).toEqual([]);
});

/**
 * Of the processor, as "00:00:01" or "0:01.23". No start takes a whole second, so the code runs by
 * then.
 */
function usedSeconds(pid: string): number {
  return Number(print('ps', '-o', 'time=', '-p', pid).split(':').at(-1));
}
