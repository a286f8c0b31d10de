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
  'evals/gaia/prompt.md: the prompt has no {{question}}, so every sample would be asked without its question. It has "{question}". Write {{question}} where the question belongs.';

const NO_KEYS = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: '' };

describe('what can be known before anything is asked is refused once, and leaves nothing behind:', () => {
  test.each([
    ['a missing key', { EVAL_AGENT: 'openai:gpt-4o' }, 'No API key for OpenAI was found. Set OPENAI_API_KEY'],
    ['a missing module', { EVAL_AGENT: 'module:./none.ts' }, 'no such file, got "./none.ts"'],
    ['a missing package of a module', { EVAL_AGENT: 'module:FILE' }, "Cannot find package 'no-such-package'"],
    ['an unknown price', { EVAL_AGENT: 'anthropic:none', EVAL_MAX_COST: '1' }, 'the price of anthropic:none at'],
    ['an unknown parameter', { EVAL_AGENT: 'openai:m?temp=1' }, '"temp" ("1") is not a parameter of openai'],
    ['a wrong setting', { EVAL_TIMEOUT: '2147484' }, 'EVAL_TIMEOUT must be a number of seconds from 0.001 to 2147483'],
  ])('%s', async (_, given, said) => {
    const agent = join(makeFolder({ 'agent.mjs': "import 'no-such-package';" }), 'agent.mjs');
    const dir = makeDir();
    const env = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text.replace('FILE', agent)]));
    const run = await runVitest(['run', 'evals'], { ...NO_KEYS, ...env, EVAL_DIR: dir });
    const complaint = complaintOf(run.output);
    expect([run.code, complaint.length]).toEqual([1, 1]);
    expect(complaint[0]).toContain(said);
    expect(run.output.split(said)).toHaveLength(2);
    expect(run.output).not.toContain('OUTSIDE THE ANSWERS');
    expect(run.output).toMatch(/^ {2}exit 1: nothing was asked: see the error above$/m);
    expectUntouched(dir);
  });

  test('a prompt without its question, also where Vitest prints no errors', async () => {
    const project = copyProject();
    breakPrompt(project);
    const dir = makeDir();
    const run = await runVitest(['run', 'evals/gaia'], { EVAL_DIR: dir }, { cwd: project });
    expect([run.code, complaintOf(run.output)]).toEqual([1, [`Refused: ${NO_QUESTION}`]]);
    const args = ['run', 'evals/gaia', '--reporter=blob', `--outputFile=${join(makeFolder(), 'blob')}`];
    const silent = await runVitest(args, { EVAL_DIR: dir }, { cwd: project });
    expect(silent.code).toBe(1);
    expect(silent.output).toContain(`  exit 1: nothing was asked: ${NO_QUESTION}\n`);
    expectUntouched(dir);
    const both = await runVitest(['run', 'evals'], {}, { cwd: project });
    expect(both.code).toBe(1);
    expect(both.output.split(NO_QUESTION)).toHaveLength(2);
    expect(both.output).not.toContain('OUTSIDE THE ANSWERS');
    expect(both.report).toContain(
      'exit 1: refused before anything was asked: evals/gaia/gaia.eval.ts (see the error above)',
    );
    expect(readSummary(runFolderOf(both.dir))).toMatchObject({ complete: false, suites: [{ suite: 'mcq' }] });
  });

  test('a deadline of a suite that no timer takes', async () => {
    const project = copyProject();
    const suite = join(project, 'evals/mcq/mcq.eval.ts');
    writeFileSync(suite, readFileSync(suite, 'utf8').replace('timeoutSeconds: () => 120', 'timeoutSeconds: () => 9e9'));
    const run = await runVitest(['run', 'evals/mcq'], {}, { cwd: project });
    expect(run.code).toBe(1);
    expect(complaintOf(run.output)).toEqual([
      'Refused: timeoutSeconds of suite mcq must be a number of seconds from 0.001 to 2147483, got 9000000000 for group "Everyday statistics".',
    ]);
  });

  test('a prompt that an edit in watch mode breaks, and one that it mends', async () => {
    const project = copyProject();
    breakPrompt(project);
    const dir = makeDir();
    const watch = watchVitest(['evals/gaia'], { EVAL_DIR: dir }, project);
    expect(await watch.nextReport()).toContain(NO_QUESTION.slice(0, 100));
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
