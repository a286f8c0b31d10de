import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ComparedRun, readComparedRun } from '../src/figures/compare-runs.ts';
import { toResult } from '../src/figures/result.fixture.ts';
import { readConfig } from '../src/settings.ts';
import { makeRun } from '../test/make-run.ts';
import { readReport } from '../test/read-report.ts';
import { evaluatePastRun } from './past-run.ts';
import { writeRunFiles } from './publish-run.ts';
import { RunReport } from './run-report.ts';

const RIGHT = toResult('correct', { suite: 'gaia' });

/** The report of a run with these rows. */
function report(rows = [RIGHT], baseline: ComparedRun | null = null) {
  const folder = makeRun(rows);
  const none = {
    groups: null,
    gates: [],
    secrets: [],
    skipped: null,
    makeLatest: () => {},
    discardEmpty: () => false,
  };
  const printed: string[] = [];
  const log = (text: string) => void printed.push(text);
  const run = new RunReport({ folder, config: readConfig({}), baseline, ...none }, null, log);
  const tests = rows.map((row) => {
    const state = row.state === 'correct' ? 'passed' : 'failed';
    return { meta: { ...row, run: 'run' }, picked: true, state, error: null, place: null } as const;
  });
  const exit = run.finish({
    tests,
    neverRan: [],
    failures: [],
    refused: [],
    stop: null,
  });
  return { folder, exit, printed: printed.join('\n') };
}

function readFiles(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    markdown: read('summary.md'),
    json: read('summary.json'),
    page: readReport(join(folder, 'report.html')),
  };
}

test('a report page that cannot be loaded costs no figure, and fails the run', () => {
  // Another test of this worker may have loaded it.
  const { cache, resolve } = createRequire(import.meta.url);
  delete cache[resolve('./page/report.ts')];
  const hooks = registerHooks({
    resolve(name, context, next) {
      if (name.endsWith('/page/report.ts')) throw new Error('the page is broken');
      return next(name, context);
    },
  });
  onTestFinished(() => hooks.deregister());
  const { folder, exit, printed } = report();
  expect(exit).toMatchObject({
    code: 1,
    reason: expect.stringContaining('cannot be completed (the page is broken)'),
  });
  expect(printed).toMatch(/^ +all +1 +1 +100\.0 %/m);
  expect(existsSync(join(folder, 'summary.json'))).toBe(true);
});

test('answers to changed questions are printed, and are not in the summary, which may be published', () => {
  const { folder, printed } = report(
    [RIGHT],
    readComparedRun(makeRun([toResult('incorrect', { suite: 'gaia' })])),
  );
  expect(printed).toContain('q1: text -> text (expected truth)');
  const { markdown, json } = readFiles(folder);
  expect(markdown).toContain('fixed 1: q1');
  expect(`${markdown}${json}`).not.toMatch(/truth|changed_answers/);
});

test('the comparison of two variants is in terminal and summary, without its answers, which the page shows', () => {
  const [a, b] = ['a.md', 'b.md'].map((name) => ({ prompt: `${name}@${name}`, prompt_hash: name }));
  const { folder, printed } = report([toResult('incorrect', a), toResult('correct', b)]);
  expect(printed).toMatch(
    /\n {2}b\.md@b\.md against a\.md@a\.md, on 1 question: \+100\.0 pp \(95 % .+\), p = 1; 1 fixed, 0 broken; with 1 question p cannot be below 0.05\n {4}fixed 1: q1\n/,
  );
  const { markdown, json, page } = readFiles(folder);
  expect(markdown).toContain('fixed 1: q1');
  expect(`${markdown}${json}`).not.toMatch(/truth|changed_answers/);
  expect(JSON.parse(json)).toMatchObject({
    variant_comparisons: [{ figures: { flips: { fixed: ['q1'] } } }],
  });
  expect(page).toMatch(/"target":"truth"/);
});

test('what may be published says no message of an error, wherever the run was made', () => {
  const row = toResult('correct', { dataset: 'own' });
  const errors = ['gaia a: Error: SECRET'];
  const folder = makeRun([row], { suite: { dataset: 'own' }, end: { errors } });
  writeRunFiles(evaluatePastRun(folder, {}));
  const { markdown, json, page } = readFiles(folder);
  expect([markdown.includes('SECRET'), json.includes('SECRET'), page.includes('SECRET')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(markdown).toMatch(
    /RUN ERROR: gaia a: its message is hidden[\s\S]*exit 1: run error: gaia a: its/,
  );
});
