import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { removeTree } from './remove-tree.ts';

function makeTree(): string {
  const folder = join(makeFolder(), 'work');
  mkdirSync(folder);
  return folder;
}

test.each<[string, (folder: string) => void]>([
  ['an empty one', () => {}],
  [
    'one with folders, files and a pipe',
    (folder) => [
      mkdirSync(join(folder, 'a/b/c'), { recursive: true }),
      ...Array.from({ length: 100 }, (_, index) => writeFileSync(join(folder, 'a/b', `${index}`), 'x')),
      execFileSync('mkfifo', [join(folder, 'a/pipe')]),
    ],
  ],
  ['one deeper than a path can say', (folder) => nest(folder, 'a'.repeat(200), 30)],
  [
    'one with names that are no UTF-8',
    (folder) =>
      execFileSync('sh', ['-c', 'mkdir "$(printf "d\\351")" && echo x >"$(printf "d\\351/f\\351")"'], at(folder)),
  ],
])('removes %s', async (_, fill) => {
  const folder = makeTree();
  fill(folder);
  expect(await removeTree(folder)).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

/** No single path leads there, so that each folder is made from within the one above. */
function nest(folder: string, name: string, depth: number): void {
  const script = `for i in $(seq ${depth}); do mkdir ${name} && cd ${name} || exit 1; done; echo x >file`;
  execFileSync('bash', ['-c', script], at(folder));
}

function at(cwd: string): { readonly cwd: string } {
  return { cwd };
}

// The superuser is locked out of nothing, and removes it all at once.
test('removes folders that were locked, and nothing that links lead to', async () => {
  const outside = makeFolder({ 'kept/a.txt': 'x' });
  const folder = makeTree();
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b/c.txt'), 'x');
  symlinkSync(join(outside, 'kept'), join(folder, 'link'));
  for (const locked of ['a/b', 'a', '.']) chmodSync(join(folder, locked), 0);
  expect(await removeTree(folder)).toBe(true);
  const link = join(makeFolder(), 'link');
  symlinkSync(join(outside, 'kept'), link);
  expect(await removeTree(link)).toBe(true);
  expect([existsSync(folder), existsSync(link)]).toEqual([false, false]);
  expect(readdirSync(join(outside, 'kept'))).toEqual(['a.txt']);
});

test('lets others go on while many files go', async () => {
  const folder = makeTree();
  for (let index = 0; index < 2000; index += 1) writeFileSync(join(folder, `${index}`), '');
  let turns = 0;
  const counter = setInterval(() => (turns += 1));
  await removeTree(folder);
  clearInterval(counter);
  expect(turns).toBeGreaterThan(3);
});

test('takes a folder that is gone, or cannot be removed, without an error', async () => {
  expect(await removeTree(join(makeFolder(), 'none'))).toBe(true);
  expect(await removeTree(join(makeFolder({ file: 'x' }), 'file/none'))).toBe(true);
  expect(await removeTree('/proc/self')).toBe(false);
});
