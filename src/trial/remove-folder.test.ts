import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { removeFolder } from './remove-folder.ts';

// The superuser is locked out of nothing, and removes it all at once.
test('removes folders that were locked, and nothing that links lead to', () => {
  const outside = makeFolder({ 'kept/a.txt': 'x' });
  const folder = join(makeFolder(), 'work');
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b/c.txt'), 'x');
  symlinkSync(join(outside, 'kept'), join(folder, 'link'));
  for (const locked of ['a/b', 'a', '.']) chmodSync(join(folder, locked), 0);
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  expect(readdirSync(join(outside, 'kept'))).toEqual(['a.txt']);
});

test('takes a folder that is gone, or cannot be removed, without an error', () => {
  removeFolder(join(makeFolder(), 'none'));
  removeFolder(join(makeFolder({ file: 'x' }), 'file/none'));
});
