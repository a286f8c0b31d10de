import { spawn, spawnSync } from 'node:child_process';
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
import { makeFolder } from '../../test/make-folder.ts';
import {
  findAbandoned,
  hashAttachment,
  removeAbandoned,
  toNeutralNames,
  Workdir,
} from './workdir.ts';

function attach(...names: string[]) {
  const folder = makeFolder(Object.fromEntries(names.map((name) => [name, `content of ${name}`])));
  return names.map((name) => ({ name, path: join(folder, name) }));
}

describe('Workdir', () => {
  test('holds copies under names that do not give the question away', async () => {
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

  test('holds the content of links, which lead to what all runs share', async () => {
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

  test('that cannot be made is a fault of the machine, and leaves nothing behind', () => {
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
    expect(readdirSync(temp).filter((name) => !name.endsWith('.sock'))).toEqual([]);
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

test.each([
  [['7ab3.xlsx'], ['attachment.xlsx']],
  [['none'], ['attachment']],
  [['x.tar.gz'], ['attachment.gz']],
  [['evil.c/../d'], ['attachment']],
  [[`long.${'x'.repeat(50)}`], ['attachment']],
])('%j is shown as %j', (names, neutral) => {
  expect(toNeutralNames(names.map((name) => ({ name, path: '' })))).toEqual(neutral);
});

test('a work folder belongs to its process, also where that is stopped and the clock jumps', async () => {
  const temp = makeFolder();
  const source = `import { Workdir } from ${JSON.stringify(new URL('workdir.ts', import.meta.url).href)};
    console.log(new Workdir([]).path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [text] = await once(child.stdout, 'data');
  const path = String(text).trim();
  child.kill('SIGSTOP');
  utimesSync(path, 1, 1);
  expect(await findAbandoned(temp)).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await findAbandoned(temp)).toEqual([path]);
  await removeAbandoned(temp);
  expect(readdirSync(temp)).toEqual([]);
});

test('work folders without an owner are removed after a day, and nothing else', async () => {
  const folder = makeFolder();
  const make = (name: string, hours: number) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'attachment.csv'), 'x');
    const seconds = Date.now() / 1000 - hours * 3600;
    utimesSync(join(folder, name), seconds, seconds);
    return name;
  };
  const gone = [make('viva-task-abcDEF', 25)];
  const kept = [make('viva-task-abcDEG', 23), make('my-viva-task-abcDEF', 100)];
  symlinkSync(join(folder, 'my-viva-task-abcDEF'), join(folder, 'viva-task-linked'));
  expect(await findAbandoned(folder)).toEqual(gone.map((name) => join(folder, name)));
  await removeAbandoned(folder);
  expect(readdirSync(folder).toSorted()).toEqual([...kept, 'viva-task-linked'].toSorted());
  expect(await findAbandoned(join(folder, 'none'))).toEqual([]);
});

test('a work folder has an owner in a temporary folder of any length', async () => {
  const temp = join(makeFolder(), 'long'.repeat(30));
  mkdirSync(temp);
  vi.stubEnv('TMPDIR', temp);
  const workdir = new Workdir([]);
  expect(workdir.path).toMatch(/viva-task-[0-9a-f]{12}-[^-]{6}$/);
  expect(await findAbandoned(temp)).toEqual([]);
  await workdir.remove();
});
