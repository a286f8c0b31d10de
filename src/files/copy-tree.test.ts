import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { copyTree } from './copy-tree.ts';

const LIMITS = { bytes: 1000, entries: 10, depth: 3 };

/** Where nothing is yet. */
function makeTarget(): string {
  return join(makeFolder(), 'copy');
}

test('copies files with what may be done with them, and folders; names links and leaves them out', async () => {
  const from = makeFolder({ 'a/b/c.txt': 'x'.repeat(500), 'run.sh': 'echo', empty: '' });
  chmodSync(join(from, 'run.sh'), 0o755);
  symlinkSync('/', join(from, 'root'));
  symlinkSync('../empty', join(from, 'a/inner'));
  mkdirSync(join(from, 'a/none'));
  execFileSync('mkfifo', [join(from, 'pipe')]);
  const to = makeTarget();
  expect(await copyTree(from, to, LIMITS)).toEqual({ count: 2, first: ['root: a link', 'a/inner: a link'] });
  expect(readdirSync(to, { recursive: true }).map(String).toSorted()).toEqual(
    ['a', 'a/b', 'a/b/c.txt', 'a/none', 'empty', 'run.sh'].toSorted(),
  );
  expect(readFileSync(join(to, 'a/b/c.txt'), 'utf8')).toBe('x'.repeat(500));
  expect(lstatSync(join(to, 'run.sh')).mode & 0o111).toBe(0o111);
});

test('writes no hole of a file out', async () => {
  const from = makeFolder({ 'disk.img': `begin${'\0'.repeat(300_000)}` });
  execFileSync('sh', ['-c', 'printf end >>disk.img'], { cwd: from });
  truncateSync(join(from, 'disk.img'), 2 ** 26);
  const to = makeTarget();
  expect(await copyTree(from, to, { ...LIMITS, bytes: 2 ** 26 })).toMatchObject({ count: 0 });
  const [copy, original] = [to, from].map((folder) => readFileSync(join(folder, 'disk.img')));
  expect(original?.equals(copy ?? Buffer.alloc(0))).toBe(true);
  expect(lstatSync(join(to, 'disk.img')).blocks * 512).toBeLessThan(2 ** 21);
});

test.each<[string, Readonly<Record<string, string>>, readonly string[], readonly string[]]>([
  [
    'a file that is too large',
    { big: 'x'.repeat(1001), small: 'x' },
    ['big: 1001 bytes are more than the limit leaves'],
    ['small'],
  ],
  ['what lies too deep', { 'a/b/c/d/e': 'x' }, ['a/b/c: only 3 folders deep'], ['a', 'a/b']],
])('leaves out %s and names it', async (_, files, first, kept) => {
  const to = makeTarget();
  expect(await copyTree(makeFolder(files), to, LIMITS)).toEqual({ count: 1, first });
  expect(readdirSync(to, { recursive: true }).map(String).toSorted()).toEqual(kept);
});

const FULL = 'the rest of it was not looked at, after 10 files and folders';

test('leaves out what is too much, does not look at it, and says so', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}`);
  const from = makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
  const to = makeTarget();
  expect(await copyTree(from, to, LIMITS)).toEqual({ count: 1, first: [`.: ${FULL}`] });
  expect(readdirSync(to)).toHaveLength(10);
});

test('names each folder whose rest it did not look at, and none that is empty', async () => {
  const inner = (folder: string) => Array.from({ length: 9 }, (_, index) => `${folder}/${index}`);
  const from = makeFolder(Object.fromEntries([...inner('a'), ...inner('b')].map((name) => [name, ''])));
  mkdirSync(join(from, 'none'));
  const { count, first } = await copyTree(from, makeTarget(), LIMITS);
  expect([count, ...first.toSorted()]).toEqual([2, `a: ${FULL}`, `b: ${FULL}`]);
});

test('leaves out what cannot be read or written, and shows no raw name', async () => {
  const from = makeFolder({ 'good.txt': 'x' });
  execFileSync(
    'sh',
    ['-c', 'echo x >"$(printf "f\\351")"; for i in $(seq 120); do echo x >"$(printf "\\033\\351$i")"; done'],
    {
      cwd: from,
    },
  );
  const { count, first } = await copyTree(from, makeTarget(), { ...LIMITS, entries: 1000 });
  expect([count, first.length]).toEqual([121, 100]);
  expect(first.filter((line) => !line.endsWith(': ENOENT') || line.includes('\u001b'))).toEqual([]);
});

test('copies nothing that is to be hidden: cut out of files, and what is named by it is left out', async () => {
  const large = `${'x'.repeat(2 ** 22)}a secret`;
  const from = makeFolder({ 'env.txt': 'é a secret\n', 'a secret.txt': '', 'a secret/x': '', 'b/c': 'plain', large });
  const to = makeTarget();
  const change = (bytes: string) => bytes.replaceAll('a secret', '[key]');
  const { count, first } = await copyTree(from, to, { ...LIMITS, bytes: 2 ** 24 }, change);
  expect(readdirSync(to, { recursive: true }).map(String).toSorted()).toEqual(['b', 'b/c', 'env.txt']);
  expect(readFileSync(join(to, 'env.txt'), 'utf8')).toBe('é [key]\n');
  expect([count, ...first.toSorted()]).toEqual([
    3,
    '[key].txt: its name holds a key',
    '[key]: its name holds a key',
    'large: it holds a key, and only files of up to 4 MB are changed',
  ]);
});
