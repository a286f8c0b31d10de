import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findAbandoned, removeAbandoned, removeFolder } from './abandoned-workdirs.ts';

const NOW = Date.now() / 1000;
const OLD = NOW - 660;
const RECENT = NOW - 540;

/** Makes a folder with an attachment, or a heartbeat, that is as old as said. */
function make(folder: string, name: string, seconds: number): string {
  const path = join(folder, name);
  if (!name.endsWith('.alive')) mkdirSync(path);
  writeFileSync(name.endsWith('.alive') ? path : join(path, 'attachment.csv'), 'x');
  utimesSync(path, seconds, seconds);
  return name;
}

test('work folders without a heartbeat for ten minutes are removed with it, and nothing else', () => {
  const folder = makeFolder();
  const gone = [
    make(folder, 'viva-task-dead-abcDEF', NOW),
    make(folder, 'viva-task-dead-abcDEG', OLD),
    make(folder, 'viva-task-dead.alive', OLD),
    make(folder, 'viva-task-lone.alive', OLD),
    // Of an older version, which had no heartbeat.
    make(folder, 'viva-task-4194304-abcDEF', OLD),
  ];
  const kept = [
    make(folder, 'viva-task-slow-abcDEF', OLD),
    make(folder, 'viva-task-slow.alive', RECENT),
    make(folder, 'viva-task-made-abcDEF', RECENT),
    make(folder, 'viva-task-x-y-abcDEF', OLD),
    make(folder, 'my-viva-task-dead-abcDEF', OLD),
    make(folder, 'viva-task-dead-notes', OLD),
  ];
  const link = 'viva-task-dead-linked';
  symlinkSync(join(folder, 'my-viva-task-dead-abcDEF'), join(folder, link));
  const abandoned = gone.filter((name) => !name.endsWith('.alive')).map((name) => join(folder, name));
  expect(findAbandoned(folder).toSorted()).toEqual(abandoned.toSorted());
  removeAbandoned(folder);
  expect(readdirSync(folder).toSorted()).toEqual([...kept, link].toSorted());
});

test('a folder that is not there holds none', () => {
  expect(findAbandoned(join(makeFolder(), 'none'))).toEqual([]);
});

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
