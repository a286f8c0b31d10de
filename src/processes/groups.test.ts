import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { isAlive, readPids, survivors } from '../../test/processes.ts';
import { GroupLists } from './groups.ts';

/** A program that starts two groups of two processes each, of which one has ended, and does more. */
const START_GROUPS = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { liveGroups } from '${new URL('./groups.ts', import.meta.url).href}';
const [list, pids, more] = process.argv.slice(1);
liveGroups.listIn(list);
const start = (script) => {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore', env: { ...process.env, PIDS: pids } });
  liveGroups.add(child.pid);
  return child;
};
// Before a group starts, whose numbers are waited for.
const told = new Promise((resolve) => process.once('SIGUSR2', resolve));
const ended = start('exit');
await once(ended, 'exit');
liveGroups.kill(ended.pid);
for (const _ of [1, 2]) start('trap "" TERM INT HUP; sleep 60 & printf "%s\\\\n" $$ $! >>"$PIDS"; sleep 60; sleep 60');
setTimeout(() => {}, 60_000);
await told;
if (more === 'ends') process.exit();
if (more === 'throws') throw new Error('thrown');
`;

async function startGroups(list: string, more = '') {
  const file = join(makeFolder(), 'pids');
  const args = ['--input-type=module', '-e', START_GROUPS, list, file, more];
  const program = spawn(process.execPath, args, { stdio: 'ignore' });
  onTestFinished(() => void program.kill('SIGKILL'));
  const pids = await readPids(file, 4);
  onTestFinished(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
  });
  return { program, pids };
}

test.each([
  ['SIGINT', ''],
  ['SIGTERM', ''],
  ['SIGHUP', ''],
  ['SIGQUIT', ''],
  ['SIGUSR2', 'ends'],
  ['SIGUSR2', 'throws'],
] as const)('no group outlives its process after %s %s', async (signal, more) => {
  const { program, pids } = await startGroups(makeFolder(), more);
  const exited = once(program, 'exit');
  program.kill(signal);
  const [, endedBy] = await exited;
  expect(endedBy).toBe(more === '' ? signal : null);
  expect(await survivors(pids)).toEqual([]);
});

test('after a SIGKILL of its process, another one kills the groups that it listed, and no others', async () => {
  const list = makeFolder();
  const lists = new GroupLists(list);
  const [one, two] = [await startGroups(list), await startGroups(list)];
  const [worker = 0, other = 0] = [one.program.pid, two.program.pid];
  const listed = (owner: number) =>
    readdirSync(list).filter((name) => name.startsWith(`${owner}.`));
  // A command may tell its number before its program has listed it.
  await expect.poll(() => [listed(worker).length, listed(other).length]).toEqual([2, 2]);
  for (const name of ['', '.0', '.1', '.-1', '.x'])
    writeFileSync(join(list, `${worker}${name}`), '');
  const exited = once(one.program, 'exit');
  one.program.kill('SIGKILL');
  await exited;
  expect(one.pids.every(isAlive)).toBe(true);
  lists.killOf(worker);
  expect(await survivors(one.pids)).toEqual([]);
  expect(two.pids.every(isAlive)).toBe(true);
  expect(listed(worker).filter((name) => !/\.(0|1|-1|x)$/.test(name))).toEqual([]);
  lists.killOf(other);
  expect(await survivors(two.pids)).toEqual([]);
});
