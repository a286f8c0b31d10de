import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addEvals } from '../../src/cli/init.ts';
import { makeFolder } from '../make-folder.ts';
import { ROOT, runVitest, writeReports } from './run-vitest.ts';

/** What a test of the user's own sees: its setup file and pool, and nothing of `.env`. */
const OWN_TEST = `
import { isMainThread } from 'node:worker_threads';
import { word } from '@/word';
import { expect, test } from 'vitest';
test('runs as without viva', () => {
  expect([word, globalThis.setUp, isMainThread, process.env.ONLY_EVALS]).toEqual(['alias', 1, false, undefined]);
});
`;

/**
 * Evals see the alias, `define` and the plugin of the root, `.env`, the options of `viva()`, and no
 * setup file of other tests.
 */
const OWN_EVAL = `
import { isMainThread } from 'node:worker_threads';
import { word } from '@/word';
import plugged from 'virtual:plugged';
import { expect, inject, test } from 'vitest';
test('is an eval', { tags: ['level1'] }, () => {
  expect([word, plugged, globalThis.setUp, isMainThread]).toEqual(['alias', 'plugin', undefined, true]);
  expect([globalThis.given, process.env.GIVEN, inject('given')]).toEqual([1, 'env', 'globally']);
  expect([inject('viva').status, process.env.ONLY_EVALS, process.env.EVAL_DIR === '.']).toEqual(['ready', 'yes', false]);
  expect('FINAL ANSWER: 17').toMatchGaiaAnswer('17');
});
`;

/** The agent may cost money. */
const AGENT_EVAL = `
import { defineEval } from 'viva';
const data = [{ id: 'a', input: '1 + 1?', target: '2' }];
await defineEval('asked', { data, agent: () => '2' });
await defineEval('second', { data, agent: () => '2' });
`;

const EVAL_OPTIONS =
  "{ test: { setupFiles: ['./evals/setup.ts'], env: { GIVEN: 'env' }, globalSetup: ['./evals/global-setup.ts'] } }";

/** A whole configuration. */
const VIVA = "import { viva } from 'viva/vitest'; export default { plugins: [viva()] };";

/** Writes which projects a coverage of the user's own has seen. */
const COVERAGE = `
import { appendFileSync } from 'node:fs';
const say = (text) => appendFileSync('coverage.txt', text + ' ');
export default {
  startCoverage: () => {},
  takeCoverage: () => 'covered',
  stopCoverage: () => {},
  getProvider: () => ({
    name: 'custom',
    initialize(vitest) { this.options = vitest.config.coverage; },
    resolveOptions() { return this.options; },
    clean: () => say('cleaned'),
    onAfterSuiteRun: ({ projectName, coverage }) => coverage && say(projectName || 'root'),
    generateCoverage: () => ({}),
    reportCoverage: () => say('reported'),
  }),
};
`;

/** A repository with tests and a configuration of its own, which has `options` beside `plugins`. */
function makeRepository(options: string, viva: boolean): string {
  const plugin = `{
    name: 'plugged',
    resolveId: (id) => (id === 'virtual:plugged' ? id : null),
    load: (id) => (id === 'virtual:plugged' ? "export default 'plugin'" : null),
  }`;
  const folder = makeFolder({
    '.env': 'ONLY_EVALS=yes\nEVAL_DIR=.\n',
    'package.json': '{ "name": "own", "type": "module" }',
    'vitest.config.ts': `
      import { join } from 'node:path';
      import { viva } from 'viva/vitest';
      import { defineConfig } from 'vitest/config';
      export default defineConfig({
        plugins: [${plugin}, ${viva ? `[viva(${EVAL_OPTIONS})]` : 'null'}],
        resolve: { alias: { '@': join(import.meta.dirname, 'src') } },
        define: { WORD: '"alias"' },
        test: {
          setupFiles: ['setup.ts'],
          pool: 'threads',
          maxWorkers: 2,
          coverage: { enabled: true, provider: 'custom', customProviderModule: './coverage.ts' },
          ${options}
        },
      });`,
    'coverage.ts': COVERAGE,
    'setup.ts': 'globalThis.setUp = (globalThis.setUp ?? 0) + 1;',
    'src/word.ts': 'export const word = WORD;',
    'test/a.check.ts': OWN_TEST,
    'packages/b/b.check.ts': OWN_TEST,
    'evals/own/own.eval.ts': OWN_EVAL,
    'evals/setup.ts': 'globalThis.given = (globalThis.given ?? 0) + 1;',
    'evals/global-setup.ts': "export default ({ provide }) => provide('given', 'globally');",
    'evals/own/agent.eval.ts': AGENT_EVAL,
    'packages/c/package.json': '{ "type": "module" }',
    'packages/c/evals/c.eval.ts':
      "import { defineEval } from 'viva'; await defineEval('c', { data: [{ id: 'c', input: 'c', target: 'c' }], agent: () => 'c' });",
    'other/other.eval.ts':
      "import { defineEval } from 'viva'; await defineEval('other', { data: [] });",
  });
  linkPackages(folder);
  return folder;
}

/** Vitest is linked too: with another copy of it viva would not find the run that it is part of. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/viva'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
}

/** The tests that ran, in the order of their names. */
async function listTests(folder: string, args: readonly string[]) {
  const words = ['run', ...args, '--reporter=default', ...writeReports(folder, 'json')];
  const { code, output } = await runVitest(words, {}, { cwd: folder });
  const { testResults } = JSON.parse(readFileSync(join(folder, 'json'), 'utf8'));
  const tests = testResults.flatMap(
    (file: { name: string; assertionResults: { status: string }[] }) =>
      file.assertionResults.map(({ status }) => `${file.name.slice(folder.length + 1)} ${status}`),
  );
  const covered = join(folder, 'coverage.txt');
  const coverage = existsSync(covered) ? readFileSync(covered, 'utf8').trim() : 'none';
  return { code, output, coverage, tests: tests.toSorted() };
}

const INCLUDE = "include: ['**/*.check.ts']";
const PROJECTS = `projects: [
  { test: { name: 'a', include: ['test/*.check.ts'] } },
  { test: { name: 'b', include: ['packages/*/*.check.ts'] } },
]`;
const WORKSPACE = PROJECTS.replace('[', "['packages/c', ");
const EVAL = 'evals/own/own.eval.ts passed';
const ASKED = Array(2).fill('evals/own/agent.eval.ts passed');
const OWN = ['packages/b/b.check.ts passed', 'test/a.check.ts passed'];

test.each([
  ['one project', INCLUDE, ['evals'], [...ASKED, EVAL], 'none'],
  ['projects', PROJECTS, [], OWN, 'cleaned a b reported'],
  [
    'packages, of which one has evals',
    WORKSPACE,
    ['--project=evals', 'packages'],
    ['packages/c/evals/c.eval.ts passed'],
    'none',
  ],
])(
  'viva() in a repository with %s, whose tests and coverage are as without it',
  async (_, options, args, tests, coverage) => {
    const run = await listTests(makeRepository(options, true), args);
    expect(run.output).not.toMatch(/warn|Startup Error/i);
    expect(run).toMatchObject({ code: 0, tests });
    expect(run.coverage.replace('b a', 'a b')).toBe(coverage);
  },
);

test('an eval without viva() says what is missing, and other tests run', async () => {
  const options = "include: ['**/*.check.ts', 'other/*.eval.ts']";
  const run = await listTests(makeRepository(options, false), []);
  expect(run).toMatchObject({ code: 1, tests: OWN, coverage: 'cleaned root root root' });
  expect(run.output).toContain(
    'The viva plugin did not run for this file. Add viva() to "plugins" in the root Vitest configuration',
  );
});

test('a definition without await is said in the last line, an error of syntax has its place, and a run of evals writes no report of the tests', async () => {
  const broken =
    "import { defineEval } from 'viva';\ndefineEval('a', { data: [] });\nthrow new Error('own');";
  const files = "test: { reporters: ['default', 'junit'], outputFile: 'own.xml' }";
  const config = VIVA.replace('[viva()]', `[viva()], ${files}`);
  const folder = makeFolder({
    'evals/a.eval.ts': broken,
    'evals/b.eval.ts': "import { x } from '../x.mjs'; console.log(x);",
    'x.mjs': 'export const x = [1;',
    'own.test.ts': '',
    'vitest.config.mjs': config,
  });
  linkPackages(folder);
  const { code, output } = await runVitest(['run', 'evals'], {}, { cwd: folder });
  expect([code, existsSync(join(folder, 'own.xml'))]).toEqual([1, false]);
  expect(output).toMatch(
    /^ {2}exit 1: nothing was asked: .*evals\/a\.eval\.ts: own; .+defineEval is not awaited/m,
  );
  expect(output).toMatch(/^SyntaxError: Unexpected token ';' at x\.mjs:1:20\n ❯ x\.mjs:1:20$/m);
});

test('viva init writes an eval that runs and shows a table, in the root from another folder too, and whose score can be edited for nothing', async () => {
  const folder = makeFolder({ 'package.json': '{ "name": "fresh", "type": "commonjs" }' });
  linkPackages(folder);
  await addEvals(folder);
  const words = ['run', '--root=..', '--dir', join(folder, 'evals/capitals'), '--repeats=1'];
  const { code, output } = await runVitest(words, { EVAL_DIR: '' }, { cwd: join(folder, 'evals') });
  expect(existsSync(join(folder, '.evals/latest/samples.jsonl'))).toBe(true);
  expect(output).toMatch(/^ {2}all +5 +4 +80.0 %/m);
  expect(output).toContain('Evals ignore --repeats: EVAL_TRIALS=2 asks each question 2 times.');
  expect(output).not.toMatch(/^\(!\)|warn/im);
  expect(code).toBe(1);
  expect(output).toMatch(/\baustralia\b/);
  const file = join(folder, 'evals/capitals/capitals.eval.mts');
  writeFileSync(file, readFileSync(file, 'utf8').replace(' answer.', ' answer.trim().'));
  const again = await runVitest(
    ['run', 'evals'],
    { EVAL_DIR: '', EVAL_CACHE: 'only' },
    { cwd: folder },
  );
  expect(again.output).toMatch(/capitals: 5 questions, 5 cached .+, nothing to ask/);
  const list = await runVitest(['list', 'evals'], {}, { cwd: folder });
  expect(list.output).toContain('evals/capitals/capitals.eval.mts > capitals > all > australia\n');
});
