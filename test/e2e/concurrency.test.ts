import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, runFolderOf, runVitest } from './run-vitest.ts';

/** More than vitest.config.ts admits by itself. */
const AT_ONCE = 210;

test('as many calls run at once as EVAL_CONCURRENCY says, whatever limit Vitest was given', async () => {
  const { env } = writeGaiaFixture(Array.from({ length: AT_ONCE }, (_, i) => ({ id: `q${i}`, truth: '17' })));
  // No call ends before all have begun.
  const source = `let begun = 0;
    const { promise, resolve } = Promise.withResolvers();
    export default async () => {
      if (++begun === ${AT_ONCE}) resolve('17');
      return promise;
    };`;
  const agent = join(makeFolder({ 'agent.mjs': source }), 'agent.mjs');
  const settings = { EVAL_AGENT: `module:${agent}`, EVAL_CONCURRENCY: String(AT_ONCE), EVAL_TIMEOUT: '20' };
  const run = await runVitest(['run', 'evals/gaia'], { ...env, ...settings });
  const states = readRows(runFolderOf(run.dir)).map(({ state }) => state);
  expect([states.length, new Set(states)]).toEqual([AT_ONCE, new Set(['correct'])]);
});
