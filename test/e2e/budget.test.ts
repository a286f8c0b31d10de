import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readStopped, runVitest } from './run-vitest.ts';

const AGENT = `import { appendFileSync } from 'node:fs';
export default {
  priced: true,
  answer: async () => {
    appendFileSync(new URL('calls', import.meta.url), '.');
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { output: 'FINAL ANSWER: 17', costUsd: 0.1 };
  },
};`;

test('two suites share the budget to the cent and say so once', async () => {
  const folder = makeFolder({ 'agent.mjs': AGENT, calls: '' });
  const agent = { EVAL_AGENT: `module:${join(folder, 'agent.mjs')}`, EVAL_CONCURRENCY: '4' };
  const run = await runVitest(['run', 'evals'], { ...agent, EVAL_MAX_COST: '1' });
  expect([run.code, readFileSync(join(folder, 'calls'), 'utf8').length]).toEqual([1, 10]);
  expect(run.report.match(/STOPPED: .*/g)).toHaveLength(1);
  readStopped(join(run.dir, 'latest'));
  expect(run.report).toMatch(/exit 1: 68 of \d+ results .+ \(budget 68\)/);
});
