import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toNeutralNames, Workdir } from './workdir.ts';

function attach(...names: string[]) {
  const folder = makeFolder(Object.fromEntries(names.map((name) => [name, `content of ${name}`])));
  return names.map((name) => ({ name, path: join(folder, name) }));
}

describe('Workdir', () => {
  test('holds copies under names that do not give the question away', () => {
    const workdir = new Workdir(attach('7ab3.csv', '7ab3-notes.txt'));
    const [first, second] = workdir.attachments;
    expect(readdirSync(workdir.path)).toEqual(['attachment-1.csv', 'attachment-2.txt']);
    expect(readFileSync(first?.path ?? '', 'utf8')).toBe('content of 7ab3.csv');
    expect(second?.name).toBe('attachment-2.txt');
    expect(workdir.path).not.toMatch(/gaia|7ab3/);
    workdir.remove();
    expect(existsSync(workdir.path)).toBe(false);
  });

  test('holds the content of links, which lead to what all runs share', () => {
    const [shared] = attach('blob');
    const link = join(makeFolder(), 'link.csv');
    symlinkSync(shared?.path ?? '', link);
    chmodSync(shared?.path ?? '', 0o444);
    const workdir = new Workdir([{ name: 'link.csv', path: link }]);
    const copy = join(workdir.path, 'attachment.csv');
    appendFileSync(copy, ', changed');
    expect([lstatSync(copy).isFile(), readFileSync(copy, 'utf8')]).toEqual([true, 'content of blob, changed']);
    expect(readFileSync(link, 'utf8')).toBe('content of blob');
    workdir.remove();
  });

  test.each([
    ['an attachment that is gone', (_: string) => {}, 'ENOENT'],
    ['a temp folder that is gone', (temp: string) => rmdirSync(temp), 'ENOENT'],
    ['a file for a temp folder', (temp: string) => [rmdirSync(temp), writeFileSync(temp, '')], 'ENOTDIR'],
  ])('fails by %s as a fault of the machine, and leaves nothing behind', (_, spoil, code) => {
    const [gone] = attach('a.csv');
    const temp = makeFolder();
    rmSync(gone?.path ?? '');
    spoil(temp);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TMPDIR', temp);
    const workdir = new Workdir(gone === undefined ? [] : [gone]);
    const message = expect.stringMatching(
      `^The work folder of this question cannot be made \\(${code}.+\\)\\. Check the `,
    );
    expect(() => workdir.path).toThrow(expect.objectContaining({ kind: 'machine', message }));
    expect(workdir.fault).toMatchObject({ kind: 'machine' });
    expect(statSync(temp, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(temp) : []).toEqual([]);
  });

  test('is not made before it is read', () => {
    const workdir = new Workdir(attach('a.csv'));
    expect(() => workdir.remove()).not.toThrow();
  });
});

test.each([
  [['7ab3.xlsx'], ['attachment.xlsx']],
  [['none'], ['attachment']],
  [['x.tar.gz'], ['attachment.gz']],
  [['evil.c/../d'], ['attachment']],
  [[`long.${'x'.repeat(50)}`], ['attachment']],
])('%j is shown as %j', (names, neutral) => {
  expect(toNeutralNames(names.map((name) => ({ name, path: '' })))).toEqual(neutral);
});
