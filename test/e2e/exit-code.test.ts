import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSelection } from '../../src/store/shards.ts';
import { makeFolder } from '../make-folder.ts';
import { runScript, type Script } from './run-script.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const right = (id: string) => ({ id, say: 'FINAL ANSWER: 17' });
const wrong = (id: string) => ({ id, say: 'FINAL ANSWER: 18' });
const gate = (changes: object) => [
  { suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5, ...changes },
];

const threeOfFour: Script = [right('a'), right('b'), right('c'), wrong('d')];

describe('the exit code', () => {
  test.each([
    ['a gate that holds', gate({ min_accuracy: 0.75 }), 0, 'exit 0: '],
    ['a gate that is missed', gate({ min_accuracy: 0.76 }), 1, 'min_accuracy of group all is missed'],
    ['an advisory gate that is missed, and no other', gate({ min_accuracy: 0.9, advisory: true }), 1, 'exit 1: '],
    ['no gate', null, 1, '1 failed case and no gate'],
    ['a gate for another dataset', gate({ dataset: 'other' }), 1, '1 failed case and no gate'],
    ['a gate for a group that is not there', gate({ group: 'level 9' }), 1, 'exit 1: '],
  ])('with %s', async (_, gates, code, reason) => {
    const run = await runScript(threeOfFour, { gates });
    expect(run.code).toBe(code);
    expect(run.output.trimEnd().split('\n').at(-1)).toContain(reason);
  });

  test('is 0 without a gate when every answer is right', async () => {
    const run = await runScript([right('a'), right('b')]);
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('exit 0: ') });
  });

  test('is left to Vitest when a name narrows the run', async () => {
    const narrowed = { gates: gate({}), args: ['run', 'evals', '-t', 'scripted > all > d'] };
    const run = await runScript(threeOfFour, narrowed);
    expect(run.code).toBe(1);
    expect(run.report).toMatch(/narrowed by -t/);
    // It decides nothing here.
    expect(run.report).toContain('gate missed: ');
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)).toMatchObject({ n: 1, accuracy: 0 });
  });

  test('is 1 for an unhandled error although the gate holds', async () => {
    const run = await runScript([right('a'), { id: 'b', say: '!reject' }], { gates: gate({}) });
    expect(run.code).toBe(1);
    expect(run.report).toContain('OUTSIDE THE ANSWERS: nobody waits for this');
  });

  test('is 1 for a failing unit test beside evals whose gate holds', async () => {
    const run = await runScript(threeOfFour, { gates: gate({}), args: ['run'], env: { FIXTURE_UNIT: 'fail' } });
    expect(run.code).toBe(1);
    expect(run.report).toContain('OUTSIDE THE ANSWERS: adds');
  });
});

describe('a suite that never started', () => {
  test('after --bail leaves no complete run behind', async () => {
    const run = await runVitest(['run', 'evals', '--bail=1']);
    expect(run.code).toBe(1);
    expect(readSummary(runFolderOf(run.dir)).complete).toBe(false);
    expect(run.report).toMatch(
      /OUTSIDE THE ANSWERS: evals\/(gaia|mcq)\/\1\.eval\.ts: none of its samples ran|NOT COMPLETE/,
    );
    // The wrong answer that ended the run is a row, and no error beside the answers.
    expect(readRows(runFolderOf(run.dir)).map(({ state }) => state)).toContain('incorrect');
    expect(run.report).not.toContain('OUTSIDE THE ANSWERS: Q');
  });

  test('is recorded for the merge of a shard that Ctrl-C ends', async () => {
    const slow = "export default () => new Promise((resolve) => setTimeout(resolve, ++count > 1 ? 20_000 : 0, '17'));";
    const agent = join(makeFolder({ 'agent.ts': `let count = 0;\n${slow}` }), 'agent.ts');
    const run = await runVitest(
      ['run', 'evals', '--shard=1/2'],
      { EVAL_AGENT: `module:${agent}`, EVAL_CONCURRENCY: '1' },
      { interrupt: { signal: 'SIGINT', afterRows: 1 } },
    );
    const { not_started, stopped } = readSelection(runFolderOf(run.dir));
    expect(not_started).toEqual([expect.stringMatching(/^evals\/(gaia|mcq)\/\1\.eval\.ts$/)]);
    expect(stopped).toBe('interrupted');
  });
});

describe('a failing agent', () => {
  test('is an error and counts as wrong', async () => {
    const run = await runScript([right('a'), { id: 'b', say: '!throw' }]);
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)).toMatchObject({
      accuracy: 0.5,
      states: { errored: 1 },
    });
    expect(run.output).toContain('AgentError: Error: the agent broke\nExpected: "17"\nQuestion: "What is b?"\n');
    expect(run.output).toContain('evals/scripted.eval.ts:');
    expect(run.output).not.toMatch(/Caused by|src\/(?:run|agents)\//);
    expect(run.output).not.toMatch(/Serialized Error|progress/);
  });

  test('that never settles is timed out at its deadline', async () => {
    const run = await runScript([right('a'), { id: 'b', say: '!hang' }], { env: { EVAL_TIMEOUT: '0.3' } });
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)).toMatchObject({
      accuracy: 0.5,
      states: { timed_out: 1 },
    });
    expect(run.output).toMatch(/AgentError: No answer within 0\.3 s\..*\nExpected: "17"\nQuestion: "What is b\?"\n/);
  });
});

describe('a run that is stopped', () => {
  test('by SIGTERM reports what was answered', async () => {
    const slow = Array.from({ length: 4 }, (_, index) => ({ ...right(`s${index}`), afterMs: 20_000 }));
    const interrupt = { signal: 'SIGTERM', afterRows: 2 } as const;
    const run = await runScript([right('a'), right('b'), ...slow], { gates: gate({}), interrupt });
    expect(run.code).toBe(143);
    expect(run.report).toContain('NOT COMPLETE: 4 of 6 results were not run (interrupted 4)');
    expect(run.output.trimEnd().split('\n').at(-1)).toContain(
      '  exit 143: the run was interrupted; 4 missing results (interrupted 4), the first: scripted s0',
    );
  });
});
