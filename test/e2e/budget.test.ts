import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runScript } from './run-script.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

test('a budget that is used up is named last, and what is new stands apart from what was kept', async () => {
  const EVAL_DIR = makeFolder();
  const env = { EVAL_DIR, FIXTURE_FINGERPRINT: 'v1', EVAL_CONCURRENCY: '1' };
  const script = ['a', 'b', 'c', 'd'].map((id) => ({ id, say: 'FINAL ANSWER: 17', cost: 0.5 }));
  await runScript(script.slice(0, 2), { env });
  const run = await runScript(script, { env: { ...env, EVAL_MAX_COST: '0.5' } });
  expect(run.code).toBe(1);
  const why = 'EVAL_MAX_COST=0.5 leaves no room for another call: $0.50 were spent';
  expect(run.output).toContain(`exit 1: missing result (budget 1: ${why}): `);
  expect(run.output).toContain(`STOPPED: ${why}`);
  expect(run.report).toMatch(/cost {2}of it new\n/);
  expect(run.report).toMatch(/ all .* 2\s+\$1\.50\s+\$0\.50\n/);
  const [suite] = readSummary(join(EVAL_DIR, 'latest')).suites;
  expect(suite?.groups.at(-1)).toMatchObject({ cost_usd: 1.5, new_cost_usd: 0.5, cached: 2 });
});

/** An agent's file that counts its calls; gives the setting that names it and the number of calls so far. */
function writeAgent(exported: string) {
  const folder = makeFolder({ calls: '' });
  const calls = join(folder, 'calls');
  const file = join(makeFolder({ 'agent.ts': toSource(exported, calls) }), 'agent.ts');
  return { EVAL_AGENT: `module:${file}`, countCalls: () => readFileSync(calls, 'utf8').length };
}

function toSource(exported: string, calls: string): string {
  const answer = `import { appendFileSync } from 'node:fs';
    let count = 0;
    const answer = async (cost?: number, usage?: object) => {
      appendFileSync(${JSON.stringify(calls)}, '.');
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { text: 'FINAL ANSWER: 17', cost, usage };
    };`;
  return `${answer}\nexport default ${exported};\n`;
}

test('two suites share the budget to the cent, and say so in one figure', async () => {
  const { countCalls, ...env } = writeAgent('{ priced: true, answer: () => answer(0.1) }');
  const run = await runVitest(['run', 'evals'], { ...env, EVAL_MAX_COST: '1', EVAL_CONCURRENCY: '4' });
  expect([run.code, countCalls()]).toEqual([1, 10]);
  expect(run.report.match(/STOPPED: .*/g)).toHaveLength(1);
  expect(run.report).toContain('EVAL_MAX_COST=1: $1.00 were spent by 10 calls');
});

test('calls that fail leave the spend known as far as it is', async () => {
  const { countCalls, ...env } = writeAgent(`{
    priced: true,
    answer: async () => {
      const said = await answer(0.25);
      if (++count % 2 === 0) throw new Error('broken');
      return said;
    },
  }`);
  const settings = { ...env, EVAL_MAX_COST: '1', EVAL_CONCURRENCY: '1' };
  const run = await runVitest(['run', 'evals/gaia'], settings);
  expect([run.code, countCalls()]).toEqual([1, 4]);
  expect(run.report).toMatch(/STOPPED: EVAL_MAX_COST=1 leaves .* \$1\.00 were spent \(2 failed calls by estimate\)/);
  expect(run.report).toContain('EVAL_MAX_COST=1: at least $0.50 were spent by 4 calls, 2 answers without a cost');
});

test.each([
  ['gives none', 'answer()'],
  ['gives 0 for a text of which no token was counted', 'answer(0, { input_tokens: 0, output_tokens: 0 })'],
])('an agent that promises costs and %s is stopped after its first answer', async (_, call) => {
  const { countCalls, ...env } = writeAgent(`{ priced: true, answer: () => ${call} }`);
  const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MAX_COST: '1' });
  expect([run.code, countCalls(), readRows(runFolderOf(run.dir)).length]).toEqual([1, 1, 30]);
  expect(run.report).toMatch(/STOPPED: EVAL_MAX_COST=1 cannot hold: an answer of module:\S+ came without a cost/);
});

test('an agent that promises no costs is told how to, before any call', async () => {
  const { countCalls, ...env } = writeAgent('() => answer(0.1)');
  const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MAX_COST: '1' });
  expect([run.code, countCalls()]).toEqual([1, 0]);
  expect(run.output).toContain('Export {answer, priced: true} and return "cost" in US dollars with each answer');
});
