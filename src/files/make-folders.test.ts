import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeFolders } from './make-folders.ts';

test('makes what is missing, and leaves what is there', () => {
  const folder = join(makeFolder(), 'a/b/c');
  makeFolders(folder);
  makeFolders(folder);
  expect(existsSync(folder)).toBe(true);
});

test('fails at once where no folder can be made', () => {
  // On Linux a recursive mkdir of Node's never comes back from here.
  expect(() => makeFolders('/proc/nope/runs')).toThrow(/ENOENT/);
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolders(join(file, 'x'))).toThrow(/ENOTDIR/);
});
