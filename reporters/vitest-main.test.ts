import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { followWorkers, letWorkersEnd } from './vitest-main.ts';

test('of the processes that Vitest starts, only those that run tests are workers', async () => {
  const killWorkers = followWorkers(() => {});
  const children = ['forks.js', 'vmForks.js', 'watchdog.js'].map((file) => {
    const path = `node_modules/vitest/dist/workers/${file}`;
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', path]);
    onTestFinished(() => void child.kill());
    return child;
  });
  killWorkers();
  await letWorkersEnd();
  expect(children.map(({ killed }) => killed)).toEqual([true, true, false]);
});
