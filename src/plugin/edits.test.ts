// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code in texts
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Edit, makeEditLab } from '../../test/edit-lab.ts';
import { toPlainCode } from './plain-code.ts';

const FS = "import fs, { globSync, readdirSync, readFileSync } from 'node:fs';\n";
const WRITE =
  "import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'; import { dirname, join } from 'node:path';\n";
const START = "import { exec, spawn } from 'node:child_process';\n";
const PATH = "import { join } from 'node:path';\n";
const P1 = { 'prompts/a.md': 'one', 'prompts/b.md': 'one' };
const P2 = { 'prompts/a.md': 'two' };
const A1 = { 'a.ts': "export const a = 'one';" };
const A2 = { 'a.ts': "export const a = 'two';" };
const MODEL = { $MODEL: 'two' };

const STORE = {
  'store.ts':
    'export const store: any = { docs: [] }; export const add = (d: unknown) => store.docs.push(d);',
  'fill.ts': "import { add } from './store.ts'; export const fill = (d: unknown) => add(d);",
  'pure.ts': 'export const pure = (d: unknown) => d; export const NAME = "x";',
};

/** An eval file with a suite "h", whose definition has these fields. Vite leaves out imports that are not used. */
const toEval = (fields: string, before = '') =>
  `${FS}import { defineEval } from 'viva'; import { vi } from 'vitest'; import os from 'node:os'; import nodeProcess, { env } from 'node:process'; import agent from './agent.ts'; import { add, store } from './store.ts'; import { fill } from './fill.ts'; import { pure } from './pure.ts';
${before}
await defineEval('h', { ${fields} });`;

const DOCS = "JSON.parse(readFileSync('DIR/docs.json', 'utf8'))";

/** Edits of a kind: the agent, its files, the edit, and whether the plan only lists the place. */
type Row = readonly [...Edit, isListed?: 'listed'];

/** Edits after which an agent answers otherwise. */
const CHANGES: readonly Row[] = [
  [
    'a number in the agent',
    'export default () => 1;',
    {},
    { 'agent.ts': 'export default () => 2;' },
  ],
  [
    'a blank line in a text',
    'export default () => `a\nb`;',
    {},
    { 'agent.ts': 'export default () => `a\n\nb`;' },
  ],
  [
    'what looks like a comment in a text',
    "export default () => 'a // one';",
    {},
    { 'agent.ts': "export default () => 'a // two';" },
  ],
  [
    'the order of statements',
    'let x = 1; x += 1; x *= 2; export default () => x;',
    {},
    { 'agent.ts': 'let x = 1; x *= 2; x += 1; export default () => x;' },
  ],
  [
    'the name of a function, which may be that of a tool',
    'export function search() {} export default () => search.name;',
    {},
    { 'agent.ts': 'export function find() {} export default () => find.name;' },
  ],
  [
    'a value in an enum',
    "enum Kind { A = 'one' } export default () => Kind.A;",
    {},
    { 'agent.ts': "enum Kind { A = 'two' } export default () => Kind.A;" },
  ],
  ['an import', "import { a } from './a.ts'; export default () => a;", A1, A2],
  [
    'an import behind a barrel',
    "import { a } from './barrel.ts'; export default () => a;",
    { ...A1, 'barrel.ts': "export * from './a.ts';" },
    A2,
  ],
  ['an import by an alias', "import { a } from '@/DIR/a.ts'; export default () => a;", A1, A2],
  ['an import by "imports"', "import { a } from '#app/DIR/a.ts'; export default () => a;", A1, A2],
  [
    'an import by the own name',
    "import { a } from 'app/DIR/a.ts'; export default () => a;",
    A1,
    A2,
  ],
  [
    'a package of the workspace',
    "import { l } from 'linked'; export default () => l;",
    {},
    { '../linked/add.ts': "export const l = 'two';" },
  ],
  [
    'a module that is required',
    "import c from './c.cjs'; export default () => c;",
    { 'c.cjs': "module.exports = require('./d.cjs');", 'd.cjs': 'module.exports = 1;' },
    { 'd.cjs': 'module.exports = 2;' },
  ],
  [
    'createRequire',
    "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url); export default () => load('./d.cjs');",
    { 'd.cjs': 'module.exports = 1;' },
    { 'd.cjs': 'module.exports = 2;' },
  ],
  ['a late import', "export default async () => (await import('./a.ts')).a;", A1, A2],
  [
    'an import whose name is computed in a folder',
    'export default (name: string) => import(`./tools/${name}.ts`);',
    { 'tools/x.ts': 'export const x = 1;' },
    { 'tools/x.ts': 'export const x = 2;' },
  ],
  [
    'a new file that such an import may load',
    'export default (name: string) => import(`./tools/${name}.ts`);',
    { 'tools/x.ts': 'export const x = 1;' },
    { 'tools/y.ts': 'export const y = 2;' },
  ],
  [
    'import.meta.glob',
    "export const all = import.meta.glob('./a*.ts'); export default () => all;",
    A1,
    A2,
  ],
  ['import(variable)', 'export default (path: string) => import(path);', A1, A2, 'listed'],
  [
    'a JSON module',
    "import value from './v.json'; export default () => value;",
    { 'v.json': '{ "a": 1 }' },
    { 'v.json': '{ "a": 2 }' },
  ],
  ['a text module', "import p from './prompts/a.md?raw'; export default () => p;", P1, P2],
  [
    'a prompt from the root',
    `${FS}export default () => readFileSync('DIR/prompts/a.md', 'utf8');`,
    P1,
    P2,
  ],
  [
    'a prompt beside the module',
    `${FS}export default () => readFileSync(new URL('./prompts/a.md', import.meta.url), 'utf8');`,
    P1,
    P2,
  ],
  [
    'a prompt by a joined path',
    `${FS}${PATH}export default () => readFileSync(join(import.meta.dirname, 'prompts', 'a' + '.md'), 'utf8');`,
    P1,
    P2,
  ],
  [
    'a prompt by a name that is computed in a folder',
    `${FS}const folder = new URL('./prompts/', import.meta.url); export default (name: string) => readFileSync(new URL(\`./prompts/\${name}.md\`, import.meta.url), 'utf8') + folder;`,
    P1,
    P2,
  ],
  [
    'a prompt of a table of paths',
    `${FS}${PATH}const paths = { x: 'a.md' }; export default (name: 'x') => readFileSync(join('DIR', 'prompts', paths[name]), 'utf8');`,
    P1,
    P2,
  ],
  [
    'a prompt by a path that is computed',
    `${FS}export default (path: string) => readFileSync(path, 'utf8');`,
    P1,
    P2,
    'listed',
  ],
  [
    'a file of a folder that is listed',
    `${FS}${PATH}const dir = join(import.meta.dirname, 'prompts'); export default () => readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));`,
    P1,
    P2,
  ],
  [
    'a new file in a folder that is listed',
    `${FS}${PATH}const dir = 'DIR/prompts'; export default () => readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));`,
    P1,
    { 'prompts/new.md': 'two' },
  ],
  [
    'a file that is gone from a folder that is listed',
    `${FS}export default () => readdirSync('DIR/prompts');`,
    P1,
    { 'prompts/b.md': null },
  ],
  [
    'a file that a pattern finds',
    `${FS}export default () => globSync('DIR/prompts/*.md').map((path) => readFileSync(path, 'utf8'));`,
    P1,
    P2,
  ],
  [
    'a database (.db)',
    "import { DatabaseSync } from 'node:sqlite'; const db = new DatabaseSync('DIR/kb.db'); export default () => db.prepare('select a from b').all();",
    { 'kb.db': 'one' },
    { 'kb.db': 'two' },
  ],
  [
    'a database (.sqlite)',
    "import { DatabaseSync } from 'node:sqlite'; const db = new DatabaseSync(new URL('./kb.sqlite', import.meta.url)); export default () => db.prepare('select a from b').all();",
    { 'kb.sqlite': 'one' },
    { 'kb.sqlite': 'two' },
  ],
  ['a variable', 'export default () => process.env.MODEL;', {}, { $MODEL: 'two' }],
  ...['model', 'my-model', 'm'].map(
    (name): Row => [
      `the value "${name}" of "provide"`,
      `import { inject } from 'vitest'; export default () => inject('${name}' as never);`,
      {},
      { [`%${name}`]: 'two' },
    ],
  ),
  [
    'a variable in a pattern',
    'export default () => { const { MODEL = 1 } = process.env; return MODEL; };',
    {},
    { $MODEL: 'two' },
  ],
  [
    'a variable whose name is computed from a start',
    'export default (name: string) => process.env[`MODEL_${name}`];',
    {},
    { $MODEL_SMALL: 'two' },
  ],
  [
    'process.env[name]',
    'export default (name: string) => process.env[name];',
    {},
    { $MODEL: 'two' },
    'listed',
  ],
  [
    'a script that is started',
    `${START}export default () => exec('python3 DIR/tool.py');`,
    { 'tool.py': 'print(1)' },
    { 'tool.py': 'print(2)' },
  ],
  [
    'what such a script imports',
    `${START}export default () => spawn('python3', ['DIR/tool.py']);`,
    { 'tool.py': 'from lib.add import add\n', 'lib/add.py': 'add = 1', 'lib/__init__.py': '' },
    { 'lib/add.py': 'add = 2' },
  ],
  [
    'what a shell script starts',
    `${START}export default () => exec('sh DIR/run.sh');`,
    { 'run.sh': 'cd "$(dirname "$0")"\nexec python3 ./tool.py\n', 'tool.py': 'print(1)' },
    { 'tool.py': 'print(2)' },
  ],
  [
    'the version of a package',
    "import { i } from 'installed'; export default () => i;",
    {},
    {
      '../node_modules/installed/package.json':
        '{ "name": "installed", "version": "2.0.0", "type": "module", "main": "i.js" }',
    },
  ],
  [
    'a package that is patched',
    "import { i } from 'patched'; export default () => i;",
    {},
    { '../node_modules/patched/i.js': 'export const i = 2;' },
  ],
  [
    "a Vite plugin's transform",
    "import { v } from 'virtual'; export default () => v + 'PLUGIN';",
    {},
    { plugin: 'two' },
  ],
  [
    'a database that the agent writes',
    "import { DatabaseSync } from 'node:sqlite'; const db = new DatabaseSync('DIR/kb.db'); export default () => db.exec('INSERT INTO log VALUES (1)');",
    { 'kb.db': 'one' },
    { 'kb.db': 'two' },
    'listed',
  ],
  [
    'an import by paths of tsconfig',
    "import { a } from '~/DIR/a.ts'; export default () => a;",
    A1,
    A2,
  ],
  [
    'a renamed export behind two barrels',
    "import { b } from './index.ts'; export default () => b;",
    {
      ...A1,
      'index.ts': "export { b } from './inner.ts';",
      'inner.ts': "export { a as b } from './a.ts';",
    },
    A2,
  ],
  [
    'an enum of another module',
    "import { Kind } from './kind.ts'; export default () => Kind.A;",
    { 'kind.ts': "export enum Kind { A = 'one' }" },
    { 'kind.ts': "export enum Kind { A = 'two' }" },
  ],
  [
    'an argument of a decorator',
    "import { Tool } from './tool.ts'; export default () => new Tool();",
    {
      'tool.ts':
        "const named = (name: string) => (_: unknown) => name; @named('one') export class Tool {}",
    },
    {
      'tool.ts':
        "const named = (name: string) => (_: unknown) => name; @named('two') export class Tool {}",
    },
  ],
  [
    'a text in JSX',
    "import { prompt } from './prompt.tsx'; export default () => prompt;",
    {
      'prompt.tsx':
        '/** @jsxRuntime classic @jsx h */ const h = String; export const prompt = <p>one</p>;',
    },
    {
      'prompt.tsx':
        '/** @jsxRuntime classic @jsx h */ const h = String; export const prompt = <p>two</p>;',
    },
  ],
  [
    'JSON with import attributes',
    "import value from './v.json' with { type: 'json' }; export default () => value;",
    { 'v.json': '{ "model": "one" }' },
    { 'v.json': '{ "model": "two" }' },
  ],
  [
    'YAML by a path that is computed in a folder',
    `${FS}${PATH}const dir = join(import.meta.dirname, 'prompts'); export default (name: string) => readFileSync(join(dir, name + '.yaml'), 'utf8');`,
    { 'prompts/a.yaml': 'system: one' },
    { 'prompts/a.yaml': 'system: two' },
  ],
  [
    'YAML that is JavaScript too',
    `${FS}export default () => readFileSync('DIR/config.yaml', 'utf8');`,
    { 'config.yaml': 'url: http://one\nmodel: x' },
    { 'config.yaml': 'url: http://two\nmodel: x' },
  ],
  [
    'a blank line of a template without an ending',
    `${FS}export default () => readFileSync('DIR/prompts/system', 'utf8');`,
    { 'prompts/system': 'one' },
    { 'prompts/system': 'one\n\n' },
  ],
  [
    'a file behind a text with an escape',
    "import { loadFile } from 'installed'; export default () => ['a\\n', loadFile('DIR/prompts/a.md')];",
    P1,
    P2,
  ],
  [
    'a file that a config names',
    `${FS}import config from './c.json'; export default () => readFileSync(config.prompt);`,
    { ...P1, 'c.json': '{ "prompt": "DIR/prompts/a.md" }' },
    P2,
  ],
  [
    'a path that is computed for a package',
    `${PATH}import { loadFile } from 'installed'; const dir = 'DIR/prompts'; export default (name: string) => loadFile(join(dir, name));`,
    P1,
    P2,
  ],
  [
    'an unknown path for a package',
    "import { loadFile } from 'installed'; export default (path: string) => loadFile(path);",
    P1,
    P2,
    'listed',
  ],
  [
    'a path whose pieces are constants',
    `${PATH}const DIR_OF = 'DIR'; const file = join(DIR_OF, 'prompts', 'a.md'); export default (load: any) => load(file);`,
    P1,
    P2,
  ],
  [
    'a linked file of a folder',
    `import { readdirSync } from 'node:fs'; export default () => readdirSync('DIR/prompts');`,
    { 'shared/a.md': 'one', 'prompts/a.md': '-> ../shared/a.md' },
    { 'shared/a.md': 'two' },
  ],
  [
    'a file that a linked package reads',
    "import { text } from 'linked/read.ts'; export default text;",
    {},
    { '../linked/text.md': 'two' },
  ],
  [
    'the exports of a package',
    "import { i } from 'installed'; export default () => i;",
    {},
    {
      '../node_modules/installed/package.json':
        '{ "name": "installed", "version": "1.0.0", "type": "module", "exports": "./new.js" }',
      '../node_modules/installed/new.js': 'export const i = 2; export const loadFile = String;',
      '../node_modules/installed/i.js': 'export const i = 3; export const loadFile = String;',
    },
  ],
  [
    'a .env of the agent',
    "process.loadEnvFile('DIR/.env.agent'); export default () => process.env.X;",
    { '.env.agent': 'X=1' },
    { '.env.agent': 'X=2' },
  ],
  [
    'process.env by another name',
    'const e = process.env; export default (key: string) => e[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'process by another name',
    'const p = process; export default (key: string) => p.env[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'env of process',
    'const { env: all } = process; export default (key: string) => all[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'a known start of another name',
    'const e = process.env; export default (key: string) => e["MODEL" + key];',
    {},
    MODEL,
  ],
  [
    'env with a default',
    'const { env = {} } = globalThis.process; export default (key: string) => env[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'the rest of env',
    'const { HOME, ...rest } = process.env; export default (key: string) => rest[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'a parameter that is env',
    'export default (key: string, env = process.env) => env[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'all entries of env',
    "export default () => Object.entries(process.env).filter(([name]) => name.startsWith('MOD'));",
    {},
    MODEL,
    'listed',
  ],
  [
    'a copy of env',
    'const all = { ...process.env, A: 1 }; export default (key: string) => all[key];',
    {},
    MODEL,
    'listed',
  ],
  ['a returned copy of env', 'export default () => ({ ...process.env });', {}, MODEL, 'listed'],
  [
    'Reflect.get of env',
    'export default (key: string) => Reflect.get(process.env, key);',
    {},
    MODEL,
    'listed',
  ],
  [
    'env of node:process',
    "import { env as e } from 'node:process'; export default (key: string) => e[key];",
    {},
    MODEL,
    'listed',
  ],
  [
    'import.meta.env[key]',
    'export default (key: string) => import.meta.env[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'a field of an object that is env',
    'export const config = { env: process.env }; export default (key: string) => config.env[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'env of another module',
    "import { settings } from './s.ts'; export default (key: string) => settings[key];",
    { 's.ts': 'export const settings = process.env;' },
    MODEL,
    'listed',
  ],
  [
    'a function of env',
    'const all = () => process.env; export default (key: string) => all()[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'readFileSync by another name',
    `${FS}const r = fs.readFileSync; export default (path: string) => r(path);`,
    P1,
    P2,
    'listed',
  ],
  [
    'an import by another name',
    "import { readFileSync as r } from 'node:fs'; export default (path: string) => r(path);",
    P1,
    P2,
    'listed',
  ],
  [
    'such a name with a folder',
    "import { readFileSync as r } from 'node:fs'; export default (name: string) => r(`DIR/prompts/${name}`);",
    P1,
    P2,
  ],
  [
    'promises of node:fs',
    "import { promises as p } from 'node:fs'; const { readFile: r } = p; export default (path: string) => r(path);",
    P1,
    P2,
    'listed',
  ],
  [
    'node:fs/promises',
    "import * as p from 'node:fs/promises'; export default (path: string) => p.readFile(path);",
    P1,
    P2,
    'listed',
  ],
  [
    'fs[name]',
    `${FS}export default (name: 'readFileSync', path: string) => fs[name](path);`,
    P1,
    P2,
    'listed',
  ],
  [
    'fs of a late import',
    "export default async (path: string) => (await import('node:fs')).readFileSync(path);",
    P1,
    P2,
    'listed',
  ],
  [
    'fs of require',
    "import { createRequire } from 'node:module'; const fs = createRequire(import.meta.url)('fs'); export default (path: string) => fs.readFileSync(path);",
    P1,
    P2,
    'listed',
  ],
  [
    'fs.openSync',
    `${FS}export default (path: string) => fs.openSync(path, 'r');`,
    P1,
    P2,
    'listed',
  ],
  [
    'createReadStream in a folder',
    `${FS}export default (name: string) => fs.createReadStream('DIR/prompts/' + name);`,
    P1,
    P2,
  ],
  [
    'a function that is handed on',
    `${FS}export default (paths: string[]) => paths.map((path) => path).map(readFileSync as never);`,
    P1,
    P2,
    'listed',
  ],
  [
    'a function in an object',
    `${FS}export default (path: string) => ({ read: readFileSync }).read(path);`,
    P1,
    P2,
    'listed',
  ],
  [
    'a function that another module hands on',
    "import { load } from './load.ts'; export default (path: string) => load(path);",
    { ...P1, 'load.ts': "export { readFileSync as load } from 'node:fs';" },
    P2,
    'listed',
  ],
  [
    'a database of a package',
    "import Database from 'better-sqlite3'; export default (path: string) => new Database(path);",
    { 'kb.db': 'one' },
    { 'kb.db': 'two' },
    'listed',
  ],
  [
    'createRequire by another name',
    "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url); export default (path: string) => load(path);",
    A1,
    A2,
    'listed',
  ],
  [
    'a worker',
    "export default () => new Worker(new URL('./w.mjs', import.meta.url));",
    { 'w.mjs': "import './x.mjs';", 'x.mjs': '1;' },
    { 'x.mjs': '2;' },
  ],
  [
    'a forked process',
    "import { fork } from 'node:child_process'; import { join } from 'node:path'; export default () => fork(join(import.meta.dirname, 'w.mjs'));",
    { 'w.mjs': '1;' },
    { 'w.mjs': '2;' },
  ],
  [
    'a script by a runner of another module',
    "import { run } from './run.ts'; export default () => run('python3 DIR/tool.py');",
    {
      'run.ts':
        "import { exec } from 'node:child_process'; import { promisify } from 'node:util'; export const run = promisify(exec);",
      'tool.py': 'one',
    },
    { 'tool.py': 'two' },
  ],
  [
    'a new file of import.meta.glob',
    "export const all = import.meta.glob('./tools/*.ts'); export default () => all;",
    { 'tools/a.ts': '1;' },
    { 'tools/b.ts': '2;' },
  ],
  [
    'an agent of Python',
    'command:python3 DIR/agent.py',
    { 'agent.py': 'from lib.add import add\n', 'lib/__init__.py': '', 'lib/add.py': 'one' },
    { 'lib/add.py': 'two' },
  ],
  [
    'what a sourced shell script has',
    'command:sh DIR/run.sh',
    { 'run.sh': '. "$(dirname "$0")/lib.sh"\n', 'lib.sh': 'source ./more.sh\n', 'more.sh': 'one' },
    { 'more.sh': 'two' },
  ],
  [
    'a variable of a command line',
    'command:python3 DIR/agent.py --model $MODEL',
    { 'agent.py': 'one' },
    MODEL,
  ],
  [
    'a folder of a command line',
    'command:cd "$ROOT/DIR" && python3 agent.py',
    { 'agent.py': 'one' },
    { 'agent.py': 'two' },
  ],
  ['a pattern of a command line', 'command:cat $ROOT/DIR/prompts/*.md', P1, P2],
  [
    'a file of docker compose',
    "import { spawn } from 'node:child_process'; export default () => spawn('docker', ['compose', '-f', 'DIR/compose.yml', 'run', 'agent']);",
    { 'compose.yml': 'one' },
    { 'compose.yml': 'two' },
  ],
  [
    'a Dockerfile',
    "import { spawn } from 'node:child_process'; export default () => spawn('docker', ['compose', '-f', 'DIR/compose.yml', 'run', 'agent']);",
    { 'compose.yml': 'one', Dockerfile: 'one' },
    { Dockerfile: 'two' },
    'listed',
  ],
  [
    'a template of a path for a package',
    "import { i } from 'installed'; export default () => (i as any)(`${import.meta.dirname}/prompts/a.md`);",
    P1,
    P2,
  ],
  [
    'a folder for a package',
    "import { i } from 'installed'; export default () => (i as any).configure('DIR/prompts');",
    P1,
    P2,
    'listed',
  ],
  [
    'a prompt of Python by a name that is computed',
    'command:python3 DIR/agent.py',
    { ...P1, 'agent.py': 'name = "a"\nprint(open(f"prompts/{name}.md").read())\n' },
    P2,
  ],
  [
    'a prompt of Python in a folder',
    'command:python3 DIR/agent.py',
    {
      ...P1,
      'agent.py': 'from pathlib import Path\nall = (Path(__file__).parent / "prompts").iterdir()\n',
    },
    P2,
  ],
  [
    'a path that Python computes',
    'command:python3 DIR/agent.py',
    {
      ...P1,
      'agent.py': 'import os, sys\nprint(open(os.path.join(sys.argv[1], sys.argv[2])).read())\n',
    },
    P2,
    'listed',
  ],
  [
    'a variable whose name Python computes',
    'command:python3 DIR/agent.py',
    { 'agent.py': 'import os\ndef get(key):\n  return os.environ[key]\n' },
    MODEL,
    'listed',
  ],
  [
    'a module of Python that a shell script starts',
    'command:sh DIR/run.sh',
    { 'run.sh': 'cd "$(dirname "$0")"\npython3 -m app.main\n', 'app/main.py': 'one' },
    { 'app/main.py': 'two' },
  ],
  [
    'env of a condition',
    "const env = typeof process === 'undefined' ? {} : process.env; export default (key: string) => env[key];",
    {},
    MODEL,
    'listed',
  ],
  [
    'env copied by Object.assign',
    'const all = Object.assign({}, process.env); export default (key: string) => all[key];',
    {},
    MODEL,
    'listed',
  ],
  [
    'a pattern of a shell script',
    'command:sh DIR/run.sh',
    { ...P1, 'run.sh': 'cat "$(dirname "$0")"/prompts/*.md\n' },
    P2,
  ],
  [
    'a default of a parameter',
    'export default (limit = 1) => limit;',
    {},
    { 'agent.ts': 'export default (limit = 2) => limit;' },
  ],
  [
    'the order of fields, which JSON shows',
    'export default () => JSON.stringify({ a: 1, b: 2 });',
    {},
    { 'agent.ts': 'export default () => JSON.stringify({ b: 2, a: 1 });' },
  ],
  [
    'a flag of a pattern',
    'export default (text: string) => /a/.test(text);',
    {},
    { 'agent.ts': 'export default (text: string) => /a/i.test(text);' },
  ],
  [
    'spaces in a template',
    'export default () => `a  b`;',
    {},
    { 'agent.ts': 'export default () => `a b`;' },
  ],
  [
    'a static block',
    'export default class { static x = 1; static { this.x = 1; } }',
    {},
    { 'agent.ts': 'export default class { static x = 1; static { this.x = 2; } }' },
  ],
  ...[
    'const read = readFileSync.bind(null); export default (path: string) => read(path);',
    'export default (path: string) => readFileSync.call(null, path);',
    'export default (paths: [string]) => readFileSync.apply(null, paths);',
    'export default (paths: [string]) => Reflect.apply(readFileSync, null, paths);',
    'export default (path: string) => fs.existsSync(path);',
    'export default (path: string) => fs.statSync(path).size;',
    `${PATH}const workdirs = String(process.argv0); export default () => readFileSync(join(workdirs, 'x.md'));`,
    'export default (attachmentStore: string) => readFileSync(attachmentStore);',
    `${PATH}const workdir = process.argv0; export default () => readFileSync(join(workdir, 'x.md'));`,
  ].map((code): Row => [code, FS + code, P1, P2, 'listed']),
  ...['CI_MODEL', 'RUNNER_MODEL', 'NODE_ENV', 'BASE_URL', 'MODE'].map(
    (name): Row => [
      `the variable ${name}`,
      `export default () => process.env.${name};`,
      {},
      { [`$${name}`]: 'two' },
    ],
  ),
  [
    'a file by a field that is called as that of a definition',
    "import { i } from 'installed'; export default () => (i as any)({ data: 'DIR/prompts/a.md' });",
    P1,
    P2,
  ],
  ...[
    "mkdirSync('DIR/prompts', { recursive: true }); writeFileSync('DIR/prompts/last.txt', id);",
    'writeFileSync(`DIR/prompts/${id}.out`, id);',
    "appendFileSync(join('DIR/prompts', id), id);",
    "mkdirSync(dirname('calls.log')); appendFileSync('calls.log', id);",
    "mkdirSync(new URL('./prompts/', import.meta.url));",
    "if (id === '') rmSync('DIR/prompts', { recursive: true });",
    "cpSync('DIR/prompts', `DIR/prompts/${id}`, { recursive: true });",
  ].map(
    (written): Row => [
      `a prompt beside what is written: ${written}`,
      `${WRITE}export default (id: string) => { ${written} return readFileSync('DIR/prompts/a.md', 'utf8'); };`,
      P1,
      P2,
    ],
  ),
  [
    'a prompt beside what another module writes',
    "import { save } from './save.ts'; import { readFileSync } from 'node:fs'; export default (id: string) => [save(id), readFileSync('DIR/prompts/a.md', 'utf8')];",
    {
      ...P1,
      'save.ts':
        "import { writeFile } from 'node:fs/promises'; export const save = (id: string) => writeFile(`DIR/prompts/session-${id}.json`, id);",
    },
    P2,
  ],
  [
    'a prompt by a name that is computed, beside what is written by another name',
    `${WRITE}export default (id: string) => { writeFileSync(\`DIR/prompts/\${id}.json\`, id); return readFileSync(\`DIR/prompts/\${id}.md\`, 'utf8'); };`,
    P1,
    P2,
  ],
  [
    'a file of a folder that the agent reads and writes by computed names',
    `${WRITE}export default (id: string) => { writeFileSync(join('DIR/prompts', id), id); return readFileSync(join('DIR/prompts', id), 'utf8'); };`,
    P1,
    P2,
    'listed',
  ],
  ...[
    "console.log('./tool.ts'); logger.log('DIR/out.txt');",
    "log('./tool.ts', 'DIR/out.txt');",
  ].map(
    (calls): Row => [
      `code that is named to a function that writes: ${calls}`,
      `import { log, logger } from './log.ts'; import { v } from './tool.ts'; export default () => { ${calls} return v; };`,
      {
        'log.ts': `${WRITE}export const logger = { log(out: string) { appendFileSync(out, 'x'); } }; export function log(source: string, out: string) { appendFileSync(out, source); }`,
        'tool.ts': "export const v = 'one';",
      },
      { 'tool.ts': "export const v = 'two';" },
    ],
  ),
  ...[
    "const session = new Session('DIR/prompts/a.md', 'DIR/out.json'); session.save();",
    "new Session('DIR/other.json', 'DIR/out.json'); const all = new Map(); all.set('DIR/prompts/a.md', id);",
    "const all = new Set(); all.add('DIR/prompts/a.md'); set('DIR/out.json');",
    "search({ query: id }); const index = { search(path: string) {} }; index.search('DIR/prompts/a.md');",
    "write(readFileSync, 'DIR/prompts/a.md');",
  ].map(
    (calls): Row => [
      `a prompt that is given to a namesake of what writes: ${calls}`,
      `${FS}import { Session, search, set, write } from './save.ts'; export default (id: string) => { ${calls} return readFileSync('DIR/prompts/a.md', 'utf8'); };`,
      {
        ...P1,
        'save.ts': `${WRITE}export class Session { constructor(readonly prompt: string, readonly file: string) {} save() { writeFileSync(this.file, '{}'); } set(key: string) { writeFileSync(key, '1'); } add(key: string) { writeFileSync(key, '1'); } }
export const set = (path: string) => writeFileSync(path, '1');
export const search = ({ query }: { query: string }) => writeFileSync(join(process.cwd(), 'q-' + query), '1');
export const write = (read: unknown, path: string, text = String(read) + path) => writeFileSync('DIR/out.txt', text);`,
      },
      P2,
    ],
  ),
  [
    'a prompt that a package of such a name writes, perhaps',
    "import { i } from 'installed'; export default () => [(i as any).writeFile('DIR/prompts/a.md'), 'DIR/prompts/a.md'];",
    P1,
    P2,
  ],
  [
    'a file beside the module that is called as one that is written at the root',
    `${WRITE}export default () => { writeFileSync('own-memory.json', '1'); return readFileSync(new URL('./own-memory.json', import.meta.url)); };`,
    { 'own-memory.json': 'one' },
    { 'own-memory.json': 'two' },
  ],
  ...[
    "if (!existsSync('DIR/prompts/a.md')) writeFileSync('DIR/prompts/a.md', 'x');",
    "const file = 'DIR/prompts/a.md'; writeFileSync(file, 'x'); read(file);",
    "save('DIR/prompts/a.md'); load('DIR/prompts/a.md');",
  ].map(
    (calls): Row => [
      `a file that the agent reads and writes: ${calls}`,
      `${WRITE}import { existsSync } from 'node:fs'; import { load, save } from './save.ts'; const read = (path: string) => String(path); export default () => { ${calls} return [existsSync, load, save, read]; };`,
      {
        ...P1,
        'save.ts': `${WRITE}export function save(path: string) { writeFileSync(path, 'x'); } export const load = (path: string) => path;`,
      },
      P2,
      'listed',
    ],
  ),
  [
    'a file that one module writes and another reads',
    `${WRITE}import './save.ts'; export default () => readFileSync('DIR/prompts/a.md', 'utf8');`,
    { ...P1, 'save.ts': `${WRITE}writeFileSync('DIR/prompts/a.md', 'x');` },
    P2,
    'listed',
  ],
  ...[
    'PATH = "prompts/a.md"\nopen(PATH, "w").write("x")\nprint(open(PATH).read())\n',
    'open("prompts/a.md", "w").write("x")\nprint(open("prompts/a.md").read())\n',
  ].map(
    (code): Row => [
      'a file that Python reads and writes',
      'command:python3 DIR/agent.py',
      { ...P1, 'agent.py': code },
      P2,
      'listed',
    ],
  ),
  ...[
    `data: () => { ${DOCS}.forEach((d: string) => add(d)); return []; }`,
    `data: async () => { await Promise.all(${DOCS}.map(add)); return []; }`,
    `data: async () => { const n = await add(${DOCS}); return [n]; }`,
    `data: () => { Object.assign(store, ${DOCS}); return []; }`,
    `data: () => { const s = store; s.docs = ${DOCS}; return []; }`,
    `data: () => { ${DOCS} && add(${DOCS}); return []; }`,
    `data: () => (add(${DOCS}), [])`,
    'data: () => { prepare(); return []; }',
    `data: () => { fill(${DOCS}); return []; }`,
    `data: () => { (global as any).docs = ${DOCS}; return []; }`,
    `data: () => { const all = globalThis as any; all.docs = ${DOCS}; return []; }`,
    `data: () => { Object.assign(process.env, ${DOCS}); return []; }`,
    `prompt: add(${DOCS})`,
    `data: async () => { const { add } = await import('./store.ts'); add(${DOCS}); return []; }`,
    `data: async () => { (await import('./store.ts')).add(${DOCS}); return []; }`,
    `data: async () => { (await import('./fill.ts')).fill(${DOCS}); return []; }`,
    `data: async () => { const name = './store.ts'; (await import(name)).add(${DOCS}); return []; }`,
    `data: async () => { await lateFill(); return []; }`,
    `data: () => { env.X = ${DOCS}[0]; return []; }`,
    `data: () => { nodeProcess.env.X = ${DOCS}[0]; return []; }`,
    `data: () => { const all = env; all.X = ${DOCS}[0]; return []; }`,
    `data: () => { const name = ${DOCS}[0]; (os as any).hostname = () => name; return []; }`,
    `data: () => { const name = ${DOCS}[0]; vi.spyOn(os, 'hostname').mockReturnValue(name); return []; }`,
  ].flatMap((field) =>
    ['agent', "agent: './agent.ts'", 'agent: () => store'].map(
      (own): Row => [
        `what the questions of a suite with ${own} are made of: ${field}`,
        "import { store } from './store.ts'; export default () => [store, (globalThis as any).docs];",
        {
          ...STORE,
          'docs.json': '["one"]',
          'h.eval.ts': toEval(
            `${field}, ${own}`,
            field.includes('prepare')
              ? `const prepare = () => add(${DOCS});`
              : field.includes('lateFill')
                ? `const lateFill = async () => (await import('./fill.ts')).fill(${DOCS});`
                : '',
          ),
        },
        { 'docs.json': '["two"]' },
      ],
    ),
  ),
  [
    'a file of a definition that its agent uses',
    '',
    {
      ...STORE,
      'docs.json': '["one"]',
      'h.eval.ts': `${FS}import { defineEval } from 'viva'; const def: any = { data: JSON.parse(readFileSync('DIR/docs.json', 'utf8')), agent: () => def.data[0] }; await defineEval('h', def);`,
    },
    { 'docs.json': '["two"]' },
  ],
  ...[
    "data: () => { process.env.X = 'one'; return []; }",
    "data: () => { (globalThis as any).x = 'one'; return []; }",
    "data: () => { const e = process.env; e.X = 'one'; return []; }",
    "data: () => { vi.stubEnv('X', 'one'); return []; }",
    "map: (record: unknown) => { add('one'); return record; }",
    "schema: add('one')",
    "data: () => { fill('one'); return []; }",
    "data: async () => { const { add } = await import('./store.ts'); add('one'); return []; }",
    "data: async () => { (await import('./store.ts')).add('one'); return []; }",
    "data: async () => { const name = './store.ts'; (await import(name)).add('one'); return []; }",
    "data: () => { env.X = 'one'; return []; }",
    "data: () => { (os as any).hostname = () => 'one'; return []; }",
    "data: () => { vi.spyOn(os, 'hostname').mockReturnValue('one'); return []; }",
  ].flatMap((field) =>
    ['agent', "agent: './agent.ts'"].map(
      (own): Row => [
        `what a suite with ${own} does first: ${field}`,
        "import { store } from './store.ts'; export default () => [store, process.env.X];",
        { ...STORE, 'h.eval.ts': toEval(`${field}, ${own}`) },
        { 'h.eval.ts': toEval(`${field}, ${own}`).replaceAll("'one'", "'two'") },
      ],
    ),
  ),
  ...[
    "const m = (process.env.X = 'one');",
    "process.env.X = 'one';",
    "store.docs = 'one';",
    "const s = store; const ok = (s.docs = 'one');",
    "const { docs: all } = store; const ok = (all.m = 'one');",
    "const s = store; const set = (m: string) => { s.docs = m }; export const done = set('one');",
    "(Math as any).random = () => 'one';",
  ].flatMap((code) =>
    ['agent', "agent: './agent.ts'"].map(
      (own): Row => [
        `what an eval file with ${own} does first: ${code}`,
        "import { store } from './store.ts'; export default () => [store, process.env.X];",
        { ...STORE, 'h.eval.ts': `${toEval(`data: [], ${own}`)} ${code}` },
        { 'h.eval.ts': `${toEval(`data: [], ${own}`)} ${code.replace("'one'", "'two'")}` },
      ],
    ),
  ),
  ...["process.env.X = 'one';", "import { store } from './store.ts'; store.docs = 'one';"].flatMap(
    (code) =>
      ['agent', "agent: './agent.ts'"].map(
        (own): Row => [
          `what the rows of a suite with ${own} do first: ${code}`,
          "import { store } from './store.ts'; export default () => [store, process.env.X];",
          {
            ...STORE,
            'rows.ts': `${code} export const rows = [];`,
            'h.eval.ts': `import { rows } from './rows.ts'; ${toEval(`data: rows, ${own}`)}`,
          },
          { 'rows.ts': `${code.replace("'one'", "'two'")} export const rows = [];` },
        ],
      ),
  ),
  [
    'a variable that a function of the agent sets for its suite',
    "import { setX } from './set-x.ts'; export default () => [setX, process.env.X];",
    {
      ...STORE,
      'set-x.ts': 'export const setX = (x: string) => { process.env.X = x; };',
      'h.eval.ts': `import { setX } from './set-x.ts'; ${toEval("data: () => { setX('one'); return []; }, agent")}`,
    },
    {
      'h.eval.ts': `import { setX } from './set-x.ts'; ${toEval("data: () => { setX('two'); return []; }, agent")}`,
    },
  ],
  [
    'a variable that a suite gives to its command',
    'command:python3 DIR/agent.py',
    {
      ...STORE,
      'agent.py': 'one',
      'h.eval.ts': toEval("data: () => { process.env.X = 'one'; return []; }, agent"),
    },
    { 'h.eval.ts': toEval("data: () => { process.env.X = 'two'; return []; }, agent") },
  ],
  ...[
    'readFileSync(`DIR/prompts/${name}.md`)',
    "readFileSync(join('DIR/prompts', `${name}.md`))",
    "['deep/a', '.own'].map((each) => readFileSync(`DIR/prompts/${each}.md`))",
  ].flatMap((code) =>
    ['prompts/deep/a.md', 'prompts/.own.md', 'prompts/.own/a.md'].map(
      (path): Row => [
        `${path} by a name that may be any: ${code}`,
        `${FS}${PATH}export default (name: string) => ${code};`,
        { [path]: 'one' },
        { [path]: 'two' },
      ],
    ),
  ),
  [
    'a module in a folder below',
    'export default (name: string) => import(/* @vite-ignore */ `./tools/${name}.ts`);',
    { 'tools/web/a.ts': 'export const a = 1;' },
    { 'tools/web/a.ts': 'export const a = 2;' },
  ],
  [
    'a file of a linked folder',
    `${FS}export default (name: string) => readFileSync(\`DIR/prompts/\${name}.md\`);`,
    { 'shared/a.md': 'one', 'prompts/all': '-> ../shared' },
    { 'shared/a.md': 'two' },
  ],
  [
    'a prompt of Python in a folder below',
    'command:python3 DIR/agent.py',
    {
      'prompts/deep/a.md': 'one',
      'agent.py': 'name = "deep/a"\nprint(open(f"prompts/{name}.md").read())\n',
    },
    { 'prompts/deep/a.md': 'two' },
  ],
  [
    'a file that is there only later',
    `${FS}export default (name: string) => readFileSync(\`DIR/prompts/\${name}.md\`);`,
    { 'prompts/a.txt': 'one' },
    {},
    'listed',
  ],
  ...[
    "(i as any).configure('prompts');",
    "(i as any).configure(process.env.PROMPTS_OF ?? 'prompts');",
    "const dir = process.env.PROMPTS_OF ?? 'prompts'; (i as any).configure(dir);",
    "(i as any).configure(process.env.MODEL ? 'prompts' : 'views');",
    "const own = { path: 'prompts' }; (i as any).configure({ ...own, watch: false });",
    "(i as any).configure([...['prompts']]);",
    '(i as any).configure(`${process.cwd()}/DIR/prompts`);',
    "(i as any).configure(process.cwd() + '/DIR/prompts');",
    "new (i as any)('prompts');",
    "(i as any)(['prompts']);",
    "new (i as any)({ root: 'prompts' });",
    "(i as any)({ loaders: { files: ['prompts'] } });",
    "const options = { views: 'prompts' }; new (i as any)(options);",
    "const e = new (i as any)(); e.addPath('prompts');",
    "const e = (i as any).create({}); e.loader.addPath('prompts');",
    "new (i as any)({ views: join(import.meta.dirname, 'prompts') });",
  ].map(
    (code): Row => [
      `a folder for a package: ${code}`,
      `import { i } from 'installed'; import { join } from 'node:path'; ${code} export default () => [i, join];`,
      P1,
      P2,
      'listed',
    ],
  ),
  ...[
    'export const load = (path: string) => { if (!existsSync(path)) writeFileSync(path, "x"); return readFileSync(path); };',
    'export class load { constructor(readonly path: string) {} text() { return readFileSync(this.path); } save() { writeFileSync(this.path, "x"); } }',
  ].map(
    (code): Row => [
      `a file that another module reads or makes: ${code}`,
      "import { load } from './load.ts'; export default () => new (load as any)('DIR/prompts/a.md');",
      { ...P1, 'load.ts': `${WRITE}import { existsSync } from 'node:fs'; ${code}` },
      P2,
      'listed',
    ],
  ),
  ...[
    ['a.ejs', "<%- include('./parts/b.ejs', { name: 'x' }) %>", 'parts/b.ejs'],
    ['a.ejs', "<%- include('parts/b') %>", 'parts/b.ejs'],
    ['a.ejs', "<% if (x) { %>\n<% include('parts/b.ejs') } %>", 'parts/b.ejs'],
    ['a.txt', "Read include('b.txt').", 'b.txt'],
    ['views/a.njk', '{% extends "parts/b.njk" %}', 'parts/b.njk'],
    ['a.hbs', '{{> parts/b }}', 'parts/b.hbs'],
    ['a.pug', 'div\n  include parts/b', 'parts/b.pug'],
    ['a.md', '{{ include "b.md" }}', 'b.md'],
    ['a.yaml', 'prompts:\n  - file://b.md', 'b.md'],
    ['a.json', '{ "prompt": "b.md" }', 'b.md'],
  ].map(
    ([name = '', text = '', other = '']): Row => [
      `what ${name} names: ${text}`,
      `import { loadFile } from 'installed'; export default () => loadFile('DIR/${name}');`,
      { [name]: text, [other]: 'one' },
      { [other]: 'two' },
    ],
  ),
  ...[
    "const load = (workdir: string) => readFileSync(join(workdir, 'a.md')); export default () => load('DIR/prompts');",
    "const load = ({ workdir }: any) => readFileSync(join(workdir, 'a.md')); export default () => load({ workdir: 'DIR/prompts' });",
    'const settings = { workdir: String(process.title) }; const { workdir } = settings; export default () => readFileSync(`${workdir}/a.md`);',
    'const settings: any = { attachments: [String(process.title)] }; export default () => readFileSync(settings.attachments[0]);',
    "import { settings } from './settings.ts'; export default () => readFileSync(settings.workdir);",
    "const load = (options: any) => readFileSync(join(options.workdir, 'a.md')); export default () => load({ workdir: 'DIR/' + 'prompts' });",
    "function load(options: any) { return readFileSync(join(options.workdir, 'a.md')); } export default ({ workdir }: any) => [load({ workdir: 'DIR/' + 'prompts' }), workdir];",
    "import { settings } from './settings.ts'; const load = (options: any) => readFileSync(join(options.workdir, 'a.md')); export default () => load(settings);",
    "const own = { workdir: String(process.title) }; const load = ({ workdir }: any) => readFileSync(join(workdir, 'a.md')); export default () => load(own);",
    "import { load } from './load.ts'; export default () => load({ workdir: 'DIR/prompts' });",
    "import { load } from './load.ts'; const own = { workdir: 'DIR/prompts' }; export default () => load(own);",
    "import * as all from './load.ts'; export default () => all.load({ workdir: 'DIR/' + 'prompts' });",
  ].map(
    (code): Row => [
      `a file in what is only called like a field of the question: ${code}`,
      FS + PATH + code,
      {
        ...P1,
        'settings.ts': 'export const settings = { workdir: String(process.title) };',
        'load.ts': `${FS}${PATH}export const load = ({ workdir }: any) => readFileSync(join(workdir, 'a.md'));`,
      },
      P2,
      'listed',
    ],
  ),
  ...['new fs.ReadStream(path)', "(process.chdir('prompts'), readFileSync('a.md'))"].map(
    (code): Row => [
      `a file by ${code}`,
      `${FS}export default (path: string) => ${code};`,
      P1,
      P2,
      'listed',
    ],
  ),
  ...['process.env.X', "process.env['my.name']", 'process.env.a$'].map(
    (code): Row => [
      `a variable with a short or odd name: ${code}`,
      `export default () => ${code};`,
      {},
      { $X: 'two', '$my.name': 'two', $a$: 'two' },
    ],
  ),
  [
    'a module of Python by a name that is computed',
    'command:python3 DIR/agent.py',
    {
      'agent.py': 'import importlib, sys\nm = importlib.import_module(f"tools.{sys.argv[1]}")\n',
      'tools/a.py': 'one',
    },
    { 'tools/a.py': 'two' },
    'listed',
  ],
  ...[
    "process.env.X = 'one';",
    "import { store } from './store.ts'; store.docs = 'one';",
    "import { add } from './store.ts'; export const x = add('one');",
    "import { add } from './store.ts'; export const [x] = ['one'].map(add);",
    "import { add } from './store.ts'; export class J { static x = add('one'); }",
    "import { add } from './store.ts'; export class J { static { add('one'); } }",
    "import { add } from './store.ts'; const go = () => add('one'); export const x = go();",
    "import { store } from './store.ts'; const s = store; export const x = s.docs.push('one');",
    "import { store } from './store.ts'; export const x = (store.docs = 'one');",
    "import { fill } from './fill.ts'; export const x = fill('one');",
  ].flatMap((code) =>
    ['agent', "agent: './agent.ts'"].map(
      (own): Row => [
        `what a module that judges for ${own} does when it is imported: ${code}`,
        "import { store } from './store.ts'; export default () => [store, process.env.X];",
        {
          ...STORE,
          'grade.ts': `${code} export default () => true;`,
          'h.eval.ts': `import grade from './grade.ts'; ${toEval(`${own}, score: () => grade()`)}`,
        },
        { 'grade.ts': `${code.replace("'one'", "'two'")} export default () => true;` },
      ],
    ),
  ),
  ...['agent', "agent: './agent.ts'"].map(
    (own): Row => [
      `a call whose value judges for ${own}`,
      "import { store } from './store.ts'; export default () => store;",
      {
        ...STORE,
        'grade.ts':
          "import { add } from './store.ts'; const f = (d: string) => { add(d); return () => true; }; export default f('one');",
        'h.eval.ts': `import grade from './grade.ts'; ${toEval(`${own}, score: () => grade()`)}`,
      },
      {
        'grade.ts':
          "import { add } from './store.ts'; const f = (d: string) => { add(d); return () => true; }; export default f('two');",
      },
    ],
  ),
  [
    'a prompt that is given to a function in a function, called as one that writes',
    `${WRITE}function save(path: string) { writeFileSync(path, '1'); } export default () => { save('DIR/out.txt'); { const save = (path: string) => path; save('DIR/prompts/a.md'); } return readFileSync('DIR/prompts/a.md', 'utf8'); };`,
    P1,
    P2,
  ],
];

const SMALL = `import { a } from './a.ts';
export default function answer({ prompt }: { prompt: string }) {
  const sizes = [1000, 'x'];
  return [prompt, a, sizes].join(' ');
}
`;

const AGENT = `import { a, type B } from './a.ts';
export abstract class Base<T> { constructor(readonly size: T) {} }
class Own extends Base<number> { override toString() { return 'own'; } }
/** Answers. */
export default function answer({ prompt, deep }: { prompt: string; deep?: B }) {
  const own = new Own(16);
  const show = (value: unknown) => String(value);
  return [prompt, a, deep, { kind: 'x' }, own].map((each) => show(each)).join(' ');
}
`;
const A = { 'a.ts': "export const a = 'one';\nexport type B = string;\n" };

const toSmallNeutral = (what: string, from: string, to: string): Edit => [
  what,
  SMALL,
  A1,
  { 'agent.ts': SMALL.replace(from, to) },
];

const toNeutral = (what: string, from: string, to: string): Edit => [
  what,
  AGENT,
  A,
  { 'agent.ts': AGENT.replace(from, to) },
];

/** Edits after which an agent answers as before. */
const NEUTRAL: readonly Edit[] = [
  toSmallNeutral('a comment', 'export default', '// A comment.\nexport default'),
  toSmallNeutral('a comment behind code', "'x'];", "'x']; // it's a comment"),
  toSmallNeutral('a comment in code', 'answer({', 'answer(/* it */ {'),
  toSmallNeutral(
    'JSDoc',
    'export default',
    '/**\n * Answers.\n * @param prompt it\n */\nexport default',
  ),
  toSmallNeutral('a comment that names a file', 'export', '// See ./prompts/a.md.\nexport'),
  toSmallNeutral('a comment that names a variable', "'x'];", "'x']; // as process.env.MODEL"),
  toSmallNeutral('a licence', 'import', '/*! @license MIT */\nimport'),
  toSmallNeutral('blank lines', 'export default', '\n\n\nexport default'),
  toSmallNeutral('indentation', '  const', '        const'),
  toSmallNeutral('a line break', "[1000, 'x']", "[\n    1000,\n    'x'\n  ]"),
  toSmallNeutral('a trailing comma', "'x']", "'x',]"),
  toSmallNeutral('quotes', "'x'", '"x"'),
  toSmallNeutral('no semicolon', "'x'];", "'x']"),
  toSmallNeutral('digits of a number', '1000', '1_000'),
  toSmallNeutral('CRLF', '\n  const', '\r\n  const'),
  toSmallNeutral('a type of a constant', 'sizes =', 'sizes: unknown[] ='),
  toSmallNeutral('a return type', 'string }) {', 'string }): string {'),
  toSmallNeutral('an interface', 'export', 'interface Size { x: number }\nexport'),
  toSmallNeutral('an import of a type', 'import', "import type { B } from './b.ts';\nimport"),
  toSmallNeutral('"as" and "satisfies"', "'x'];", "'x'] as unknown satisfies unknown;"),
  ['a comment in an import', SMALL, A1, { 'a.ts': `// One.\n${A1['a.ts']}` }],
  [
    'another file of the folder',
    SMALL,
    { ...A1, 'b.ts': '1' },
    { 'b.ts': '2', 'README.md': 'two' },
  ],
  ['a key and the machine', SMALL, A1, { $OPENAI_API_KEY: 'sk-abcdefghijklmnop2', $HOSTNAME: 'b' }],
  [
    'a log that the agent writes',
    `import { appendFileSync } from 'node:fs'; export default () => appendFileSync('DIR/log.txt', '1');`,
    { 'log.txt': '1' },
    { 'log.txt': '2' },
  ],
  ['the time of a file', SMALL, A1, { 'a.ts': A1['a.ts'] }],
  [
    'an unused export behind a barrel',
    "import { a } from './barrel.ts'; export default () => a;",
    {
      ...A1,
      'b.ts': 'export const b = 1;',
      'barrel.ts': "export * from './a.ts';\nexport * from './b.ts';",
    },
    { 'b.ts': 'export const b = 2;' },
  ],
  toNeutral('a directive of a linter', '  const own', '  // eslint-disable-next-line\n  const own'),
  toNeutral('@ts-expect-error', '  const own', '  // @ts-expect-error\n  const own'),
  toNeutral('a region', 'class Own', '// #region own\nclass Own'),
  toNeutral('a type parameter', 'show = (value: unknown)', 'show = <V>(value: V)'),
  toNeutral(
    'an overload',
    'override toString()',
    'override toString(): string;\n  override toString()',
  ),
  toNeutral('"declare"', 'class Own', 'declare const version: string;\nclass Own'),
  toNeutral('an exported type', 'class Own', "export type Size = 'a' | 'b';\nclass Own"),
  toNeutral('a namespace of types', 'class Own', 'declare namespace N { type X = 1 }\nclass Own'),
  toNeutral('"as const"', "'x'", "('x' as const)"),
  toNeutral('"!"', 'String(value)', 'String(value!)'),
  toNeutral('an optional field', 'prompt: string;', 'prompt?: string;'),
  toNeutral('"override" less', 'override toString', 'toString'),
  toNeutral('"implements"', 'Base<number> {', 'Base<number> implements Object {'),
  toNeutral('parentheses of an arrow', '((each) =>', '(each =>'),
  toNeutral('parentheses', 'new Own(16)', '(new Own((16)))'),
  toNeutral('a quoted key', '{ kind:', "{ 'kind':"),
  toNeutral('another way to write a number', '16', '0x10'),
  toNeutral('an escape in a text', "'x'", "'\\x78'"),
  toNeutral('an empty statement', 'new Own(16);', 'new Own(16);;'),
  toNeutral('a byte order mark', 'import', '\uFEFFimport'),
  toNeutral(
    '"import type"',
    'import { a, type B }',
    "import type { B } from './a.ts';\nimport { a }",
  ),
  toNeutral('a default import of a type less', ', type B', ''),
  [
    'a type in an import',
    AGENT,
    A,
    { 'a.ts': "export const a: string = 'one';\nexport type B = number;\n" },
  ],
  ['a test beside the agent', AGENT, { ...A, 'agent.test.ts': '1' }, { 'agent.test.ts': '2' }],
  [
    'a hidden file in a folder',
    "import { readdirSync } from 'node:fs'; export default () => readdirSync('DIR/prompts');",
    { ...P1, 'prompts/.DS_Store': '1' },
    { 'prompts/.DS_Store': '2' },
  ],
  [
    'a log in a folder',
    "import { readdirSync } from 'node:fs'; export default () => readdirSync('DIR/prompts');",
    { ...P1, 'prompts/a.log': '1' },
    { 'prompts/a.log': '2' },
  ],
  [
    'a file with another ending',
    "import { readdirSync, readFileSync } from 'node:fs'; export default (name: string) => readFileSync(`DIR/prompts/${name}.md`);",
    { ...P1, 'prompts/a.bak': '1' },
    { 'prompts/a.bak': '2' },
  ],
  [
    'a folder that Python writes',
    'command:python3 DIR/agent.py',
    {
      'agent.py': 'import os\nos.makedirs("out", exist_ok=True)\nopen("out/" + "a.txt", "w")\n',
      'out/a.txt': '1',
    },
    { 'out/a.txt': '2' },
  ],
  ['a variable that nobody reads', AGENT, A, { $OTHER: 'two', $MODEL: 'two' }],
  [
    'a script of package.json',
    AGENT,
    A,
    {
      '../package.json':
        '{ "name": "app", "type": "module", "imports": { "#app/*": "./*" }, "exports": { "./*": "./*" }, "scripts": { "a": "b" } }',
    },
  ],
  [
    'a package that nobody imports',
    AGENT,
    A,
    { '../node_modules/patched/i.js': 'export const i = 5;' },
  ],
  [
    'a file that a function of another module writes',
    "import { save } from './save.ts'; export default () => save('DIR/memory.json');",
    {
      'save.ts':
        "import { writeFileSync } from 'node:fs'; export const save = (path: string) => writeFileSync(path, '1');",
      'memory.json': '1',
    },
    { 'memory.json': '2' },
  ],
  [
    'a file that an object of another module writes',
    "import { Memory } from './memory.ts'; const memory = new Memory('DIR/memory.json'); export default () => memory.save();",
    {
      'memory.ts': `${WRITE}export class Memory { #path: string; constructor(path = 'none') { this.#path = path; } save() { writeFileSync(this.#path, '1'); } }`,
      'memory.json': '1',
    },
    { 'memory.json': '2' },
  ],
  ...["score: () => 'one'", "scores: { a: () => add('one') }", "pass: () => pure('one')"].flatMap(
    (field) =>
      ['agent', "agent: './agent.ts'"].map(
        (own): Edit => [
          `what comes after the answer of a suite with ${own}: ${field}`,
          "import { store } from './store.ts'; import { pure } from './pure.ts'; export default () => [store, pure];",
          {
            ...STORE,
            'h.eval.ts': toEval(`data: [pure(1), process.env.X], ${own}, ${field}`),
          },
          {
            'h.eval.ts': toEval(
              `data: [pure(1), process.env.X], ${own}, ${field.replace('one', 'two')}`,
            ),
          },
        ],
      ),
  ),
  ...['agent', "agent: './agent.ts'", 'agent: () => pure(store)'].map(
    (own): Edit => [
      `the rows of a suite with ${own}`,
      "import { store } from './store.ts'; import { pure } from './pure.ts'; export default () => [store, pure];",
      {
        ...STORE,
        'docs.json': '["one"]',
        'h.eval.ts': toEval(
          `data: () => JSON.parse(pure(readFileSync('DIR/docs.json', 'utf8')) as string), ${own}, score: () => add(1)`,
        ),
      },
      { 'docs.json': '["two"]' },
    ],
  ),
  ...['agent', "agent: './agent.ts'"].map(
    (own): Edit => [
      `a module that judges for ${own}, with a module of the agent`,
      "import { store } from './store.ts'; export default () => store;",
      {
        ...STORE,
        'grade.ts': "import { add } from './store.ts'; export default () => add('one');",
        'h.eval.ts': `import grade from './grade.ts'; ${toEval(`${own}, score: () => grade()`)}`,
      },
      { 'grade.ts': "import { add } from './store.ts'; export default () => add('two');" },
    ],
  ),
  [
    'a module that judges, with values of its own and functions that use a module of the agent',
    "import { store } from './store.ts'; export default () => store;",
    {
      ...STORE,
      'grade.ts':
        "import { store } from './store.ts'; const RE = new RegExp('one'); class G { a = store.docs; } export default () => [RE, G, store];",
      'h.eval.ts': `import grade from './grade.ts'; ${toEval('agent, score: () => grade()')}`,
    },
    {
      'grade.ts':
        "import { store } from './store.ts'; const RE = new RegExp('two'); class G { a = store.docs; } export default () => [RE, G, store];",
    },
  ],
  ...['agent', "agent: './agent.ts'"].map((own): Edit => {
    const suite = `import { rows } from './rows.ts'; ${toEval(
      `data: () => rows(), ${own}, score: () => late('one')`,
      "const late = (text: string) => text + 'one';",
    )}`;
    return [
      `the score of a suite with ${own} whose rows use a module of the agent`,
      "import { store } from './store.ts'; export default () => store;",
      {
        ...STORE,
        'rows.ts': "import { store } from './store.ts'; export const rows = () => [store];",
        'h.eval.ts': suite,
      },
      { 'h.eval.ts': suite.replaceAll("'one'", "'other'") },
    ];
  }),
  [
    'the score of a suite whose rows are made by a function that is called "process"',
    'export default () => 1;',
    {
      ...STORE,
      'rows.ts':
        "const process = (row: string) => row; export const rows = ['process'].map(process);",
      'h.eval.ts': `import { rows } from './rows.ts'; ${toEval('data: () => rows, agent, score: () => 1')}`,
    },
    {
      'h.eval.ts': `import { rows } from './rows.ts'; ${toEval('data: () => rows, agent, score: () => 2')}`,
    },
  ],
  toNeutral('a template in place of a text', "'x'", '`x`'),
  [
    'braces of "if"',
    'export default (a: number) => { if (a) return 1; return 2; };',
    {},
    { 'agent.ts': 'export default (a: number) => { if (a) { return 1; } return 2; };' },
  ],
  [
    'another order of imports',
    "import { a } from './a.ts'; import { b } from './b.ts'; export default () => [a, b];",
    { ...A1, 'b.ts': 'export const b = 1;' },
    {
      'agent.ts':
        "import { b } from './b.ts'; import { a } from './a.ts'; export default () => [a, b];",
    },
  ],
  [
    'another way to export',
    'const a = () => 1; export default a;',
    {},
    { 'agent.ts': 'const a = () => 1; export { a as default };' },
  ],
  [
    'the layout of JSON',
    "import value from './v.json'; export default () => value;",
    { 'v.json': '{"a":1}' },
    { 'v.json': '{ "a": 1 }' },
  ],
  [
    'a comment in a script of Python',
    'command:python3 DIR/agent.py',
    { 'agent.py': 'print(1)\n' },
    { 'agent.py': '# Prints.\nprint(1)\n' },
  ],
  [
    'a memory in a folder of prompts',
    `${WRITE}export default (id: string) => { mkdirSync('DIR/prompts', { recursive: true }); writeFileSync('DIR/prompts/memory.json', id); return [readFileSync('DIR/prompts/a.md'), readFileSync('DIR/prompts/memory.json')]; };`,
    { ...P1, 'prompts/memory.json': '1' },
    { 'prompts/memory.json': '2' },
  ],
  [
    'files that are written by computed names',
    `${WRITE}export default (id: string) => { writeFileSync(\`DIR/prompts/\${id}.json\`, id); return readdirSync('DIR/prompts'); };`,
    { ...P1, 'prompts/1.json': '1' },
    { 'prompts/1.json': '2', 'prompts/2.json': '2' },
  ],
  [
    'a comment in JSX',
    "import { prompt } from './prompt.tsx'; export default () => prompt;",
    {
      'prompt.tsx':
        '/** @jsxRuntime classic @jsx h */ const h = String; export const prompt = <p>one</p>;',
    },
    {
      'prompt.tsx':
        '/** @jsxRuntime classic @jsx h */ const h = String; export const prompt = <p>one{/* x */}</p>;',
    },
  ],
];

/** Those of them that ask again nevertheless. */
const NEEDLESS = [
  'an unused export behind a barrel',
  'a quoted key',
  'an empty statement',
  'a template in place of a text',
  'braces of "if"',
  'another order of imports',
  'another way to export',
  'the layout of JSON',
  'a comment in a script of Python',
];

const lab = makeEditLab();

const WITH_ENDS = CHANGES.map(
  ([what, agent, files, edit, end = 'asked']) => [end, what, agent, files, edit] as const,
);

test.each(WITH_ENDS)('is %s after an edit of %s', async (end, ...edit) => {
  expect(await lab.tryEdit(edit)).toBe(end);
});

// Below Vite 8 nothing prints code.
test.runIf(toPlainCode('1') !== null).each(NEUTRAL)(
  'after an edit of %s nothing is asked',
  async (...edit) => {
    const isAsked = (await lab.tryEdit(edit)) === 'asked';
    expect(isAsked).toBe(NEEDLESS.includes(edit[0]));
  },
);

test('the counts of both tables stand in docs/reliability.md', () => {
  const page = readFileSync('docs/reliability.md', 'utf8');
  const counts = page.matchAll(/tried with (\d+) edits, of which (\d+)/g);
  const listed = CHANGES.filter(([, , , , end]) => end === 'listed');
  expect([...counts].map(([, ...each]) => each.map(Number))).toEqual([
    [CHANGES.length, listed.length],
    [NEUTRAL.length, NEEDLESS.length],
  ]);
});
