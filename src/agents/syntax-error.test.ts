import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { importModule } from './module.ts';
import { locateSyntaxError } from './syntax-error.ts';

/** Node's own import, which Vite does not see. */
const SOURCE = 'data:text/javascript,export default (url) => import(url)';
const byNode: (url: string) => Promise<unknown> = (await import(/* @vite-ignore */ SOURCE)).default;

/** The message for an import of the first of these files, with paths from their folder. */
async function load(
  files: Readonly<Record<string, string>>,
  how: (url: string) => Promise<unknown> = vi.importActual,
): Promise<unknown> {
  const folder = makeFolder({ 'package.json': '{ "type": "module" }', ...files });
  const entry = join(folder, Object.keys(files)[0] ?? '');
  return importModule(pathToFileURL(entry).href, undefined, how).then(
    () => 'loaded',
    (error: Error) => [error.name, error.message.replaceAll(`${folder}/`, '')].join(': '),
  );
}

const BROKEN = 'export const a = 1;\n\texport const b = [1;\n';
/** Which no test calls. */
const LATER = 'export const later = () => import("./later.ts");\n';
const IMPORT = 'import { b } from "./lib/b.EXT";\nconsole.log(b);\n';

describe('an import by Vite says where a file cannot be parsed', () => {
  test.each([
    ['TypeScript', { 'a.ts': BROKEN }, "Expected ',', got ';' at a.ts:2:21"],
    ['JavaScript', { 'a.mjs': BROKEN }, "Unexpected token ';' at a.mjs:2:21"],
    [
      'a file that it imports',
      { 'a.ts': IMPORT.replace('EXT', 'ts'), 'lib/b.ts': BROKEN },
      "Expected ',', got ';' at lib/b.ts:2:21",
    ],
    [
      'a script that it imports',
      { 'a.ts': IMPORT.replace('EXT', 'cjs'), 'lib/b.cjs': BROKEN },
      "Unexpected token ';' at lib/b.cjs:2:21",
    ],
    [
      'JSX under another name',
      { 'a.js': 'export const a = <div/>;' },
      "Unexpected token '<' (JSX needs a file name with .jsx or .tsx) at a.js:1:18",
    ],
    [
      'the file that Vite names',
      { 'a.ts': `${LATER}import "./c.ts";`, 'c.ts': BROKEN, 'later.ts': BROKEN },
      "Expected ',', got ';' at c.ts:2:21",
    ],
    [
      'an open end',
      { 'a.js': 'import "node:fs";\nfunction f() {\n' },
      'Unexpected end of input at a.js:3:1',
    ],
    [
      'what is no module',
      { 'a.js': 'export default 1;\nwith (a) {}' },
      'Strict mode code may not include a with statement at a.js:2:1',
    ],
    [
      'a second name',
      { 'a.js': 'export const a = 1;\nlet b; let b;' },
      "Identifier 'b' has already been declared at a.js:2:12",
    ],
    [
      'a return',
      { 'a.ts': 'export const a: string = 1;\n\n\nreturn 1;' },
      'Return statement is not allowed here at a.ts:4:1',
    ],
    [
      'a decorator',
      { 'a.ts': 'export const a: string = "";\n\n@dec class A {}' },
      'Invalid or unexpected token at a.ts:3:1',
    ],
    [
      'JSON',
      { 'a.ts': 'import x from "./b.json";\nconsole.log(x);', 'b.json': '{\n"a": 1,}' },
      'Expected double-quoted property name at b.json:2:8',
    ],
  ])('%s', async (_, files, message) => {
    expect(await load(files)).toBe(`SyntaxError: ${message}`);
  });

  test.each([
    ['code', { 'a.ts': 'throw new TypeError("no");' }, 'TypeError: no'],
    [
      'a parser',
      { 'a.ts': `${LATER}JSON.parse("{");`, 'later.ts': BROKEN },
      /^SyntaxError: Expected property name/,
    ],
    ['Vite of JSX', { 'a.tsx': 'export const a = <b>1</i>;' }, /^Error: Transform failed/],
    ['a file that is not there', { 'a.ts': 'import "./b.ts";' }, /b\.ts/],
  ])('and keeps what %s throws', async (_, files, message) => {
    expect(await load(files)).toMatch(message);
  });
});

describe('an import by Node says where a file cannot be parsed', () => {
  test.each([
    ['TypeScript', { 'a.ts': BROKEN }, "Expected ',', got ';' at a.ts:2:21"],
    ['JavaScript', { 'a.mjs': BROKEN }, "Unexpected token ';' at a.mjs:2:21"],
    [
      'a file that it imports',
      { 'a.ts': IMPORT.replace('EXT', 'mjs'), 'lib/b.mjs': BROKEN },
      "Unexpected token ';' at lib/b.mjs:2:21",
    ],
  ])('%s', async (_, files, message) => {
    expect(await load(files, byNode)).toBe(`SyntaxError: ${message}`);
  });

  test.each([
    [{ 'a.mjs': 'throw new TypeError("no");' }, 'TypeError: no'],
    [{ 'a.mjs': 'JSON.parse("{");' }, /^SyntaxError: Expected property name/],
  ])('and keeps what code throws: %j', async (files, message) => {
    expect(await load(files, byNode)).toMatch(message);
  });
});

test.each([
  [null],
  ['text'],
  [
    Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('y');
      },
    }),
  ],
  [new Error('Build failed with 1 error:')],
])('leaves other things that are thrown: %j', (thrown) => {
  expect(locateSyntaxError(thrown, '/nowhere/a.ts')).toBe(thrown);
});
