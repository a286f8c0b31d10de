import fs, { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeSharedFolder } from '../../test/make-folder.ts';
import { readNamedEvals } from './named-evals.ts';

const FILES = [
  'evals/gaia/gaia.eval.ts',
  'evals/gaia/prompt.test.ts',
  'src/eval/parser.test.ts',
  'src/evals/own.test.ts',
  'packages/c/evals/c.eval.ts',
  'packages/d/evals/d.eval.ts',
];
const root = makeSharedFolder();
for (const file of FILES) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '');
}

async function read(...argv: readonly string[]) {
  const named = await readNamedEvals(argv, {
    root,
    test: { projects: ['packages/*', '!packages/d'] },
  });
  return named === null ? 'tests' : (named.problem ?? 'evals');
}

// test/package/matrix-layouts.ts has what each command does in each form of repository.
test.each([
  [['run', 'evals'], 'evals'],
  [['run', 'evals/gaia', '-t', 'level 1'], 'evals'],
  [['run', `${root}/evals/gaia/gaia.eval.ts:3`], 'evals'],
  [['watch', 'evals'], 'evals'],
  [['run', 'EVALS/Gaia'], 'evals'],
  [['run', 'gaia.eval'], 'evals'],
  [['run', 'packages/c/evals'], 'evals'],
  [['run', '--project', 'evals'], 'evals'],
  [['run', '--reporter', 'json', 'evals'], 'evals'],
  [[], 'tests'],
  [['run', 'gaia'], 'tests'],
  [['run', 'eval'], 'tests'],
  [['run', 'src/evals'], 'tests'],
  [['run', 'evals/gaia/prompt.test.ts'], 'tests'],
  [['run', 'packages/d/evals'], 'tests'],
  [['run', '--project', 'unit'], 'tests'],
  [['run', '--project', 'unit', 'evals'], 'tests'],
  [['run', '-t', 'evals/gaia'], 'tests'],
  [['run', '--outputFile', 'evals/out.json'], 'tests'],
  [['run', '--exclude=evals', 'src'], 'tests'],
  [['bench', 'evals'], 'tests'],
])('%j is a run of %s', async (argv, kind) => {
  expect(await read(...argv)).toBe(kind);
});

test.each([
  [['run', 'evals', 'src'], 'src', 'run evals', 'run src'],
  [['evals/gaia', 'src', 'lib'], 'src, lib', 'evals/gaia', 'src lib'],
  [
    ['watch', '--project=evals', '--project=unit'],
    '--project unit',
    'watch evals',
    'watch --project unit',
  ],
])('%j is refused with two commands', async (argv, tests, evals, other) => {
  expect(await read(...argv)).toBe(
    `Evals and tests run in commands of their own: no eval file is named by ${tests}. See docs/package.md#what-the-plugin-does, and use\n` +
      `  pnpm vitest ${evals}\n  pnpm vitest ${other}`,
  );
});

test('a Node without globSync, which viva refuses, finds the evals of the root', async () => {
  const found = Object.getOwnPropertyDescriptor(fs, 'globSync') ?? {};
  Object.defineProperty(fs, 'globSync', { ...found, value: undefined });
  onTestFinished(() => void Object.defineProperty(fs, 'globSync', found));
  expect([await read('run', 'evals/gaia'), await read('run', 'src/evals')]).toEqual([
    'evals',
    'tests',
  ]);
});
