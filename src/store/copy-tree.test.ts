import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { copyTree, readChanged, removeTree } from './copy-tree.ts';

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

const LARGEST = 2 ** 22;

async function read(content: string | Buffer) {
  await using file = await open(join(makeFolder({ file: content }), 'file'));
  return await readChanged(file, (await file.stat()).size, (bytes) => bytes.replaceAll('a secret', '[key]'));
}

test('gives the bytes of a file without what is to be hidden, and all others as they are', async () => {
  const other = Buffer.from([0, 0xff, 0x80, 0xc3, 0xa9, 10]);
  const changed = await read(Buffer.concat([other, Buffer.from('a secret'), other, Buffer.from('a secret')]));
  expect(changed).toEqual(Buffer.concat([other, Buffer.from('[key]'), other, Buffer.from('[key]')]));
});

test.each([
  ['without anything to hide', 'x'.repeat(LARGEST + 1)],
  ['that is empty', ''],
])('gives nothing for a file %s', async (_, content) => {
  expect(await read(content)).toBeNull();
});

test.each([2 ** 18 - 4, 2 ** 19 - 1, LARGEST - 8])('finds what stands from byte %i on', async (at) => {
  const pad = (length: number) => 'x'.repeat(length);
  expect(String(await read(`${pad(at)}a secret`))).toBe(`${pad(at)}[key]`);
  await expect(read(`${pad(at)}a secret${pad(LARGEST)}`)).rejects.toThrow(
    'it holds a key, and only files of up to 4 MB',
  );
});

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
