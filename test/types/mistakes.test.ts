import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { expectMistakes, PROGRAM } from './mistakes.ts';

test('TypeScript finds each mistake in a suite, and says what it is', () => {
  const folder = makeFolder();
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['mistakes.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{ "name": "viva", "type": "module" }');
  writeFileSync(join(folder, 'mistakes.ts'), PROGRAM.replaceAll(/'viva(.*?)'/g, toSource));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--singleThreaded'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expectMistakes(stdout.split(/^(?=\S)/m));
});

function toSource(_: string, part: string): string {
  return `'${join(ROOT, part === '' ? 'src/index.ts' : 'src/agents/ai-sdk.ts')}'`;
}
