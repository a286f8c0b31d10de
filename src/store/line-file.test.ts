import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { LineFile, LineReader, readLines, syncLines, writeLines, writeWhole } from './line-file.ts';

test('a disk that takes only a part of a line is an error, and the next line is separate', () => {
  const file = join(makeFolder(), 'lines');
  // Its files may not grow beyond 4 KiB, until that is lifted.
  const program = `
    import { execFileSync } from 'node:child_process';
    import { LineFile } from '${new URL('./line-file.ts', import.meta.url).href}';
    const file = new LineFile('${file}');
    const attempt = (text) => { try { file.append(text); return 'kept'; } catch (error) { return error.code; } };
    console.log(attempt('a'.repeat(3000) + '\\n'), attempt('b'.repeat(3000) + '\\n'));
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
    file.append('c\\n');`;
  const words = ['--fsize=4096:unlimited', process.execPath, '--input-type=module', '-e', program];
  expect(execFileSync('prlimit', words, { encoding: 'utf8' })).toBe('kept EFBIG\n');
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toEqual(['a'.repeat(3000), 'b'.repeat(4096 - 3001), 'c', '']);
});

test('says that the disk is full', () => {
  const message = expect.stringMatching(
    /^\/dev\/full cannot be written: the disk is full \(ENOSPC\)\./,
  );
  const said = expect.objectContaining({ code: 'ENOSPC', message });
  expect(() => new LineFile('/dev/full').append('a\n')).toThrow(said);
  // The device stays one.
  expect(() => writeWhole('/dev/full', 'a')).toThrow(said);
  expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
});

test('a line of a file that was removed is an error, as it would be lost', () => {
  const path = join(makeFolder(), 'lines');
  const file = new LineFile(path);
  file.append('a\n');
  rmSync(path);
  expect(() => file.append('b\n')).toThrow(`${path} was removed while it was written to`);
  file.close();
});

test('does not join a line that a crash left open, and leaves a whole one alone', () => {
  const file = makeFile('lines', 'whole\n');
  const append = (line: string) => {
    const lines = new LineFile(file);
    lines.append(line);
    lines.close();
  };
  append('a\n');
  appendFileSync(file, 'torn');
  append('b\n');
  expect(readFileSync(file, 'utf8')).toBe('whole\na\ntorn\nb\n');
  writeFileSync(file, '');
  append('é\n');
  expect(readFileSync(file, 'utf8')).toBe('é\n');
});

const TEXTS: readonly (readonly [rule: string, text: string, lines: readonly string[]])[] = [
  ['an empty file has no lines', '', []],
  ['a last line needs no break', 'one\ntwo', ['one', 'two']],
  ['empty lines are left out', '\n\none\n\n\ntwo\n\n', ['one', 'two']],
  [
    'a character that two chunks share is read whole',
    'é€😀é€😀é€😀\n😀€é\n',
    ['é€😀é€😀é€😀', '😀€é'],
  ],
  ['a line may be longer than many chunks', `${'x'.repeat(100)}\ny\n`, ['x'.repeat(100), 'y']],
  [
    'other marks that end a line elsewhere do not end one here',
    'a\u2028b\u0085c\rd\n',
    ['a\u2028b\u0085c\rd'],
  ],
];

test.each(TEXTS)('%s', (_, text, lines) => {
  const file = join(makeFolder(), 'lines.jsonl');
  writeFileSync(file, text);
  const chunks = [1, 2, 3, 5, 7, 1 << 20];
  expect(chunks.map((bytes) => [...readLines(file, bytes)])).toEqual(chunks.map(() => lines));
});

test.each([1, 3, 1 << 20])(
  'a growing file returns each line once it is whole, and the rest at the end, by %d bytes',
  (bytes) => {
    const file = makeFile('lines', 'one\ntw');
    const reader = new LineReader(file, bytes);
    const said = () => [...reader.readWhole()];
    expect([said(), said()]).toEqual([['one'], []]);
    appendFileSync(file, 'o €');
    expect(said()).toEqual([]);
    appendFileSync(file, '\nthree\nfo');
    expect([said(), [...reader.readRest()], said()]).toEqual([['two €', 'three'], ['fo'], []]);
    reader.close();
  },
);

test('lines of any length and number are in the file, in their order', () => {
  const folder = makeFolder();
  const lines = [
    ...Array.from({ length: 5000 }, (_, index) => `${index}\n`),
    `${'x'.repeat(3_000_000)}\n`,
    'last\n',
  ];
  writeLines(join(folder, 'file'), lines);
  expect(readFileSync(join(folder, 'file'), 'utf8') === lines.join('')).toBe(true);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('an error between lines leaves the earlier file as it was', () => {
  const folder = makeFolder({ file: 'earlier\n' });
  function* fail() {
    yield 'new\n';
    throw new Error('no more');
  }
  expect(() => writeLines(join(folder, 'file'), fail())).toThrow('no more');
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('earlier\n');
});

// No disk can be made to fail here, but a pipe refuses to be synced.
test('lines are put on the disk within about a second, and one that refuses fails the next line', async () => {
  const pipe = join(makeFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const file = new LineFile(pipe);
  file.append('a\n');
  await vi.waitFor(
    () => expect(() => file.append('b\n')).toThrow('EINVAL: invalid argument, fdatasync'),
    30_000,
  );
  // A line that was appended while the disk refused would fail the test below.
  file.close();
});

test('all lines are put on the disk at the end', async () => {
  const pipe = join(makeFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const file = new LineFile(pipe);
  await syncLines();
  file.append('a\n');
  await expect(syncLines()).rejects.toThrow('EINVAL: invalid argument, fdatasync');
  file.close();
});
