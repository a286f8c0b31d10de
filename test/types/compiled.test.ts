import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findBlocks } from '../docs/markdown.ts';
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
    ...listReadmeBlocks(),
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

test('the TypeScript of the README compiles', () => {
  expect(Object.keys(listReadmeBlocks())).toHaveLength(3);
  expect(errors.filter((error) => error.startsWith('readme-'))).toEqual([]);
});

/** The agents that a block imports are what the comment behind their import says. */
function listReadmeBlocks(): Readonly<Record<string, string>> {
  const page = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const blocks = findBlocks(page).filter(({ language }) => language === 'ts');
  return Object.fromEntries(
    blocks.map(({ text }, index) => {
      const code = text.replaceAll(
        /^import \{ (.+) \} from '\.\.\/src\/.+'; \/\/ async \(.+?\) => (.+)$/gm,
        (_, names: string, answer: string) =>
          names
            .split(', ')
            .map((name) => `const ${name} = async (_: Question) => (${answer});`)
            .join(' '),
      );
      return [`readme-${index + 1}.ts`, `import type { Question } from 'viva';\n${code}`];
    }),
  );
}

function toSource(written: string, entry: string): string {
  return ENTRIES[entry] === undefined ? written : `'${ENTRIES[entry]}'`;
}
