import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findAbandoned, removeAbandoned, toPrefix } from './abandoned-workdirs.ts';

test('work folders of killed processes are removed, and nothing else', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const dead = child.pid ?? 0;
  const folder = makeFolder();
  const make = (name: string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'attachment.csv'), 'x');
    return name;
  };
  const left = make(`${toPrefix(dead)}abcDEF`);
  const own = make(`${toPrefix(process.pid)}abcDEF`);
  const others = [make('viva-task-x-abcDEF'), make(`my-${toPrefix(dead)}abcDEF`), make(`${toPrefix(dead)}notes`)];
  const link = `${toPrefix(dead)}linked`;
  symlinkSync(join(folder, own), join(folder, link));
  expect(findAbandoned(folder)).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(findAbandoned(folder)).toEqual([join(folder, left)]);
  removeAbandoned(folder);
  expect(readdirSync(folder).toSorted()).toEqual([own, link, ...others].toSorted());
});

test('a folder that is not there holds none', () => {
  expect(findAbandoned(join(makeFolder(), 'none'))).toEqual([]);
});
