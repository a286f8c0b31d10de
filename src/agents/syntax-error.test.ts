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
  'twice.js': 'const a = 1;\nlet b = 2;\nlet b = 3;\n',
  'pattern.js': 'export default () => {\n  const r = /(/;\n};\n',
  'private.js': 'class A { m() { return this.#x; } }\nexport default A;\n',
  'strict.js': '"use strict";\nvar public = 1;\n',
  'shebang.mjs': '#!/usr/bin/env node\nimport fs from "node:fs";\n\nlet y = fs;\nlet x = 1;\nlet x = y;\n',
  'parameters.js': 'const a = 1;\n\nexport default (a, a) => a;\n',
  'break.js': 'export default (q) => {\n  break;\n};\n',
  'missing.ts': "import './none.ts';\nexport default (id: string) => id;\n",
  'broken.ts': "throw new Error('cannot parse the syntax of its settings');\n",
};

const PLACES = [
  ['typed.ts', /^\S+\/typed\.ts:2:(13|14): \S/],
  ['plain.js', /^\S+\/plain\.js:2:14: Unexpected token ';'$/],
  ['open.js', /^\S+\/open\.js:3:1: Unexpected end of input$/],
  ['outer.js', /^\S+\/inner\.mjs:1:22: Invalid or unexpected token$/],
  ['twice.js', /^\S+\/twice\.js:3:5: Identifier 'b' has already been declared$/],
  ['pattern.js', /^\S+\/pattern\.js:2:13: \S/],
  ['private.js', /^\S+\/private\.js:1:28: \S/],
  ['strict.js', /^\S+\/strict\.js:2:5: \S/],
  ['shebang.mjs', /^\S+\/shebang\.mjs:6:5: \S/],
  ['parameters.js', /^\S+\/parameters\.js:3:20: \S/],
  ['break.js', /^\S+\/break\.js:2:3: \S/],
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
