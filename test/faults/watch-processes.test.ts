import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, survivors } from '../processes.ts';
import { watchProcesses } from './watch-processes.ts';

/** Starts a process that outlives this one, and writes down its number. */
const LEAVE = `
const [options] = process.argv.slice(1);
const child = require('node:child_process').spawn('sleep', ['60'], {
  detached: true,
  stdio: 'ignore',
  ...JSON.parse(options),
});
child.unref();
console.log(child.pid);
`;

test.each([
  ['has no environment', {}, { env: {} }],
  ['bears the mark, and was started by no Node that is watched', { NODE_OPTIONS: '' }, {}],
])('finds a process that %s', async (_, env, options) => {
  const mark = `mark-${crypto.randomUUID()}`;
  const watch = watchProcesses(mark);
  const output = execFileSync(process.execPath, ['-e', LEAVE, JSON.stringify(options)], {
    env: { ...process.env, ...watch.env, ...env, FAULT_MARK: mark },
    encoding: 'utf8',
  });
  const left = Number(output);
  onTestFinished(() => void (isAlive(left) && process.kill(left, 'SIGKILL')));
  expect(watch.findLeft()).toEqual([left]);
  process.kill(left, 'SIGKILL');
  expect(await survivors(watch.findLeft(), 5_000)).toEqual([]);
});
