import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runScript } from './run-script.ts';
import { readSummary } from './run-vitest.ts';

test('a budget that is used up is named last, and what is new stands apart from what was kept', async () => {
  const EVAL_DIR = makeFolder();
  const env = { EVAL_DIR, FIXTURE_FINGERPRINT: 'v1', EVAL_CONCURRENCY: '1' };
  const script = ['a', 'b', 'c', 'd'].map((id) => ({ id, say: 'FINAL ANSWER: 17', cost: 0.5 }));
  await runScript(script.slice(0, 2), { env });
  const run = await runScript(script, { env: { ...env, EVAL_MAX_COST: '0.5' } });
  expect(run.code).toBe(1);
  const why = 'EVAL_MAX_COST=0.5 leaves no room for another call: $0.50 are spent (estimated)';
  expect(run.output).toContain(`exit 1: missing result (budget 1: ${why}): `);
  expect(run.output).toContain(`STOPPED: ${why}`);
  expect(run.report).toMatch(/cost {2}of it new\n/);
  expect(run.report).toMatch(/ all .* 2\s+\$1\.50\s+\$0\.50\n/);
  const [suite] = readSummary(join(EVAL_DIR, 'latest')).suites;
  expect(suite?.groups.at(-1)).toMatchObject({ cost_usd: 1.5, new_cost_usd: 0.5, cached: 2 });
});
