import { spawnSync } from 'node:child_process';
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

export const ROWS: readonly Row[] = [...NEWEST, LOWEST];

/** Too old for viva. */
export const REFUSED = { manager: 'pnpm', vitest: '3.2.4' } as const;

export const MATCHERS = `import { expect, test } from 'vitest';
test('matchers', () => {
  expect('It is clear. FINAL ANSWER: 17').toMatchGaiaAnswer('17');
  expect('The answer is A and D.').toMatchMcqAnswer('A,D', { choices: { A: 'red', B: 'green', D: 'blue' } });
  expect(() => expect('FINAL ANSWER: 18').toMatchGaiaAnswer('17')).toThrow('official');
});
`;

/** A plugin of the user may have a name like Vitest's own. */
const CONFIG = `import { viva } from 'viva/vitest';
import { defineConfig } from 'vitest/config';
const mine = { name: 'vitest:mine', resolveId: (id) => (id === 'mine' ? '\\0mine' : null), load: (id) => (id === '\\0mine' ? 'export const seven = 7' : null) };
export default defineConfig({ plugins: [mine, viva()], test: { setupFiles: ['viva/setup'], testTimeout: 60_000 } });
`;

const OWN = `import { seven } from 'mine';
import { defineEval } from 'viva';
const data = ['0', '1', '2', '3', '4', '5'].map((target) => ({ id: 'q' + target, input: 'Which digit?', target }));
await defineEval('own', { data, agent: () => '3', score: ({ answer, target }) => seven === 7 && answer !== target });
`;

const FILES = {
  'vitest.config.js': CONFIG,
  'a.test.ts': MATCHERS,
  'b.test.js': `import { seven } from 'mine';\n${MATCHERS.replace('=> {', '$&\n  expect(seven).toBe(7);')}`,
  'evals/gaia.eval.ts': "import 'viva/gaia';",
  'evals/mcq.eval.js': "import 'viva/mcq';",
  'evals/own.eval.js': OWN,
};

/** In a project, without what npx costs. */
export const PROGRAMS = 'PATH=../node_modules/.bin:$PATH';

const SHARD = (index: number) =>
  `vitest run .test. evals --shard=${index}/2 --reporter=default --reporter=blob --outputFile.blob=blobs/${index}.json || true`;

/** The newest Node wants a library of the system that not every machine has. */
export function needNode({ skip }: Pick<TestContext, 'skip'>, { modules }: Installed): void {
  const { status } = spawnSync(join(modules, '.bin/node'), ['--version']);
  skip(status === 127, 'libatomic, which the newest Node needs');
}

/** Tests with plugins and matchers, the suites of viva and one of the project's own. */
export async function expectWholeRun(installed: Installed, row: Row): Promise<void> {
  const { node } = row;
  const sharded = row === LOWEST;
  const runs = sharded
    ? [SHARD(1), SHARD(2), 'vitest run --merge-reports=blobs']
    : ['vitest run .test. evals'];
  const lines = [PROGRAMS, 'node -v', ...runs];
  const printed = await runLines(lines.join('\n'), installed.makeProject(FILES), { fails: true });
  if (node !== 'latest') expect(printed).toContain(`v${node ?? process.versions.node}\n`);
  for (const file of ['a.test.ts', 'b.test.js']) expect(printed).toContain(`✓ ${file}`);
  const merge = printed.slice(printed.lastIndexOf(' RUN '));
  expect(merge).toMatch(
    /^gaia · sample.+ all +30 +20 .+^mcq · sample.+ all +48 +34 .+^own · own.+ all +6 +5 /ms,
  );
  expect(merge).toContain('exit 1: gaia (sample) by replay: 10 failed cases');
  if (sharded) expect(merge).toContain('Vitest 4 counts the results of one shard');
  else expect(merge).toMatch(/Tests +25 failed \| 61 passed/);
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

/** On another version the user's own tests run, and a sentence refuses the evals. */
export async function expectRefused(installed: Installed): Promise<void> {
  const lines = `${PROGRAMS}\nvitest run .test. evals`;
  const printed = await runLines(lines, installed.makeProject(FILES), { fails: true });
  expect(printed).toMatch(/Tests +2 passed \(2\)/);
  const why = `viva needs Vitest 4.1 to 5, but this is Vitest ${REFUSED.vitest}.`;
  expect(printed).toContain(`The evals do not run: ${why}`);
}

/** Where Node itself loads an agent, it may not know TypeScript. */
export async function expectNoTypeScript(installed: Installed): Promise<void> {
  const project = installed.makeProject({ 'agent.ts': 'export default (): string => "17";' });
  const lines = `${PROGRAMS}\nEVAL_AGENT=module:./agent.ts viva doctor --yes`;
  expect(await runLines(lines, project, { fails: true })).toContain(
    '(Error: Node 22.12.0 does not load TypeScript: use Node 22.18 or later, or JavaScript)',
  );
}
