import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';

const SCRIPT = `
import { calculate } from './src/tools/calculate.ts';
const context = { signal: new AbortController().signal, attachments: [] };
console.log(await calculate.run(new Map([['code', '6 * 7']]), context));
`;

test('a confined program finds its packages where node_modules is a link', () => {
  const folder = join(makeFolder(), 'copy');
  mkdirSync(folder);
  cpSync('src', join(folder, 'src'), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const options = ['--input-type=module', '--eval', SCRIPT];
  const printed = execFileSync(process.execPath, options, {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(printed).toBe('= 42\n');
});
