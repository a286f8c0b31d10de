import { readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';
import { watchVitest } from './watch-vitest.ts';

/** An EVAL_DIR in which one run is the latest. */
function makeDir(): string {
  const dir = makeFolder({ 'runs/20260101T000000Z-earlier/samples.jsonl': '' });
  symlinkSync('runs/20260101T000000Z-earlier', join(dir, 'latest'));
  return dir;
}

function expectUntouched(dir: string): void {
  expect(readdirSync(join(dir, 'runs'))).toEqual(['20260101T000000Z-earlier']);
  expect(readlinkSync(join(dir, 'latest'))).toBe('runs/20260101T000000Z-earlier');
}

/** What stands between Vitest's headings of the failed files and its sums. */
function complaintOf(output: string): readonly string[] {
  const lines = output.split('\n');
  const start = lines.findLastIndex((line) => line.startsWith(' FAIL '));
  const end = lines.findIndex((line, index) => index > start && line.startsWith('⎯'));
  return lines.slice(start + 1, end);
}

function breakPrompt(project: string): void {
  editPrompt(project, '{{question}}', '{question}');
}

function mendPrompt(project: string): void {
  editPrompt(project, '{question}', '{{question}}');
}

function editPrompt(project: string, from: string, to: string): void {
  const file = join(project, 'evals/gaia/prompt.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

const NO_QUESTION =
  'The prompt of evals/gaia/gaia.eval.ts has no {{question}}, so every sample would be asked without its question. Write {{question}} where the question belongs.';

describe('what can be known before anything is asked is refused once, and leaves nothing behind:', () => {
  test('wrong settings, which are no matter of unit tests', async () => {
    const dir = makeDir();
    const env = { EVAL_LIMTI: '3', EVAL_TIMEOUT: '0', EVAL_DIR: dir };
    const run = await runVitest(['run', 'src/metrics/latency', 'evals'], env);
    expect(run.code).toBe(1);
    expect(run.output).toMatch(/Test Files .*2 failed.* 1 passed/);
    expect(complaintOf(run.output)).toEqual([
      expect.stringContaining('EVAL_LIMTI ("3") is not a setting. Did you mean EVAL_LIMIT?'),
      expect.stringContaining('EVAL_TIMEOUT must be a number of seconds from 0.001 to 2147483, got "0".'),
    ]);
    expect(run.output.split('EVAL_LIMTI')).toHaveLength(2);
    expect(run.output).not.toContain('OUTSIDE THE ANSWERS');
    expect(run.output).toMatch(/^ {2}exit 1: nothing was asked: see the error above$/m);
    expectUntouched(dir);
  });

  test('a broken record, in CI without its text, beside a suite that runs', async () => {
    const record = { task_id: 'a', Question: 'QSECRET', Level: 'LSECRET', 'Final answer': 'ASECRET', file_name: '' };
    const file = join(makeFolder({ 'q.jsonl': JSON.stringify(record) }), 'q.jsonl');
    const both = await runVitest(['run', 'evals'], { EVAL_GAIA: file, CI: 'true' });
    const refusal = 'q.jsonl:1 (id "a"): "Level" must be 1, 2 or 3, the value (string) is withheld.';
    expect([both.code, both.output.split(refusal).length]).toEqual([1, 2]);
    expect(both.output).not.toContain('SECRET');
    expect(both.report).toContain(
      'exit 1: refused before anything was asked: evals/gaia/gaia.eval.ts (see the error above)',
    );
    expect(readSummary(runFolderOf(both.dir))).toMatchObject({ complete: false, suites: [{ suite: 'mcq' }] });
  });

  test('a prompt that an edit in watch mode breaks, and one that it mends', async () => {
    const project = copyProject();
    breakPrompt(project);
    const dir = makeDir();
    const watch = watchVitest(['evals/gaia'], { EVAL_DIR: dir }, project);
    expect(await watch.nextReport()).toContain(`Refused: ${NO_QUESTION.slice(0, 100)}`);
    expectUntouched(dir);
    mendPrompt(project);
    expect(await watch.nextReport()).toContain('exit 0: the gate holds');
    const latest = readlinkSync(join(dir, 'latest'));
    expect(readRows(join(dir, latest))).toHaveLength(30);
    breakPrompt(project);
    expect(await watch.nextReport()).toContain('exit 1: nothing was asked: see the error above');
    expect(readlinkSync(join(dir, 'latest'))).toBe(latest);
  });
});
