import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { watchVitest } from '../e2e/watch-vitest.ts';
import { type Installed, type Manager, runLines, type Versions, writeFiles } from './install.ts';

// What viva does on each Vitest and Node that it supports.

type Row = Versions & { readonly manager: Manager };

/** The newest of each major, with the clone's Node and with the newest. They alone check types. */
export const NEWEST = [
  { manager: 'npm', vitest: '5', others: '@anthropic-ai/sdk @cortex-js/compute-engine' },
  { manager: 'pnpm', vitest: '4', node: 'latest' },
] as const satisfies Row[];

/** The lowest, which alone watches, and runs in shards as docs/ci.md does on the newest. */
export const LOWEST = {
  manager: 'pnpm',
  vitest: '4.1.0',
  node: '22.12.0',
  others: 'mammoth',
} as const;

/** The lowest of the newest major. */
const NEXT = { manager: 'pnpm', vitest: '5.0.0', node: '22.12.0' } as const;

export const ROWS: readonly Row[] = [...NEWEST, LOWEST, NEXT];

/** Too old for viva. */
export const REFUSED = { manager: 'pnpm', vitest: '3.2.4' } as const;

export const MATCHERS = `import { expect, test } from 'vitest';
test('matchers', () => {
  expect('It is clear. FINAL ANSWER: 17').toMatchGaiaAnswer('17');
  expect('The answer is A and D.').toMatchMcqAnswer('A,D', { choices: { A: 'red', B: 'green', D: 'blue' } });
  expect(() => expect('FINAL ANSWER: 18').toMatchGaiaAnswer('17')).toThrow('official');
});
`;

/** A plugin of the user may have a name like Vitest's own, and options for tests. */
const CONFIG = `import { viva } from 'viva/vitest';
import { defineConfig } from 'vitest/config';
const mine = {
  name: 'vitest:mine',
  resolveId: (id) => (id === 'mine' ? '\\0mine' : null),
  load: (id) => (id === '\\0mine' ? 'export const seven = 7' : null),
  config: () => ({ test: { environment: './own-environment.js', globals: true, setupFiles: ['./own-setup.js'] } }),
};
export default defineConfig({ plugins: [mine, viva()], test: { setupFiles: ['viva/setup'], testTimeout: 60_000 } });
`;

const ENVIRONMENT = `const setup = (global) => {
  global.ofTests = 1;
  return { teardown() {} };
};
export default { name: 'own', transformMode: 'ssr', viteEnvironment: 'ssr', setup };
`;

/** Throws if it sees an option of tests. */
const OWN = `import { isMainThread } from 'node:worker_threads';
import { seven } from 'mine';
import { defineEval } from 'viva';
if (!isMainThread || 'ofTests' in globalThis || 'test' in globalThis) throw new Error('options of tests');
const data = ['0', '1', '2', '3', '4', '5'].map((target) => ({ id: 'q' + target, input: 'Which digit?', target }));
const score = async ({ answer, target, sample, expect }) => {
  expect(sample.id).toMatchSnapshot();
  await expect(Promise.resolve(seven)).resolves.toBe(7);
  expect.soft(answer).not.toBe(target);
};
await defineEval('own', { data, agent: () => '3', score });
`;

const OWN_TEST = `import { seven } from 'mine';
${MATCHERS.replace('=> {', '$&\n  expect([seven, ofTests, afterAll]).toEqual([7, 2, expect.any(Function)]);')}`;

const FILES = {
  'vitest.config.js': CONFIG,
  'own-environment.js': ENVIRONMENT,
  'own-setup.js': 'globalThis.ofTests += 1;',
  'a.test.ts': MATCHERS,
  'b.test.js': OWN_TEST,
  'evals/gaia.eval.ts': "import 'viva/gaia';",
  'evals/mcq.eval.js': "import 'viva/mcq';",
  'evals/own.eval.js': OWN,
};

/** In a project, without what npx costs. */
export const PROGRAMS = 'PATH=../node_modules/.bin:$PATH';

const SHARD = (index: number) => `vitest run evals --shard=${index}/2 || true`;

/** The newest Node wants a library of the system that not every machine has. */
export function needNode({ skip }: Pick<TestContext, 'skip'>, { modules }: Installed): void {
  const { status } = spawnSync(join(modules, '.bin/node'), ['--version']);
  skip(status === 127, 'libatomic, which the newest Node needs');
}

/** Those for reporters count, and those that are for tests do not. */
const FLAGS =
  '--reporter=default --reporter=json --outputFile.json=evals.json --pool=threads --isolate --testTimeout=1 --retry=1';

/** Tests with plugins and matchers, the suites of viva and one of the project's own. */
export async function expectWholeRun(installed: Installed, row: Row): Promise<void> {
  const { node } = row;
  const sharded = row === LOWEST;
  const runs = sharded
    ? ['vitest run .test.', SHARD(1), SHARD(2), 'viva merge .evals/runs/*']
    : ['vitest run .test.', `vitest run evals ${FLAGS}`];
  const lines = [PROGRAMS, 'node -v', ...runs];
  const project = installed.makeProject(FILES);
  const printed = await runLines(lines.join('\n'), project, { fails: true });
  if (node !== 'latest') expect(printed).toContain(`v${node ?? process.versions.node}\n`);
  for (const file of ['a.test.ts', 'b.test.js']) expect(printed).toContain(`✓ ${file}`);
  const merge = printed.slice(printed.lastIndexOf(sharded ? 'Overview' : ' RUN '));
  expect(merge).toMatch(
    /^gaia · sample.+ all +30 +20 .+^mcq · sample.+ all +48 +34 .+^own · own.+ all +6 +5 /ms,
  );
  expect(merge).toContain('exit 1: gaia (sample): 10 failed cases');
  const snapshots = readFileSync(join(project, 'evals/__snapshots__/own.eval.js.snap'), 'utf8');
  expect(snapshots).toContain('exports[`own > q5 1`] = `"q5"`;');
  if (sharded) return;
  expect(merge).toMatch(/Tests +25 failed \| 59 passed/);
  const { numTotalTests } = JSON.parse(readFileSync(join(project, 'evals.json'), 'utf8'));
  expect(numTotalTests).toBe(84);
}

/** Asks one question at a time; the second answer is wrong, and the third never comes. */
const STUCK = `import { once } from 'node:events';
import { defineEval } from 'viva';
const data = ['0', '1', '2', '3'].map((target) => ({ id: 'q' + target, input: 'Which digit?', target }));
const agent = ({ id }, { signal }) => (id === 'q1' ? 'wrong' : id === 'q2' ? once(signal, 'abort') : id.slice(1));
await defineEval('stuck', { data, agent, score: ({ answer, target }) => answer === target });
`;

/** A failure ends a watch run with `--bail`, calls under way too; an edit starts the next. */
export async function expectWatch(installed: Installed): Promise<void> {
  const file = 'evals/stuck.eval.js';
  const project = installed.makeProject({ ...FILES, [file]: STUCK });
  const vitest = [join(installed.modules, '.bin/vitest')];
  const settings = { EVAL_CONCURRENCY: '1', EVAL_TIMEOUT: '50', EVAL_LIMIT: '4' };
  const watch = watchVitest([file, '--bail=1'], settings, project, vitest);
  expect(await watch.nextReport()).toContain('2 of 4 tests were not run (bail 2)');
  const mended = STUCK.replace(/const agent = .*/, 'const agent = ({ id }) => id.slice(1);');
  writeFiles(project, { [file]: mended });
  expect(await watch.nextReport()).toMatch(/ all +4 +4 /);
}

/** On another version the user's own tests run. `viva init`, `viva doctor` and a run of evals say what to do. */
export async function expectRefused(installed: Installed): Promise<void> {
  const lines = `${PROGRAMS}\nvitest run .test.\nviva init\nviva doctor || true\nvitest run evals`;
  const printed = await runLines(lines, installed.makeProject(FILES), { fails: true });
  expect(printed).toMatch(/Tests +2 passed \(2\)/);
  const why = `viva needs Vitest 4.1 to 5, but this is Vitest ${REFUSED.vitest}. Install Vitest 4.1 or later, and your packages @vitest/... in the same version: pnpm add -D vitest@^4.1\n`;
  expect(printed.split(why)).toHaveLength(4);
  expect(printed).toContain(`MISS  versions: ${why}`);
}

/** Where Node itself loads an agent, it may not know TypeScript. */
export async function expectNoTypeScript(installed: Installed): Promise<void> {
  const project = installed.makeProject({ 'agent.ts': 'export default (): string => "17";' });
  const lines = `${PROGRAMS}\nEVAL_AGENT=module:./agent.ts viva doctor --yes`;
  expect(await runLines(lines, project, { fails: true })).toContain(
    '(Error: Node 22.12.0 does not load TypeScript: use Node 22.18 or later, or JavaScript)',
  );
}
