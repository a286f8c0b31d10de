import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toPlainError } from '../text/thrown.ts';
import { importModule } from './module.ts';
import { findSyntaxError } from './syntax-error.ts';

const FILES = {
  'typed.ts': 'export default (id: string) => {\n  const x = {;\n};\n',
  'plain.js': 'export default () => {\n  return 1 + ;\n};\n',
  'open.js': 'export default () => {\n  if (true) {\n',
  'inner.mjs': "export const inner = 'x;\n",
  'outer.js': "import { inner } from './inner.mjs';\nexport default () => inner;\n",
  'missing.ts': "import './none.ts';\nexport default (id: string) => id;\n",
  'broken.ts': "throw new Error('cannot parse the syntax of its settings');\n",
};

const PLACES = [
  ['typed.ts', /^\S+\/typed\.ts:2:(13|14): \S/],
  ['plain.js', /^\S+\/plain\.js:2:14: Unexpected token ';'$/],
  ['open.js', /^\S+\/open\.js:3:1: Unexpected end of input$/],
  ['outer.js', /^\S+\/inner\.mjs:1:22: Invalid or unexpected token$/],
  ['missing.ts', null],
  ['broken.ts', null],
] as const;

describe('the place of a syntax error', () => {
  test.each(PLACES)('of %s, that Vite imports', async (name, place) => {
    const file = join(makeFolder(FILES), name);
    const error = await importModule(pathToFileURL(file).href).catch(toPlainError);
    check(error instanceof Error ? findSyntaxError(file, error) : 'no error', place);
  });

  test.each(PLACES)('of %s, that Node imports', (name, place) => {
    const file = join(makeFolder(FILES), name);
    const source = `import { findSyntaxError } from ${JSON.stringify(new URL('syntax-error.ts', import.meta.url).href)};
      const error = await import(${JSON.stringify(file)}).catch((thrown) => thrown);
      console.log(JSON.stringify(findSyntaxError(${JSON.stringify(file)}, error)));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
    check(JSON.parse(stdout), place);
  });
});

function check(found: unknown, place: RegExp | null): void {
  if (place === null) expect(found).toBeNull();
  else expect(found).toMatch(place);
}
