import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toTrials } from '../../src/metrics/result.fixture.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';
import { runScript, type Script } from './run-script.ts';
import { runFolderOf } from './run-vitest.ts';

const IDS = Array.from({ length: 40 }, (_, index) => `q${index + 1}`);
/** The scripted agent, right on all questions but the first so many. */
const script = (wrong: number): Script =>
  IDS.map((id, index) => ({ id, say: `FINAL ANSWER: ${index < wrong ? 18 : 17}` }));

const gate = (max_drop: number) => [{ suite: 'scripted', dataset: 'script', group: 'all', max_drop }];

/** The folder of a run in which so many questions were wrong. */
async function runBefore(wrong: number): Promise<string> {
  return runFolderOf((await runScript(script(wrong))).dir);
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1);

describe('EVAL_BASELINE', () => {
  test('shows what changed, in the terminal, in summary.md and in summary.json', async () => {
    const baseline = await runBefore(2);
    const run = await runScript(script(3), { env: { EVAL_BASELINE: baseline } });
    expect(run.output).toContain('scripted · script · B against A');
    expect(run.output).toContain('broken 1: q3');
    expect(run.output).toContain('difference -2.5 pp, p = 1: within noise (exact sign-flip test)');
    const folder = runFolderOf(run.dir);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('- broken 1: q3\n');
    const { comparison } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    expect(comparison).toMatchObject({
      version: 1,
      suites: [{ figures: { questions: 40, flips: { broken: ['q3'] } } }],
    });
  });

  // By hand: 10 of 40 broken; N = 42, mean -10/42, variance 12/42 - (10/42)^2, half 1.96 sqrt(variance / 42) = 0.1447.
  test.each([
    ['a drop within the gate', 3, 0.15, 0, 'exit 0: the gate holds'],
    ['a greater one', 12, 0.15, 1, 'a drop of up to 38.3 pp is not ruled out and is above the gate 15.0 pp'],
  ])('judges max_drop by the lower end of the interval: %s', async (_rule, wrong, max_drop, code, reason) => {
    const baseline = await runBefore(2);
    const run = await runScript(script(wrong), { gates: gate(max_drop), env: { EVAL_BASELINE: baseline } });
    expect(run.report).toContain(reason);
    expect(run.code).toBe(code);
  });

  test('is what a max_drop gate fails without', async () => {
    const run = await runScript(script(0), { gates: gate(0.5) });
    expect(run.code).toBe(1);
    expect(lastLine(run.output)).toContain('max_drop cannot be judged: there is no baseline to compare group all with');
  });

  test('shows hostile ids harmlessly', async () => {
    const id = '\u001b[2J\u202e<img src=x>|`**';
    const baseline = runFolderOf((await runScript([{ id, say: 'FINAL ANSWER: 17' }])).dir);
    const run = await runScript([{ id, say: 'FINAL ANSWER: 18' }], { env: { EVAL_BASELINE: baseline } });
    expect(run.output).toContain('broken 1: \\u001b[2J\\u202e<img src=x>|`**');
    const summary = readFileSync(join(runFolderOf(run.dir), 'summary.md'), 'utf8');
    expect(summary).toContain('- broken 1: ');
    expect(summary).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|<img/u);
  });

  test('can be the latest run, which this one then becomes', async () => {
    const dir = makeFolder();
    const env = { EVAL_DIR: dir, EVAL_BASELINE: 'latest' };
    await runScript(script(2), { env: { EVAL_DIR: dir } });
    const second = await runScript(script(0), { env });
    expect(second.output).toContain('fixed 2: q1, q2');
    const third = await runScript(script(0), { env });
    expect(third.output).toContain('no verdict changed on 40 questions');
  });

  test.each([
    [
      'is not there',
      () => join(makeFolder(), 'nowhere'),
      'EVAL_BASELINE must be the folder of an earlier run, or latest',
    ],
    ['is no run', () => makeFolder(), 'Not a run folder'],
    ['has no results', () => makeRun(toTrials('a', '.')), 'holds no result of what it was to ask'],
    ['is of another version', () => makeRun(toTrials('a', '+'), { suite: {} }), 'is no manifest of version 1'],
    ['is about another suite', () => makeRun(toTrials('a', '+')), 'A has no such suite'],
    [
      'is about another dataset',
      () => makeRun(toTrials('a', '+', { suite: 'scripted' })),
      'A is about the dataset made-up, B about script',
    ],
  ])('that %s is refused before anything is asked', async (rule, make, message) => {
    const calls = join(makeFolder(), 'calls');
    const baseline = make();
    if (rule === 'is of another version') writeFileSync(join(baseline, 'manifest.json'), '{"version": 2}');
    const run = await runScript(script(0), { env: { EVAL_BASELINE: baseline, FIXTURE_CALLS: calls } });
    expect(run.code).toBe(1);
    expect(run.output).toContain(message);
    expect(existsSync(calls)).toBe(false);
  });

  test('of which some questions changed is compared on the others, and no gate is judged on a part', async () => {
    const folder = await runBefore(0);
    const rows = join(folder, 'samples.jsonl');
    writeFileSync(rows, readFileSync(rows, 'utf8').replace(/("id":"q1",.*"question_hash":")[^"]*/, '$1other'));
    const run = await runScript(script(1), { gates: gate(0.5), env: { EVAL_BASELINE: folder } });
    expect(run.output).toContain('1 question is not compared (changed: another text, options or truth): q1');
    expect(run.output).toContain('no verdict changed on 39 questions');
    expect(run.code).toBe(1);
    expect(lastLine(run.output)).toContain('only 39 of 40 questions of group all can be compared with the baseline');
  });
});
