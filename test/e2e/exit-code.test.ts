import { expect, test } from 'vitest';
import { runScript } from './run-script.ts';

const gates = [{ suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5 }];

test('a failing unit test beside evals, and an error that nobody awaits, fail a run whose gate holds', async () => {
  const script = [
    { id: 'a', say: 'FINAL ANSWER: 17' },
    { id: 'b', say: '!reject' },
    { id: 'c', say: '!throw' },
  ];
  const run = await runScript(script, { gates, args: ['run'], env: { FIXTURE_UNIT: 'fail' } });
  expect(run.code).toBe(1);
  expect(run.report).toContain('gate holds: ');
  expect(run.report).toContain('OUTSIDE THE ANSWERS: adds');
  expect(run.report).toContain('OUTSIDE THE ANSWERS: nobody waits for this');
  expect(run.output).toContain('AgentError: Error: the agent broke\nExpected: "17"\nQuestion: "What is c?"\n');
  expect(run.output).not.toMatch(/Caused by|Serialized Error|progress/);
});
