import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { useCache } from './cache-users.ts';

const FILE = join(import.meta.dirname, 'cache-users.ts');

/** Another process that uses a cache. */
async function startUser(folder: string) {
  const code = `const { useCache } = await import(${JSON.stringify(FILE)});
    const { isShared } = await useCache(${JSON.stringify(folder)});
    console.log(isShared);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { isShared: String(said).trim() === 'true', pid: child.pid, kill };
}

test('another run that uses the same cache is found while it lives', async () => {
  const folder = makeFolder();
  const first = await startUser(folder);
  const use = await useCache(folder);
  const elsewhere = await useCache(join(folder, 'other'));
  const third = await startUser(folder);
  expect([first.isShared, use.isShared, elsewhere.isShared, third.isShared]).toEqual([false, true, false, true]);
  use.end();
  elsewhere.end();
  await Promise.all([first.kill(), third.kill()]);
  const again = await useCache(folder);
  expect(again.isShared).toBe(false);
  again.end();
  expect(globSync(join(tmpdir(), `viva-cache-*-${first.pid}.sock`))).toEqual([]);
});
