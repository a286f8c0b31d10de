import { expect, test } from 'vitest';
import { runScript } from './run-script.ts';
import { readRows, runFolderOf } from './run-vitest.ts';

const gates = [{ suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5 }];

/** More than Vitest admits by itself. */
const AT_ONCE = 40;

test('an error that nobody awaits fails a run even if its gate is met, and EVAL_FAILURES=full shows a failure as Vitest does', async () => {
  const script = [
    { id: 'a', say: 'FINAL ANSWER: 17' },
    { id: 'b', say: '!reject' },
    { id: 'c', say: '!throw' },
    ...Array.from({ length: AT_ONCE }, (_, index) => ({ id: `meets-${index}`, say: '!meet' })),
  ];
  const env = { EVAL_FAILURES: 'full', EVAL_CONCURRENCY: `${AT_ONCE}`, EVAL_TIMEOUT: '20' };
  const run = await runScript(script, { gates, env });
  expect(run.code).toBe(1);
  expect(run.report).toContain('gate holds: ');
  expect(run.report).toContain('RUN ERROR: nobody waits for this');
  expect(run.output).toContain(
    'AgentError: Error: the agent broke\nExpected: "17"\nQuestion: "What is c?"\n',
  );
  expect(run.output).not.toMatch(/Caused by|Serialized Error|progress/);
  // As many calls run at once as EVAL_CONCURRENCY says.
  const met = readRows(runFolderOf(run.dir)).filter(({ id }) => id.startsWith('meets'));
  expect(met.map(({ state }) => state)).toEqual(Array(AT_ONCE).fill('correct'));
});
