import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createViteServer, type TestProject } from 'vitest/node';
import { findAgentSources } from '../src/plugin/agent-sources.ts';
import { makeSharedFolder } from './make-folder.ts';

/**
 * Each edit is made in a folder of its own, which code calls DIR. The agent is the code of agent.ts, or
 * "command:LINE", or that of the suite "h" in h.eval.ts where there is one. A name that begins with "$" is a variable, and with "%" a value for inject(). A text of null removes a file, and one of
 * "-> PATH" is a link.
 */
export type Edit = readonly [
  what: string,
  agent: string,
  files: Readonly<Record<string, string>>,
  edit: Readonly<Record<string, string | null>>,
];

const MAIN = { version: '1.0.0', type: 'module', main: 'i.js' };

const FILES = {
  'package.json':
    '{ "name": "app", "type": "module", "imports": { "#app/*": "./*" }, "exports": { "./*": "./*" } }',
  'tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./*"] } } }',
  'linked/package.json':
    '{ "name": "linked", "version": "1.0.0", "type": "module", "exports": { ".": "./add.ts", "./*": "./*" } }',
  'linked/add.ts': "export const l = 'one';",
  'linked/read.ts':
    "import { readFileSync } from 'node:fs'; export const text = () => readFileSync(new URL('./text.md', import.meta.url), 'utf8');",
  'linked/text.md': 'one',
  ...Object.fromEntries(
    ['installed', 'patched'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, ...MAIN })],
      [`node_modules/${name}/i.js`, 'export const i = 1; export const loadFile = String;'],
    ]),
  ),
};

const VARIABLES = {
  MODEL: 'one',
  MODEL_SMALL: 'one',
  HOSTNAME: 'a',
  OPENAI_API_KEY: 'sk-abcdefghijklmnop1',
};

/** A project with one Vite server for all edits of a test file. */
export function makeEditLab() {
  const root = makeSharedFolder();
  const state = { plugin: 'one', folders: 0 };
  let vite: TestProject['vite'];
  beforeAll(async () => {
    write(root, FILES);
    symlinkSync('../linked', join(root, 'node_modules/linked'));
    vite = await startVite(root, () => state.plugin);
  });
  afterAll(() => vite.close());

  const take = async (agent: string, file: string, env: object, provide: object = {}) => {
    const line = /^command:(.*)$/s.exec(agent)?.[1];
    const evalFile = join(dirname(file), 'h.eval.ts');
    const isSuite = existsSync(evalFile);
    const { sources } = await findAgentSources(
      { vite, config: { env: {}, provide } },
      isSuite ? [evalFile] : [],
      line !== undefined ? { commands: [line] } : { modules: isSuite ? [] : [file] },
      { ...VARIABLES, ROOT: root, ...env },
    );
    const key = line === undefined ? file : agent;
    return (
      sources[`${evalFile}#h`] ?? sources[`${evalFile}#${key}`] ?? sources[key] ?? sources[evalFile]
    );
  };

  /** Whether an edit asks again, or is listed as not followed, with what is listed. */
  async function tryEdit([, agent, files, edit]: Edit): Promise<'asked' | 'listed' | 'cached'> {
    state.folders += 1;
    const folder = `c${state.folders}`;
    const own = agent.replaceAll('DIR', folder);
    const file = join(root, folder, 'agent.ts');
    write(root, { 'agent.ts': agent, ...files }, folder);
    const before = await take(own, file, {});
    const entries = Object.entries(edit);
    const isFile = ([name]: readonly [string, unknown]) => !/^[$%]|^plugin$/.test(name);
    write(root, Object.fromEntries(entries.filter(isFile)), folder);
    const named = (start: string) =>
      Object.fromEntries(
        entries.flatMap(([name, value]) => (name[0] === start ? [[name.slice(1), value]] : [])),
      );
    state.plugin = edit['plugin'] ?? state.plugin;
    // The next run has a new graph.
    vite.environments.ssr.moduleGraph.invalidateAll();
    const after = await take(own, file, named('$'), named('%'));
    if (before?.hash !== after?.hash) return 'asked';
    return after?.notFollowed.length === 0 ? 'cached' : 'listed';
  }

  return { tryEdit };
}

function write(root: string, files: Readonly<Record<string, string | null>>, folder = ''): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path);
    else if (text.startsWith('-> ')) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text.replaceAll('DIR', folder));
    if (text !== null) utimesSync(path, new Date(), new Date());
  }
}

function startVite(root: string, plugin: () => string): Promise<TestProject['vite']> {
  return createViteServer({
    configFile: false,
    logLevel: 'silent',
    root,
    resolve: { alias: { '@': root }, tsconfigPaths: true },
    server: { middlewareMode: true, ws: false, watch: null },
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'own',
        resolveId: (id) => (id === 'virtual' ? '\0virtual' : null),
        load: (id) => (id === '\0virtual' ? "export const v = 'PLUGIN';" : null),
        transform: (code) => code.replaceAll('PLUGIN', plugin()),
      },
    ],
  });
}
