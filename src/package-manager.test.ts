import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../test/make-folder.ts';
import { toCommand, toInstall } from './package-manager.ts';

const PNPM = 'pnpm/10.2.0 npm/? node/v24.1.0 linux x64';

test.each([
  ['nothing', [], undefined, 'npx vitest', 'npm install -D x'],
  ['package-lock.json', ['package-lock.json'], undefined, 'npx vitest', 'npm install -D x'],
  ['npm-shrinkwrap.json', ['npm-shrinkwrap.json'], PNPM, 'npx vitest', 'npm install -D x'],
  ['pnpm-lock.yaml', ['pnpm-lock.yaml'], undefined, 'pnpm vitest', 'pnpm add -D x'],
  ['pnpm-lock.yaml under npx', ['pnpm-lock.yaml'], 'npm/11.0.0', 'pnpm vitest', 'pnpm add -D x'],
  ['yarn.lock', ['yarn.lock'], undefined, 'yarn vitest', 'yarn add -D x'],
  ['bun.lock', ['bun.lock'], undefined, 'bunx vitest', 'bun add -d x'],
  ['bun.lockb', ['bun.lockb'], undefined, 'bunx vitest', 'bun add -d x'],
  ['pnpm that runs', [], PNPM, 'pnpm vitest', 'pnpm add -D x'],
  ['yarn that runs', [], 'yarn/4.9.1 npm/? node/v24.1.0', 'yarn vitest', 'yarn add -D x'],
  ['bun that runs', [], 'bun/1.2.0', 'bunx vitest', 'bun add -d x'],
  ['an unknown one that runs', [], 'constructor/1', 'npx vitest', 'npm install -D x'],
  ['two locks under pnpm', ['yarn.lock', 'pnpm-lock.yaml'], PNPM, 'pnpm vitest', 'pnpm add -D x'],
  ['two locks', ['yarn.lock', 'bun.lock'], undefined, 'yarn vitest', 'yarn add -D x'],
])('names the package manager of %s', (_, locks, agent, started, added) => {
  const root = makeFolder({ ...Object.fromEntries(locks.map((name) => [name, ''])), 'a/b/c': '' });
  // Nothing above the project counts.
  if (locks.length === 0) mkdirSync(join(root, '.git'));
  const place = { folder: join(root, 'a/b'), env: { npm_config_user_agent: agent } };
  expect([toCommand('vitest', place), toInstall('x', place)]).toEqual([started, added]);
});

test.each([
  ['packageManager', { packageManager: 'pnpm@11.3.0+sha512.2c40' }, 'pnpm viva'],
  ['devEngines', { devEngines: { packageManager: { name: 'yarn' } } }, 'yarn viva'],
  ['an unknown manager', { packageManager: 'toString@1' }, 'npx viva'],
  ['a value of another type', { packageManager: ['pnpm'] }, 'npx viva'],
])('a package.json with %s decides between lock files', (_, stated, started) => {
  const locks = { 'package-lock.json': '', 'bun.lock': '' };
  const folder = makeFolder({ ...locks, 'package.json': JSON.stringify(stated) });
  expect(toCommand('viva', { folder })).toBe(started);
});

test('the nearest lock file counts, within the checkout', () => {
  const root = makeFolder({ 'yarn.lock': '', 'a/package-lock.json': '', 'b/.git/x': '' });
  const start = (name: string) => toCommand('viva', { folder: join(root, name) });
  expect(['', 'a', 'b'].map(start)).toEqual(['yarn viva', 'npx viva', 'npx viva']);
});
