import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { attachFiles } from './attach-files.ts';

test.each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to a pipe', (path) => [execFileSync('mkfifo', [`${path}.pipe`]), symlinkSync(`${path}.pipe`, path)]],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
])('what has become %s is named and not opened, as Vitest would wait for it for ever', async (_, make) => {
  const path = join(makeFolder(), 'a.csv');
  make(path);
  expect(await attachOne(path)).toEqual([['a.csv (no longer a file, not attached)', 'attachment']]);
});

test('files are attached, also through links; large ones are named, and what is gone is passed over', async () => {
  const folder = makeFolder({ 'a.csv': 'a', large: '' });
  const path = join(folder, 'a.csv');
  symlinkSync(path, join(folder, 'link'));
  truncateSync(join(folder, 'large'), 20_000_001);
  expect(await attachOne(path)).toEqual([['a.csv', 'attachment', { path }]]);
  expect(await attachOne(join(folder, 'link'))).toEqual([['a.csv', 'attachment', { path: join(folder, 'link') }]]);
  expect(await attachOne(join(folder, 'large'))).toEqual([['a.csv (too large to attach)', 'attachment']]);
  expect(await attachOne(join(folder, 'gone'))).toEqual([]);
});

/** What Vitest is told of one attachment at this path. */
async function attachOne(path: string): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  const annotate = async (message: string, ...rest: readonly unknown[]) => {
    told.push([message, ...rest]);
    return { message, type: 'notice' };
  };
  await attachFiles({ annotate }, null, [{ name: 'a.csv', path }]);
  return told;
}
