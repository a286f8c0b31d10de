import { spawn, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { isAlive, survivors } from '../../test/processes.ts';
import { END_MARKED, MARK_NAME } from './groups.ts';

/** Like the grep of busybox, it sees nothing after a NUL: in the probe, and in files of /proc. */
const GREP = `#!/bin/sh
case "$*" in '-qF b' | *environ*) exit 1 ;; esac
exec /bin/grep "$@"
`;

function startMarked(mark: string) {
  const child = spawn('sleep', ['60'], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/bin', [MARK_NAME]: mark },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

test.runIf(process.platform === 'linux').each([
  ['of GNU', {}],
  ['of busybox', { grep: GREP }],
])('processes with a mark are killed, and no others, with the grep %s', async (_, programs) => {
  const folder = makeFolder(programs);
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755);
  const run = crypto.randomUUID();
  const marked = ['1', '2'].map((number) => startMarked(`${run}.${number}.`));
  const other = startMarked(`${run}.10.`);
  const script = `${END_MARKED}\nend_marked ${run}.1. ${run}.2.`;
  const { stderr } = spawnSync('/bin/sh', ['-c', script], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  expect([stderr, await survivors(marked), isAlive(other)]).toEqual(['', [], true]);
});
