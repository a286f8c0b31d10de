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
const IMPORT = 'import { b } from "./lib/b.EXT";\nconsole.log(b);\n';

describe('an import by Vite says where a file cannot be parsed', () => {
  test.each([
    ['TypeScript', { 'a.ts': BROKEN }, 'Expected `,` or `]` but found `;` at a.ts:2:21'],
    ['JavaScript', { 'a.mjs': BROKEN }, "Unexpected token ';' at a.mjs:2:21"],
    [
      'a file that it imports',
      { 'a.ts': IMPORT.replace('EXT', 'ts'), 'lib/b.ts': BROKEN },
      'Expected `,` or `]` but found `;` at lib/b.ts:2:21',
    ],
    [
      'a script that it imports',
      { 'a.ts': IMPORT.replace('EXT', 'cjs'), 'lib/b.cjs': BROKEN },
      "Unexpected token ';' at lib/b.cjs:2:21",
    ],
    [
      'JSX under another name',
      { 'a.js': 'export const a = <div/>;' },
      'Unexpected JSX expression (JSX needs a file name that ends with .jsx or .tsx) at a.js:1:18',
    ],
    [
      'JSX',
      { 'a.tsx': 'export const a = <b>1</i>;' },
      "Expected corresponding JSX closing tag for 'b' at a.tsx:1:24",
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
    ['a parser', { 'a.ts': 'JSON.parse("{");' }, /^SyntaxError: Expected property name/],
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

describe('a configuration that Vite cannot bundle', () => {
  const config = 'import "node:fs";\n\nexport default { plugins: [1 };\n';
  test.each([
    ['Oxc', '\n\u001b[31m[PARSE_ERROR] \u001b[0mIt is wrong\n   ╭─[ DIR/a.config.ts:1:292 ]'],
    ['esbuild', 'DIR/a.config.ts:1:292: ERROR: It is wrong'],
  ])('has its own lines, without those that Vite adds: %s', (_, message) => {
    const dir = makeFolder({ 'a.config.ts': config });
    const said = `Build failed with 1 error:\n${message.replace('DIR', dir)}`;
    expect(locateSyntaxError(new Error(said), dir)).toMatchObject({
      name: 'SyntaxError',
      message: `Expected ',', got '}' at ${dir}/a.config.ts:3:30`,
    });
  });
});

describe('an error of Vite 7', () => {
  const folder = () => makeFolder({ 'a.ts': '', 'a.js': '', 'evals/a.js': '' });
  test.each([
    [
      'esbuild',
      'a.ts',
      'Transform failed with 1 error:\nDIR/a.ts:1:30: ERROR: Unexpected ";"',
      'Unexpected ";" at DIR/a.ts:1:31',
    ],
    [
      'Rollup',
      'a.js',
      "Parse failure: Expected ',', got ';'\nAt file: /a.js:1:55",
      "Expected ',', got ';' at DIR/a.js:1:56",
    ],
    [
      'Rolldown',
      'evals/a.js',
      'Parse failure: Parse failed with 1 error:\n`await` is only allowed\n1: x\n   ^\nAt file: /evals/a.js:3:15',
      '`await` is only allowed at DIR/evals/a.js:3:16',
    ],
  ])('of %s has a column from 0', (_, name, message, expected) => {
    const dir = folder();
    const id = name.endsWith('.ts') ? join(dir, name) : `/${name}`;
    const error = Object.assign(new Error(message.replaceAll('DIR', dir)), {
      __vitest_rollup_error__: { plugin: 'vite', id },
    });
    expect(locateSyntaxError(error, join(dir, name))).toMatchObject({
      name: 'SyntaxError',
      message: expected.replaceAll('DIR', dir),
    });
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
  [Object.assign(new Error('x'), { __vitest_rollup_error__: 1 })],
  [Object.assign(new Error('x'), { __vitest_rollup_error__: { id: {} } })],
])('leaves other things that are thrown: %j', (thrown) => {
  expect(locateSyntaxError(thrown, '/nowhere/a.ts')).toBe(thrown);
});
