import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createViteServer, type TestProject } from 'vitest/node';
import { makeFolder, makeSharedFolder } from '../../test/make-folder.ts';
import { findAgentSources } from './agent-sources.ts';

const toPackage = (name: string, fields: object) =>
  JSON.stringify({ name, version: '1.0.0', type: 'module', ...fields });

const FILES = {
  'package.json': toPackage('app', {
    imports: { '#src/*': './src/*' },
    exports: { './*': './src/*' },
  }),
  'src/a.ts': 'export const a: number = 1;',
  'src/barrel.ts': "export * from './a.ts';",
  'src/c.cjs': "module.exports = require('./d.cjs');",
  'src/d.cjs': 'module.exports = 1;',
  'src/other.ts': 'export const other = 1;',
  'src/env.ts': 'export const env = process.env;',
  'prompts/p.md': 'Answer.',
  'prompts/tool.py': 'print(1)',
  'linked/package.json': toPackage('linked', {
    exports: { '.': './src/index.ts', './src/*': './src/*' },
  }),
  'linked/src/index.ts': "export * from './add.ts';",
  'linked/src/add.ts': 'export const add = 1;',
  'node_modules/installed/package.json': toPackage('installed', { main: 'i.js' }),
  'node_modules/installed/i.js': 'export const i = 1;',
};

const root = makeSharedFolder();
let vite: TestProject['vite'];

beforeAll(async () => {
  write(FILES);
  symlinkSync('../linked', join(root, 'node_modules/linked'));
  const resolve = { alias: { '@': join(root, 'src') } };
  const server = { middlewareMode: true, ws: false, watch: null } as const;
  const quiet = { configFile: false, logLevel: 'silent', server } as const;
  vite = await createViteServer({ ...quiet, root, resolve, ssr: { noExternal: true } });
});
afterAll(() => vite.close());

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const findAll = (file: string, variables: Readonly<Record<string, string>> = {}) =>
  findAgentSources({ vite, config: { env: {} } }, [file], {}, variables);

let evals = 0;

/** "+" for each that is as said, "-" for the others. */
const toMarks = <Item>(items: readonly Item[], isSo: (item: Item, index: number) => boolean) =>
  items.map((item, index) => (isSo(item, index) ? '+' : '-')).join('');

/** An eval file with this code, and what is found out about it. */
function makeEval(code: string) {
  evals += 1;
  const name = `evals/${evals}.eval.ts`;
  write({ [name]: code });
  const file = join(root, name);
  const find = async (variables = {}, key = '') =>
    (await findAll(file, variables)).sources[file + key]?.hash;
  return { name, file, find };
}

test.each([
  ["export { a } from '@/a.ts'", ['src/a.ts']],
  ["export { a } from '#src/barrel.ts'", ['src/barrel.ts', 'src/a.ts']],
  ["export { a } from 'app/a.ts'", ['src/a.ts']],
  ["export { add } from 'linked'", ['linked/src/index.ts', 'linked/src/add.ts']],
  ["import c from '../src/c.cjs'; export { c }", ['src/c.cjs', 'src/d.cjs']],
  ["import p from '../prompts/p.md?raw'; export { p }", ['prompts/p.md']],
  ["export const all = import.meta.glob('../src/b*.ts')", ['src/barrel.ts', 'src/a.ts']],
  ["export const a = await import('@/a.ts')", ['src/a.ts']],
  [
    "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url); export const c = load('linked/src/add.ts')",
    ['linked/src/add.ts'],
  ],
  ["export const u = new URL('../prompts/p.md', import.meta.url)", ['prompts/p.md']],
  [
    "import { readFileSync } from 'node:fs'; export const p = readFileSync('prompts/p.md')",
    ['prompts/p.md'],
  ],
  [
    "import { promisify } from 'node:util'; import { exec } from 'node:child_process'; const run = promisify(exec); export const p = () => run('python3 prompts/tool.py')",
    ['prompts/tool.py'],
  ],
])(
  'an edit of each file that is loaded changes the fingerprint, and of no other: %s',
  async (code, files) => {
    const { find } = makeEval(code);
    const before = await find();
    write({ 'src/other.ts': `${FILES['src/other.ts']} ` });
    expect(await find()).toEqual(before);
    const changed = [];
    for (const each of files) {
      const text = FILES[each as keyof typeof FILES];
      write({ [each]: `${text}${/[jt]s$/.test(each) ? '\nglobalThis.edited = 1;' : ' '}` });
      if ((await find()) !== before) changed.push(each);
      write({ [each]: text });
    }
    expect(changed).toEqual(files);
  },
);

const VARIABLES = {
  MODEL: 'A',
  MAX_TOKENS: '10',
  HOSTNAME: 'a',
  OPENAI_API_KEY: 'some-key-12345678',
  DATABASE_URL: 'postgres://me:pass1word2@one/db',
  EVAL_LIMIT: '1',
};

const JOB = { NODE_ENV: 'production', CI_MODEL: 'B', RUNNER_MODEL: 'B' };

test.each([
  ['export const a = () => process.env.MODEL', true],
  ['export const a = () => { const { X, MODEL = 1 } = process.env; return MODEL; }', true],
  ['export const a = () => import.meta.env.MODEL', true],
  ['const env = process.env; export const a = () => env.MODEL', true],
  ["import { env } from 'node:process'; export const a = () => env.MODEL", true],
  ["const all = { ...process.env, A: '1' }; export const a = () => all.MODEL", true],
  ["import { env } from '../src/env.ts'; export const a = () => env.MODEL", true],
  ['export const a = () => process.env.MAX_TOKENS', true],
  ['export const a = () => process.env.HOSTNAME', false],
  ['// process.env.MODEL\nexport const a = 1', false],
  ['export const a = () => process.env.OPENAI_API_KEY', false],
  ['export const a = () => process.env.EVAL_LIMIT', false],
  ['export const a = () => process.env.NODE_ENV', true],
  ['export const a = () => process.env.CI_MODEL', true],
  ["export const a = () => process.env['RUNNER_MODEL']", true],
  ["export const a = (name) => process.env['CI_' + name]", false],
  // The place, and not the password.
  ['export const a = () => process.env.DATABASE_URL', true],
])(
  'a variable that is read by its name counts, unless it is a key or a setting of viva: %s',
  async (code, isCounted) => {
    const { find } = makeEval(code);
    const one = await find(VARIABLES);
    const secret = {
      OPENAI_API_KEY: 'another-key-1234',
      DATABASE_URL: 'postgres://me:pass3word4@one/db',
      EVAL_LIMIT: '2',
      HOSTNAME: 'b',
    };
    expect(await find({ ...VARIABLES, ...secret })).toEqual(one);
    const url = 'postgres://me:pass1word2@two/db';
    const other = await find({
      ...VARIABLES,
      MODEL: 'B',
      MAX_TOKENS: '20',
      DATABASE_URL: url,
      ...JOB,
    });
    expect(one !== other).toBe(isCounted);
  },
);

const TWO = `import { defineEval } from 'viva';
import agent, { other as second } from '../src/two.ts';
import { unused } from '../src/other.ts';
const local = () => '1';
export const x = unused;
await defineEval('first', { agent, score: () => true });
await defineEval('second', { ...{}, agent: second as unknown, score: () => true });
await defineEval('local', { agent: local });
await defineEval('wrapped', { agent: { name: 'w', answer: agent } });
await defineEval('spread', { agent, ...{} });`;

test('an imported agent counts alone, in each suite of a file, and any other agent counts with its eval file', async () => {
  write({
    'src/two.ts':
      "import { a } from './a.ts'; export default () => a; export const other = () => a;",
  });
  const { name, find } = makeEval(TWO);
  const take = () =>
    Promise.all(
      ['', '#first', '#second', '#local', '#wrapped', '#spread'].map((key) => find({}, key)),
    );
  const before = await take();
  expect(toMarks(before, (source) => source !== undefined)).toBe('+++---');
  expect(new Set(before.slice(0, 3)).size).toBe(3);
  write({ [name]: TWO.replace("'1'", "'2'") });
  const edited = await take();
  expect(toMarks(edited, (source, index) => source === before[index])).toBe('-+++++');
  write({ 'src/a.ts': 'export const a = 2;' });
  const both = await take();
  write({ 'src/a.ts': FILES['src/a.ts'] });
  expect(toMarks(both, (source, index) => source === edited[index])).toBe('---+++');
});

test.each([
  ['data: () => { configure(1); return []; }', false],
  ['data: load', false],
  ['data: () => { config.size = 1; return []; }', false],
  ['user: { ...configure(1) }', false],
  ['score: () => configure(1)', true],
  ['pass: () => configure(1), extract: (output) => configure(output)', true],
  ['schema: configure(1)', false],
  ['map: (row) => configure(row)', false],
  ['group: (row) => configure(row)', false],
  ['cluster: (row) => configure(row)', false],
  ['data: () => other(1)', true],
  ['data: config', true],
])(
  'an agent that a function of the eval file may configure counts with that file: %s',
  async (field, isAlone) => {
    write({
      'src/config.ts': 'export const config = {}; export const configure = (size) => config;',
      'src/configured.ts': "import { config } from './config.ts'; export default () => config;",
    });
    const { file } = makeEval(`import { defineEval } from 'viva';
import agent from '../src/configured.ts';
import { config, configure } from '../src/config.ts';
import { other } from '../src/other.ts';
${field.includes('load') ? 'const load = () => [configure(1)];' : ''}
await defineEval('one', { agent, ${field} });`);
    const { sources } = await findAll(file);
    const parts = Object.keys(sources[`${file}#one`]?.parts ?? {});
    expect(parts).toContain('src/configured.ts');
    expect(parts.every((part) => !part.endsWith('.eval.ts'))).toBe(isAlone);
  },
);

const SEVERAL = `import { defineEval } from 'viva';
import small, { make } from '../src/two.ts';
await defineEval('several', {
  data: [],
  agents: { small, made: make(1), local: () => '1', file: './own.ts', "line": 'command:python3 prompts/tool.py' },
});`;

test('an edit of one agent in "agents" asks that agent alone again', async () => {
  write({
    'src/two.ts':
      "import { a } from './a.ts'; export default () => a; export const make = () => a;",
    'evals/own.ts': "import { c } from './own-c.ts'; export default () => c;",
    'evals/own-c.ts': 'export const c = 1;',
  });
  const { name, file } = makeEval(SEVERAL);
  const keys = [file, `${file}#several#small`, `${file}#several#made`, join(root, 'evals/own.ts')];
  const take = async () => {
    const { sources } = await findAll(file);
    return keys.map((key) => sources[key]?.hash);
  };
  const changed = async (files: Readonly<Record<string, string>>) => {
    const before = await take();
    write(files);
    const after = await take();
    return toMarks(after, (each, index) => each !== before[index]);
  };
  const before = await take();
  expect(toMarks(before, (each) => each !== undefined)).toBe('++-+');
  const own = ['evals/own.ts', 'evals/own-c.ts', 'prompts/tool.py'].map((path) => join(root, path));
  const { unwatched } = await findAll(file);
  expect(unwatched.get(file)).toEqual(expect.arrayContaining(own));
  expect(await changed({ 'evals/own-c.ts': 'export const c = 2;' })).toBe('---+');
  expect(await changed({ 'prompts/tool.py': 'print(2)' })).toBe('----');
  expect(await changed({ [name]: `${SEVERAL}\nconst other = 1;` })).toBe('+---');
  expect(await changed({ 'src/a.ts': 'export const a = 3;' })).toBe('++--');
  write({ 'src/a.ts': FILES['src/a.ts'], 'prompts/tool.py': FILES['prompts/tool.py'] });
  // What the eval file reads itself is a part of the other agents too.
  const reading = makeEval(`${SEVERAL}\nexport const text = new URL('./own.ts', import.meta.url);`);
  const unread = await reading.find();
  write({ 'evals/own.ts': 'export default () => 4;' });
  expect(await reading.find()).not.toEqual(unread);
});

test('the version of an installed package counts, and the file that is imported', async () => {
  const { find } = makeEval("export { i } from 'installed'");
  const files = {
    'node_modules/installed/package.json': FILES['node_modules/installed/package.json'].replace(
      '1.0.0',
      '1.0.1',
    ),
    'node_modules/installed/i.js': 'export const i = 2;',
  };
  for (const [name, text] of Object.entries(files)) {
    const before = await find();
    write({ [name]: text });
    expect(await find()).not.toEqual(before);
  }
});

const UNFOLLOWED = `import { spawn, exec } from 'node:child_process'; import { createRequire } from 'node:module';
import { createReadStream, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

interface Question { readonly id: string }

type Names = readonly string[];
const key = ['A', 'B'].join('_'); const load = createRequire(import.meta.url);
export const a = () => process.env[key];
export const b = (path: string) => import(path);
export const c = async ({ id }: Question, names: Names) => {
  // A comment.
  readFileSync(join(id, 'x.md'));
  createReadStream(names[0] as string);
  return readdir(join(process.cwd(), id));
};
export const d = () => spawn('claude', ['-p']);
export const e = (path: string) => new DatabaseSync(path);
export const f = () => [/x+/.exec('x'), key.match(/y/)];
export const g = (question: { attachments: Names }) => readFileSync(question.attachments[0] as string);
export const j = (path: string) => createRequire(import.meta.url)(path) ?? load(path);
export const h = () => exec('python3 prompts/tool.py');
export const i = () => readFileSync('prompts/p.md', 'utf8');
`;

test('lists with file and line what only a run knows, and nothing else', async () => {
  const { file, name } = makeEval(UNFOLLOWED);
  const { notFollowed } = (await findAll(file)).sources[file] ?? {};
  expect(notFollowed).toEqual(
    [
      '11 process.env[key]',
      '12 import(path)',
      "15 readFileSync(join(id, 'x.md'))",
      '16 createReadStream(names[0] as string)',
      '17 readdir(join(process.cwd(), id))',
      "19 spawn('claude', ['-p'])",
      '20 new DatabaseSync(path)',
      '23 createRequire(import.meta.url)(path)',
      '23 load(path)',
    ].map((what) => `${name}:${what}`),
  );
});

test.each([
  ["fs.writeFileSync('prompts/p.md', 'x')", false],
  ["fs.writeFileSync(join('prompts', name), fs.readFileSync(join('prompts', name)))", false],
  ["fs.mkdirSync('prompts'); fs.readdirSync('prompts')", true],
  ["fs.writeFileSync(join('prompts', name), 'x'); fs.readFileSync('prompts/p.md')", true],
  ["fs.copyFileSync('prompts/p.md', 'out.md')", true],
  ["fs.writeFileSync('out.md', 'prompts/p.md')", true],
  ["fs.writeFileSync(new URL(name, import.meta.url), 'x'); fs.readFileSync('prompts/p.md')", true],
])('a file that the code writes does not count: %s', async (body, isCounted) => {
  const { find } = makeEval(
    `import fs from 'node:fs'; import { join } from 'node:path'; export default (name) => { ${body}; };`,
  );
  const before = await find();
  write({ 'prompts/p.md': 'Other.' });
  const after = await find();
  write({ 'prompts/p.md': FILES['prompts/p.md'] });
  expect(after !== before).toBe(isCounted);
});

const EVAL = `import { defineEval } from 'viva';
import { readFileSync } from 'node:fs';
import { a, load } from '../src/load.ts';
const read = (path: string) => readFileSync(path, 'utf8');
`;

test.each([
  ["await defineEval('a', { data: 'prompts/p.md', prompt: 'prompts/p.md' });", false],
  ["await defineEval('a', { data: () => read('prompts/p.md'), agent: () => '1' });", false],
  ["const path = 'prompts/p.md'; await defineEval('a', { data: () => read(path) });", false],
  [
    "let text = ''; await defineEval('a', { data: () => { text = read('prompts/p.md'); return [text]; } });",
    false,
  ],
  [
    "const rows = () => read('prompts/p.md'); const data = () => rows(); await defineEval('a', { data });",
    false,
  ],
  [
    "function data() { return read('prompts/p.md'); } const def = { data }; await defineEval('a', def);",
    false,
  ],
  ["const data = load('prompts/p.md'); await defineEval('a', { data });", false],
  [
    "const shots = read('prompts/p.md'); await defineEval('a', { data: [], agent: () => shots });",
    true,
  ],
  [
    "const text = read('prompts/p.md'); await defineEval('a', { data: [text], agent: () => text });",
    true,
  ],
  [
    "let text = ''; await defineEval('a', { data: () => { text = read('prompts/p.md'); }, agent: () => text });",
    true,
  ],
  [
    "const all = []; const add = () => all.push(read('prompts/p.md')); await defineEval('a', { data: () => add(), agent: () => all });",
    true,
  ],
  [
    "await defineEval('a', { data: () => { load(read('prompts/p.md')); return []; }, agent: () => a });",
    true,
  ],
  [
    "await defineEval('a', { data: () => { a.text = read('prompts/p.md'); return []; }, agent: () => a });",
    true,
  ],
  [
    "await defineEval('a', { data: () => [load(read('prompts/p.md')), a], score: () => a });",
    false,
  ],
  ["await defineEval('a', { data: [], agent: () => load({ prompt: 'prompts/p.md' }) });", true],
  [
    "const [one, two] = [read('prompts/p.md'), 1]; await defineEval('a', { data: [two], agent: () => one });",
    true,
  ],
])('a file counts unless it makes questions alone: %s', async (code, isCounted) => {
  write({ 'src/load.ts': 'export const a = {}; export const load = (each) => each;' });
  const { file } = makeEval(EVAL + code);
  const { sources, unwatched } = await findAll(file);
  expect('prompts/p.md' in (sources[file]?.parts ?? {})).toBe(isCounted);
  expect(unwatched.get(file)).toContain(join(root, 'prompts/p.md'));
});

test('files and folders that the user says are written do not count', async () => {
  const { file } = makeEval(
    "export default () => [new URL('../prompts/p.md', import.meta.url), 'src/data/memory.json'];",
  );
  write({ 'src/data/memory.json': '1' });
  const find = async (written: readonly string[]) => {
    const project = { vite, config: { env: {} } };
    const { sources } = await findAgentSources(project, [file], { written }, {});
    return Object.keys(sources[file]?.parts ?? {}).filter((name) => /md$|json$/.test(name));
  };
  expect(await find([])).toEqual(['prompts/p.md', 'src/data/memory.json']);
  expect(await find(['src/data'])).toEqual(['prompts/p.md']);
  expect(await find(['./src/data/memory.json', join(root, 'prompts/')])).toEqual([]);
});

test('setup files and what they import count for each agent', async () => {
  const { file } = makeEval('export default () => 1;');
  write({ 'src/setup.ts': "import './set-up-more.ts';", 'src/set-up-more.ts': 'export {};' });
  const take = async (of: string) => {
    const config = { env: {}, [of]: [join(root, 'src/setup.ts')] };
    const { sources } = await findAgentSources({ vite, config }, [file], {}, {});
    return Object.keys(sources[file]?.parts ?? {}).filter((name) => name.startsWith('src/'));
  };
  const names = ['src/setup.ts', 'src/set-up-more.ts'];
  expect(await take('setupFiles')).toEqual(names);
  expect(await take('globalSetup')).toEqual(names);
});

const SPELT = `import fs, { readFileSync as read } from 'node:fs';
import * as processes from 'node:child_process';
import Database from 'better-sqlite3';
export { readFile as load } from 'node:fs/promises';
const { env: all = {} } = process;
export default (path: string, key: 'a') => [
  fs.openSync(path as string, 'r'),
  read( // Not followed.
    path,
  ),
  new Database(path), all[key], process?.env?.[key],
  processes.spawn(path, { env: { ...process.env } }),
  Object.entries(process.env),
  fs[key],
];
`;

test('lists code as the user wrote it', async () => {
  const { file, name } = makeEval(SPELT);
  const { notFollowed } = (await findAll(file)).sources[file] ?? {};
  expect(notFollowed?.map((each) => each.slice(name.length + 1)).toSorted()).toEqual([
    '11 all[key]',
    '11 new Database(path)',
    '11 process?.env?.[key]',
    '12 processes.spawn(path, { env: { ...process.env } })',
    '13 Object.entries(process.env)',
    '14 fs[key]',
    '4 readFile',
    "7 fs.openSync(path as string, 'r')",
    '8 read( // Not followed. path, )',
  ]);
});

test('what is read or started while an agent answers is looked at again, and what Vite has compiled is not', async () => {
  write({ 'src/late.ts': "export { a } from './a.ts';" });
  const { file } = makeEval(
    "import { other } from '../src/other.ts'; import c from '../src/c.cjs'; const p = 'prompts/p.md'; export default async () => [other, c, p, await import('../src/late.ts')];",
  );
  const line = `python3 ${join(root, 'prompts/tool.py')}`;
  const project = { vite, config: { env: {} } };
  const { sources } = await findAgentSources(project, [file], { commands: [line] }, {});
  const namesOf = (key: string) => sources[key]?.read.map(({ name }) => name).toSorted();
  // What a module of CommonJS requires, Node loads itself.
  const late = ['prompts/p.md', 'src/a.ts', 'src/d.cjs', 'src/late.ts'];
  expect(namesOf(file)).toEqual(late);
  expect(namesOf(`command:${line}`)).toEqual(['prompts/tool.py']);
});

test('relative paths of commands and of code start where the run was started, not at the root', async () => {
  const start = makeFolder({ 'tool.py': '', 'told.md': '' });
  const { file } = makeEval(
    "import { readFileSync } from 'node:fs'; export default () => readFileSync('told.md', 'utf8');",
  );
  const project = { vite, config: { env: {} } };
  const named = { commands: ['python3 tool.py'], start };
  const { sources } = await findAgentSources(project, [file], named, {});
  const namesOf = (key: string) => sources[key]?.read.map(({ name }) => resolve(root, name));
  expect(namesOf('command:python3 tool.py')).toEqual([join(start, 'tool.py')]);
  expect(namesOf(file)).toContain(join(start, 'told.md'));
});

test.each<[string, string, readonly string[] | undefined]>([
  ["recordTools(a, { name: 'b' }); recordTools([a], { name: `a.1` });", '', ['a.1', 'b']],
  ["recordTools({\n  a: async () => 1,\n}, {\n  name: 'b',\n});", '', ['b']],
  ['recordTools(a, { name: String(a) });', 'computed', undefined],
  ["recordTools(a, { name: 'b' }); recordTools(a, { name: String(a) });", 'in part', undefined],
  ["recordTools([String.call(a, { name: 'c' })], { name: 'b' });", 'of a tool', undefined],
  ["const wrap = recordTools; wrap(a, { name: 'b' });", 'under another name', undefined],
  ['', 'nowhere', undefined],
])('the recordings that code names: %s %s', async (code, _, names) => {
  const file = `evals/names-${evals++}.eval.ts`;
  const start = "import { recordTools } from '#src/record.ts'; const a = {};\n";
  write({ [file]: start + code, 'src/record.ts': "export * from './other.ts';" });
  const { sources } = await findAll(join(root, file));
  expect(sources[join(root, file)]?.recordings).toEqual(names);
});
