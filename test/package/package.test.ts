import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { followPage } from '../docs/follow-page.ts';
import { findBlocks, findLinks } from '../docs/markdown.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeSharedFolder } from '../make-folder.ts';
import { needPython } from '../python.ts';
import { expectMistakes, PROGRAM as MISTAKES } from '../types/mistakes.ts';
import { EVALS, expectEvals } from './evals-of-a-product.ts';
import { type Installed, installViva, packViva, runLines, writeFiles } from './install.ts';
import { expectMatrix } from './matrix.ts';
import {
  expectNoTypeScript,
  expectRefused,
  expectWatch,
  expectWholeRun,
  LOWEST,
  MATCHERS,
  NEWEST,
  needNode,
  PROGRAMS,
  REFUSED,
  ROWS,
} from './versions.ts';

const CONFIG = `import { viva } from 'viva/vitest';
import { defineConfig } from 'vitest/config';
export default defineConfig({ plugins: [viva()], test: { setupFiles: ['viva/setup'] } });
`;

/** Everything that a consumer can import, as tsc sees it. */
const CONSUMER = `import 'viva/setup';
import 'viva/gaia';
import 'viva/mcq';
import { expect } from 'vitest';
import { type AgentContext, type AgentResult, defineEval, gradeGaia, gradeMcq, loadGaia, loadMcq, loadRecords, type Sample, type ScoreResult, type SuiteAgent, summarize } from 'viva';
import { aiSdk } from 'viva/ai-sdk';
import { fromOtlp, fromSpans, type OtlpRecord } from 'viva/otel';
import { viva } from 'viva/vitest';
export const correct: boolean = gradeGaia('17', '17').correct && gradeMcq('A', 'A', {}).correct;
export const all = [defineEval, loadGaia, loadMcq, loadRecords, summarize, viva()];
export type All = SuiteAgent | Sample;
export const agent = ({ prompt }: { readonly prompt: string }, { onProgress }: AgentContext): AgentResult => {
  onProgress({ usage: { input_tokens: 1, output_tokens: 1 }, trace: [{ text: 'x' }] });
  return prompt;
};
export const suite = () => defineEval('a', { data: [], agent, score: (): ScoreResult => true });
export const ofSdk = () => defineEval('b', { data: [], agent: aiSdk(async ({ prompt, messages }, { abortSignal }) => [prompt, messages, abortSignal]) });
export const asked = () => defineEval('c', { data: fromOtlp('a.jsonl'), map: (record: OtlpRecord) => record, agent: async () => fromSpans([]), score: () => true });
expect('A').toMatchMcqAnswer('A', { choices: { A: 'red' } });
expect('17 km').toMatchNumber('17', { unit: 'km', relative: 0.01 });
export const equal: Promise<void> = expect('17').toMatchMath('17');
// @ts-expect-error The target is a string, a number, or a list of them.
expect('17').toMatchGaiaAnswer({ answer: '17' });
`;

/** Several threads would do some of the work twice. */
const TSC = `node ${join(ROOT, 'node_modules/typescript/bin/tsc')} --singleThreaded`;

/** The oldest TypeScript that the declarations are for. */
const OLD_TSC = `node ${join(ROOT, 'node_modules/typescript-5.6/bin/tsc')}`;

/** Uses programs and threads that viva starts from files of its own. */
const TOOLS = `import { readFileSync } from 'node:fs';
const [dist, files] = process.argv.slice(2);
const { readDocument } = await import(dist + '/tools/readers/index.js');
const { calculate } = await import(dist + '/tools/calculate.js');
const { createAgents } = await import(dist + '/agents/kinds.js');
const { gradeMath } = await import('viva');
const context = { signal: new AbortController().signal, attachments: [] };
console.log(await calculate.run(new Map([['code', '6 * 7']]), context));
console.log((await readDocument(readFileSync(files + '/walks.pptx'), 'a.pptx')).text);
const tell = ({ message }) => console.log(message);
console.log((await readDocument(readFileSync(files + '/minutes.docx'), 'a.docx')).text);
await readDocument(readFileSync(files + '/tides.pdf'), 'a.pdf').catch(tell);
await createAgents({ kind: 'openai', target: 'gpt-5', text: 'openai:gpt-5' }, {}).catch(tell);
await gradeMath('1', '1').catch(tell);
`;

/** The other pages whose blocks are run. */
const PAGES = globSync('docs/*.md', { cwd: ROOT })
  .map((path) => [basename(path), readFileSync(join(ROOT, path), 'utf8')] as const)
  .filter(([, page]) => /^ *```sh run/m.test(page) && !page.includes('```sh install'));

/** What the package holds beside `dist`. */
const PACKED_TOPS =
  'docs examples bench package.json README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md SKILL.md'.split(
    ' ',
  );

const shared = makeSharedFolder();
let tarball = '';
const installations = new Map<string, Installed>();
beforeAll(async () => {
  tarball = await packViva(shared);
  const installing = [...ROWS, REFUSED].map(async (row) => {
    installations.set(row.vitest, await installViva(tarball, row.manager, row));
  });
  await Promise.all(installing);
});

function findInstalled(vitest: string): Installed {
  const installed = installations.get(vitest);
  if (installed === undefined) throw new Error(`Vitest ${vitest} was not installed`);
  return installed;
}

const [{ vitest: NPM }] = NEWEST;

const MODULES = { npm: '"nodenext"', pnpm: '"esnext", "moduleResolution": "bundler"' };
const TYPES = { npm: 'commonjs', pnpm: 'module' };

test('viva is imported by plain Node and adds at most 45 MB beside Vitest', async () => {
  const script = `node -e "Promise.all([import('viva'), import('viva/otel')]).then(([{ scoreGaia }, { fromOtlp }]) => console.log(scoreGaia('1,000', '1000').correct, typeof fromOtlp))"`;
  expect(await runLines(script, findInstalled(NPM).makeProject())).toBe('true function\n');
  expect(findInstalled(NPM).addedMb).toBeLessThan(45);
});

describe.each(NEWEST)('installed with $manager beside Vitest $vitest', ({ manager, vitest }) => {
  test(`types compile for module ${MODULES[manager]}, also those of what viva init writes, and with TypeScript 5.6`, async (context) => {
    needNode(context, findInstalled(vitest));
    const options = `"noEmit": true, "strict": true, "skipLibCheck": false, "target": "es2022", "module": ${MODULES[manager]}`;
    const config = (types: string, include: string) =>
      `{ "compilerOptions": { ${options}, "types": ["node"${types}] }, "include": ["${include}"] }`;
    const project = findInstalled(vitest).makeProject({
      'package.json': `{ "type": "${TYPES[manager]}" }`,
      'tsconfig.json': config('', '**/*').replace('"include"', '"exclude": ["old"], $&'),
      'all.mts': CONSUMER,
      'plain/plain.mts': "export { defineEval } from 'viva';",
      'old/mistakes.mts': MISTAKES,
      'old/inference.mts': readFileSync(join(ROOT, 'test/types/inference.ts'), 'utf8'),
      'old/all.mts': CONSUMER,
      'old/tsconfig.json': config('', '.'),
      'plain/tsconfig.json': config('', '.').replace('"types": ["node"]', '"types": []'),
      'src/tsconfig.json': config(', "viva/setup"', '.'),
      'src/a.test.mts': MATCHERS,
    });
    const parts = manager === 'npm' ? `\n${TSC} -p src\n${TSC} -p plain` : '';
    const printed = await runLines(`${PROGRAMS}\nviva init\n${TSC}${parts}`, project);
    const old = await runLines(`${OLD_TSC} -p old`, project, { fails: true });
    expectMistakes(old.split(/^(?=\S)/m));
    expect(printed.trim().split('\n').at(-1)).toBe(
      `Run it: ${manager === 'npm' ? 'npx' : 'pnpm'} vitest run evals`,
    );
  });
});

describe('on each supported Vitest and Node', () => {
  test.for(ROWS)(
    'own tests, matchers and suites, on the lowest in shards: Vitest $vitest, Node $node',
    (row, context) => {
      needNode(context, findInstalled(row.vitest));
      return expectWholeRun(findInstalled(row.vitest), row);
    },
  );

  test.each(ROWS)(
    'each command runs evals or tests in each form of repository: Vitest $vitest',
    // The newest of each major run with the clone's Node.
    (row) => expectMatrix(findInstalled(row.vitest), row.node === '22.12.0' ? PROGRAMS : 'true'),
  );

  test(`Vitest ${REFUSED.vitest} runs the project's own tests, and refuses the evals`, () =>
    expectRefused(findInstalled(REFUSED.vitest)));
});

describe('on the lowest Vitest and Node', () => {
  test('a failure with --bail ends a watch run, and an edit starts the next', () =>
    expectWatch(findInstalled(LOWEST.vitest)));

  test('an agent in TypeScript says that Node outside Vitest does not load it', () =>
    expectNoTypeScript(findInstalled(LOWEST.vitest)));
});

test('viva is a command', async () => {
  const columnData = [
    { name: 'Question', data: ['Which letter comes first?', 'Which comes last?'] },
    { name: 'A', data: ['Alpha', 'Alpha'] },
    { name: 'B', data: ['Omega', 'Omega'] },
    { name: 'Answer', data: ['A', 'B'] },
  ];
  const parquet = new Uint8Array(parquetWriteBuffer({ columnData }));
  const project = findInstalled(NPM).makeProject({ 'a.parquet': parquet });
  const lines =
    'npx viva --help\nPATH=../node_modules/.bin:$PATH\nviva --version\nviva check a.parquet';
  expect(await runLines(lines, project)).toMatch(
    /Usage: npx viva <command>[\s\S]*^\d+\.\d+\.\d+\n[\s\S]*questions +2\n/m,
  );
});

test('calculations and documents run in programs of their own, and what needs a package names it or its version', async () => {
  const { modules } = findInstalled(LOWEST.vitest);
  writeFiles(modules, { 'unpdf/package.json': '{ "version": "0.10.1" }' });
  const words = [join(modules, 'viva/dist/src'), join(ROOT, 'test/fixtures/attachments')];
  const printed = await runLines(
    `${PROGRAMS}\nnode a.js ${words.join(' ')}`,
    findInstalled(LOWEST.vitest).makeProject({ 'a.js': TOOLS }),
  );
  expect(printed).toMatch(/^= 42\n--- slide 1 of \d+ ---\n/);
  expect(printed).toContain("OpenAI's API needs the package openai: pnpm add -D openai\n");
  expect(printed).toContain(
    'mathematics needs the package @cortex-js/compute-engine: pnpm add -D @cortex-js',
  );
  expect(printed).toMatch(
    /Reading "a\.pdf" needs unpdf [\d.]+ or later, but 0\.10\.1 is installed: pnpm add -D unpdf@latest\n/,
  );
});

describe('a repository of its own', () => {
  test('has what docs/package.md says', async () => {
    const page = readFileSync(join(ROOT, 'docs/package.md'), 'utf8');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const install = findBlocks(page).find(({ marks }) => marks.has('install'));
    const places = [`../viva/viva-${version}.tgz`, 'viva@npm:@SCOPE/viva'];
    const lines = places.map((place) => `npm install -D vitest ${place}\n`);
    expect(lines).toContain(install?.text.replace(/@npm:@[\w-]+/, '@npm:@SCOPE'));
    const { runs, untrue } = await followPage(page, findInstalled(NPM).makeProject());
    expect(untrue).toEqual([]);
    expect(runs).toBe(5);
  });

  test.for(PAGES)('has what docs/%s says', async ([, page], context) => {
    if (page.includes('```python file=')) needPython(context);
    const project = findInstalled(NPM).makeProject({ 'vitest.config.ts': CONFIG });
    const { runs, untrue } = await followPage(page, project);
    expect(untrue).toEqual([]);
    expect(runs).toBeGreaterThan(0);
  });

  test('runs and compiles what SKILL.md shows, which is short', async () => {
    const skill = readFileSync(join(ROOT, 'SKILL.md'), 'utf8');
    expect(skill.length).toBeLessThan(7_000);
    const options = `"noEmit": true, "strict": true, "target": "es2024", "module": "nodenext", "allowImportingTsExtensions": true`;
    const project = findInstalled(NPM).makeProject({
      'vitest.config.ts': CONFIG,
      'tsconfig.json': `{ "compilerOptions": { ${options}, "types": ["node", "viva/setup"] } }`,
    });
    expect(await followPage(skill, project)).toEqual({ runs: 1, untrue: [] });
    await runLines(TSC, project);
    const printed = await runLines(`${PROGRAMS}\nviva init --skill`, project);
    expect(printed).toBe(
      'wrote .claude/skills/viva/SKILL.md\nwrote .agents/skills/viva/SKILL.md\n',
    );
  });
});

test.each(EVALS)(
  'the evals of a product compile, and are what their page says: $manager, Vitest $vitest, AI SDK $sdk',
  (row) => expectEvals(tarball, row, TSC),
);

test('the tarball holds the pages with all that they link to, and no tests, fixtures or benches', async () => {
  await runLines(`tar xzf ${tarball}`, shared);
  const root = join(shared, 'package');
  const names = globSync('**', { cwd: root, exclude: ['dist'] }).filter((name) => extname(name));
  expect(existsSync(join(root, 'dist/evals/gaia/prompt.md'))).toBe(true);
  expect(
    globSync('**/{*.test.*,*fixture*,*.cases.*,node_modules,test,bench}', {
      cwd: join(root, 'dist'),
    }),
  ).toEqual([]);
  const tops = new Set(names.map((name) => name.split('/')[0]));
  expect([...tops].filter((name) => !PACKED_TOPS.includes(name ?? ''))).toEqual([]);
  const pages = names.filter((name) => name.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'SKILL.md', 'docs/judging.md']));
  const broken = pages.flatMap((page) =>
    findLinks(readFileSync(join(root, page), 'utf8'))
      .filter((link) => !link.includes('://') && !link.startsWith('#'))
      .map((link) => join(dirname(page), link.split('#')[0] ?? ''))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(broken).toEqual([]);
});

test('what messages and the skill call docs is in the package', () => {
  const root = join(shared, 'package');
  const files = globSync(['dist/**/*.js', 'SKILL.md'], { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const named = texts.flatMap((text) => [
    ...[...text.matchAll(/\$\{DOCS\}\/([\w-]+\.md)/g)].map(([, page]) => `docs/${page}`),
    ...[...text.matchAll(/node_modules\/viva\/([\w/-]+\.md)/g)].map(([, path]) => path),
  ]);
  expect(named).toEqual(expect.arrayContaining(['docs/settings.md', 'docs/judging.md']));
  expect(named.filter((path) => !existsSync(join(root, path ?? '')))).toEqual([]);
  // A message that names a page in another way names a path that users do not have.
  const code = globSync('dist/**/*.js', { cwd: root }).filter((file) =>
    /^(?!\s*(\/\/|\/?\*)).*(?<!node_modules\/viva\/)\bdocs\/[\w-]+\.md/m.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(code).toEqual([]);
});
