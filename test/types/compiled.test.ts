import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeSharedFolder } from '../make-folder.ts';
import { ENTRIES, listExports, writeExamples } from './exports.ts';
import { expectMistakes, PROGRAM } from './mistakes.ts';

const folder = makeSharedFolder();
let errors: readonly string[] = [];

// One run of tsc for all: most of its time goes into the types of Vitest.
beforeAll(() => {
  const options = {
    noUnusedLocals: false,
    verbatimModuleSyntax: false,
    noPropertyAccessFromIndexSignature: false,
  };
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: options,
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{ "name": "viva", "type": "module" }');
  for (const [name, code] of Object.entries({
    ...writeExamples(listExports()),
    'mistakes.ts': PROGRAM,
  }))
    writeFileSync(join(folder, name), code.replaceAll(/'(viva(?:\/[\w-]+)?)'/g, toSource));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--singleThreaded'], {
    cwd: folder,
    encoding: 'utf8',
  });
  errors = stdout.split(/^(?=\S)/m);
});

test('TypeScript finds each mistake in a suite, and says what it is', () => {
  expectMistakes(errors.filter((error) => error.startsWith('mistakes.ts')));
});

test('the example of each docstring compiles', () => {
  expect(errors.filter((error) => /^\d+-/.test(error))).toEqual([]);
});

function toSource(written: string, entry: string): string {
  return ENTRIES[entry] === undefined ? written : `'${ENTRIES[entry]}'`;
}
