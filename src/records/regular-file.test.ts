import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeFolders, NotRegular, readRegular } from './regular-file.ts';

const MAKERS: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a device that never ends': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
};

describe('what is read as a file', () => {
  test.each(Object.keys(MAKERS))('is not %s, nor a link to one', (kind) => {
    const folder = makeFolder();
    const path = join(folder, 'there');
    MAKERS[kind]?.(path);
    symlinkSync(path, join(folder, 'link'));
    expect(() => readRegular(path)).toThrow(NotRegular);
    const what = kind === 'a folder' ? kind : 'a device or pipe';
    const said = `${join(folder, 'link')} must be a file, got ${what}. Put the file itself there, or take this away.`;
    expect(() => readRegular(join(folder, 'link'))).toThrow(said);
  });

  test('is no socket', async () => {
    const path = join(makeFolder(), 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(() => readRegular(path)).toThrow(NotRegular);
    server.close();
  });

  test('may be a link to a file, or missing', () => {
    const folder = makeFolder({ 'a.txt': 'some text' });
    symlinkSync(join(folder, 'a.txt'), join(folder, 'b.txt'));
    expect(readRegular(join(folder, 'b.txt')).toString()).toBe('some text');
    expect(() => readRegular(join(folder, 'c.txt'))).toThrow('ENOENT');
  });
});

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
