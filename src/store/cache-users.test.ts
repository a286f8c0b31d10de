import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { useCache } from './cache-users.ts';

const FILE = join(import.meta.dirname, 'cache-users.ts');

afterEach(() => vi.unstubAllEnvs());

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
  return { isShared: String(said).trim() === 'true', kill };
}

test('another run that uses the same cache is found while it lives', async () => {
  const folder = makeFolder();
  vi.stubEnv('TMPDIR', folder);
  const first = await startUser(folder);
  const use = await useCache(folder);
  const elsewhere = await useCache(join(folder, 'other'));
  const third = await startUser(folder);
  expect([first.isShared, use.isShared, elsewhere.isShared, third.isShared]).toEqual([false, true, false, true]);
  use.end();
  elsewhere.end();
  await Promise.all([first.kill(), third.kill()]);
  const left = listSockets(folder);
  // Whatever cache the next run uses.
  const next = await useCache(join(folder, 'next'));
  expect([left.length, listSockets(folder).length]).toEqual([2, 1]);
  const again = await useCache(folder);
  expect(again.isShared).toBe(false);
  next.end();
  again.end();
});

// Two containers that share the temporary folder number their processes alike.
test('another run whose process has the same number is found', async () => {
  const folder = makeFolder();
  const [first, second] = [await useCache(folder), await useCache(folder)];
  expect([first.isShared, second.isShared]).toEqual([false, true]);
  first.end();
  const third = await useCache(folder);
  expect(third.isShared).toBe(true);
  second.end();
  third.end();
});

function listSockets(folder: string): string[] {
  return globSync(join(folder, 'viva-cache-*.sock'));
}
