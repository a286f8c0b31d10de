import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { hashAttachment, removeAbandoned, removeTree, Workdir } from './workdir.ts';

function attach(...names: string[]) {
  const folder = makeFolder(Object.fromEntries(names.map((name) => [name, `content of ${name}`])));
  return names.map((name) => ({ name, path: join(folder, name) }));
}

describe('Workdir', () => {
  test('has copies under names that do not reveal the question', async () => {
    const workdir = new Workdir(attach('7ab3.csv', '7ab3-notes.txt'));
    const [first, second] = workdir.attachments;
    expect(readdirSync(workdir.path)).toEqual(['attachment-1.csv', 'attachment-2.txt']);
    expect(readFileSync(first?.path ?? '', 'utf8')).toBe('content of 7ab3.csv');
    expect(second?.name).toBe('attachment-2.txt');
    expect(workdir.path).not.toMatch(/gaia|7ab3/);
    await workdir.remove();
    expect(existsSync(dirname(first?.path ?? ''))).toBe(false);
  });

  test('is not made again once it was removed', async () => {
    const temp = makeFolder();
    vi.stubEnv('TMPDIR', temp);
    const workdir = new Workdir(attach('a.csv'));
    await workdir.remove();
    expect(() => workdir.path).toThrow(/removed when the agent has answered. Read it before that/);
    expect(() => workdir.attachments).toThrow('removed when the agent has answered');
    expect(readdirSync(temp).filter((name) => name.startsWith('viva-task'))).toEqual([]);
  });

  test('has the content of links, which point to what all runs share', async () => {
    const [shared] = attach('blob');
    const link = join(makeFolder(), 'link.csv');
    symlinkSync(shared?.path ?? '', link);
    chmodSync(shared?.path ?? '', 0o444);
    const workdir = new Workdir([{ name: 'link.csv', path: link }]);
    const copy = join(workdir.path, 'attachment.csv');
    appendFileSync(copy, ', changed');
    expect([lstatSync(copy).isFile(), readFileSync(copy, 'utf8')]).toEqual([
      true,
      'content of blob, changed',
    ]);
    expect(readFileSync(link, 'utf8')).toBe('content of blob');
    await workdir.remove();
  });

  test('that cannot be created is a fault of the machine, and leaves nothing behind', () => {
    const [gone] = attach('a.csv');
    const temp = makeFolder();
    rmSync(gone?.path ?? '');
    vi.stubEnv('TMPDIR', temp);
    const workdir = new Workdir(gone === undefined ? [] : [gone]);
    const message = expect.stringMatching(
      /^The work folder of this question cannot be made \(ENOENT.+\)\. Check the /,
    );
    expect(() => workdir.path).toThrow(expect.objectContaining({ kind: 'machine', message }));
    expect(workdir.fault).toMatchObject({ kind: 'machine' });
    expect(readdirSync(temp)).toEqual([]);
  });

  test('that the disk refuses names the folder, and the setting for another', () => {
    vi.stubEnv('TMPDIR', makeFile('file'));
    const message = expect.stringMatching(
      /^The work folder of this question cannot be made: .+file\/viva-task-.+ cannot be written: a file .+ \(ENOTDIR\)\. .+, or set TMPDIR to another folder\.$/,
    );
    expect(() => new Workdir([]).path).toThrow(
      expect.objectContaining({ kind: 'machine', message }),
    );
  });

  test('is not filled with an attachment that has changed since the run was planned', async () => {
    const [file] = attach('a.csv');
    const originals = file === undefined ? [] : [file];
    const workdir = new Workdir(originals, originals.map(hashAttachment));
    const { path = '' } = file ?? {};
    writeFileSync(path, 'other');
    const message = expect.stringContaining('"a.csv" has changed since the run began');
    expect(() => workdir.path).toThrow(expect.objectContaining({ kind: 'machine', message }));
    writeFileSync(path, 'content of a.csv');
    expect(readFileSync(join(workdir.path, 'attachment.csv'), 'utf8')).toBe('content of a.csv');
    expect(workdir.fault).toBe(null);
    await workdir.remove();
  });

  test('goes when its process exits, at the latest', () => {
    const temp = makeFolder();
    const source = `import { Workdir } from ${JSON.stringify(new URL('workdir.ts', import.meta.url).href)};
      const workdirs = [new Workdir([]), new Workdir([])];
      process.stdout.write(workdirs.map(({ path }) => path).join());
      void workdirs[0].remove();
      process.exit(3);`;
    const args = ['--input-type=module', '-e', source];
    const { stdout, status } = spawnSync(process.execPath, args, {
      env: { TMPDIR: temp },
      encoding: 'utf8',
    });
    expect([stdout.split(',').length, status, readdirSync(temp)]).toEqual([2, 3, []]);
  });
});

test('work folders of processes that have ended are removed after a day, and nothing else', () => {
  const folder = makeFolder();
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const make = (name: string, hours: number) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'attachment.csv'), 'x');
    const seconds = Date.now() / 1000 - hours * 3600;
    utimesSync(join(folder, name), seconds, seconds);
    return name;
  };
  make(`viva-task-${ended}-abcDEF`, 25);
  const kept = [
    make(`viva-task-${ended}-abcDEG`, 23),
    make(`viva-task-${process.pid}-abcDEF`, 100),
    make(`my-viva-task-${ended}-abcDEF`, 100),
  ];
  const link = `viva-task-${ended}-linked`;
  symlinkSync(join(folder, kept[2] ?? ''), join(folder, link));
  removeAbandoned(folder);
  expect(readdirSync(folder).toSorted()).toEqual([...kept, link].toSorted());
  removeAbandoned(join(folder, 'none'));
});

test('the work folder of a stopped process stays, however old it is, and goes when that has ended', async ({
  skip,
}) => {
  skip(spawnSync('ps').status !== 0, 'ps');
  const folder = makeFolder();
  const child = spawn('/bin/sh', ['-c', 'kill -STOP $$; sleep 60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stateOf = () => execFileSync('ps', ['-o', 'stat=', '-p', String(child.pid)]).toString();
  await vi.waitFor(() => expect(stateOf()).toMatch(/^T/), { timeout: 10_000 });
  const name = `viva-task-${child.pid}-abcDEF`;
  mkdirSync(join(folder, name));
  utimesSync(join(folder, name), 0, 0);
  removeAbandoned(folder);
  expect(readdirSync(folder)).toEqual([name]);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  removeAbandoned(folder);
  expect(readdirSync(folder)).toEqual([]);
});

describe('removes a folder', () => {
  // The superuser is locked out of nothing, and removes it all at once.
  const SCRIPTS = {
    'deeper than a path can say, with a pipe':
      'mkfifo pipe; for i in $(seq 30); do n=$(printf "%0200d" 1); mkdir $n && cd $n; done; echo x >file',
    'with names that are not UTF-8':
      'mkdir "$(printf "d\\351")" && echo x >"$(printf "d\\351/f\\351")"',
    'that is locked': 'mkdir -p a/b && touch a/b/c && chmod 0 a/b a .',
  };

  test.each(Object.entries(SCRIPTS))('%s', async (_, script) => {
    const folder = makeFolder({ 'work/x': '' });
    execFileSync('bash', ['-c', script], { cwd: join(folder, 'work') });
    expect(await removeTree(join(folder, 'work'))).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('or a link, and nothing that links lead to', async () => {
    const outside = makeFolder({ 'kept/a.txt': 'x' });
    const folder = makeFolder({ 'a.txt': '' });
    const link = join(makeFolder(), 'link');
    for (const path of [join(folder, 'link'), link]) symlinkSync(join(outside, 'kept'), path);
    expect(
      await Promise.all([removeTree(folder), removeTree(link), removeTree(join(outside, 'none'))]),
    ).toEqual([true, true, true]);
    expect([existsSync(folder), existsSync(link)]).toEqual([false, false]);
    expect(readdirSync(join(outside, 'kept'))).toEqual(['a.txt']);
  });
});
