import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../test/make-folder.ts';

/** What Yarn's `.pnp.cjs` adds to a process, for one package. */
const PNP = `process.versions.pnp = '3';
const Module = require('node:module');
const load = Module._load;
const resolveToUnqualified = (name) => {
  if (name === 'only-pnp') return __dirname + '/cache/only-pnp';
  throw new Error('Your application tried to access ' + name);
};
Module._load = (name, ...others) => name === 'pnpapi' ? { resolveToUnqualified } : load(name, ...others);
`;

test("finds packages by Yarn's Plug'n'Play, which has no node_modules", () => {
  const folder = makeFolder({
    'pnp.cjs': PNP,
    'cache/only-pnp/package.json': '{ "version": "1.2.3" }',
    'a.mjs': `import { findPackage, readVersion } from ${JSON.stringify(join(import.meta.dirname, 'package.ts'))};
      console.log(readVersion('only-pnp'), findPackage('unknown-package'));`,
  });
  const args = ['--require', join(folder, 'pnp.cjs'), join(folder, 'a.mjs')];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(printed).toBe('1.2.3 undefined\n');
});
