import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { attachFiles, copyContent, readContent } from './attachments.ts';

test('a file is known again by its time, unless it was changed a moment ago', () => {
  expect(readContent('/etc/passwd').stamp).toMatch(/^\d+( \d+){4}$/);
  const fresh = readContent(`${makeFolder({ 'a.csv': 'a' })}/a.csv`);
  expect(fresh).toEqual({ hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', stamp: null });
});

test('a file that cannot be read in one piece is refused by name and size, before it is read', () => {
  const path = join(makeFolder({ 'a.bin': '' }), 'a.bin');
  truncateSync(path, 2 ** 31);
  const said = `${path} must be a file of less than 2 GiB, got 2147483648 bytes. Put a smaller file there.`;
  expect(() => readContent(path)).toThrow(said);
  expect(() => copyContent({ name: 'a.bin', path }, `${path}.copy`, null)).toThrow(said);
});

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
