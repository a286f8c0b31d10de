import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { toResult } from '../src/metrics/result.fixture.ts';
import { makeRun } from '../test/make-run.ts';
import { RunReport } from './run-report.ts';

test('a report page that cannot be loaded costs no figure, and fails the run', () => {
  const hooks = registerHooks({
    load(url, context, next) {
      if (url.endsWith('/html/render-page.ts')) throw new Error('the page is broken');
      return next(url, context);
    },
  });
  onTestFinished(() => hooks.deregister());
  const row = toResult('correct', { suite: 'gaia' });
  const folder = makeRun([row]);
  const none = { gates: [], baseline: null, secrets: [], skipped: null, makeLatest: () => {}, discardEmpty: () => {} };
  const said: string[] = [];
  const report = new RunReport({ folder, config: readConfig({}), ...none }, null, (text) => said.push(text));
  report.prepare();
  const tests = [
    { meta: { ...row, run: 'run' }, picked: true, inWatchRun: true, state: 'passed', error: null },
  ] as const;
  const end = { tests, neverRan: [], failures: [], refused: [], watch: false, stop: null };
  const exit = report.finish(end);
  expect(exit).toEqual({ code: 1, reason: expect.stringContaining('cannot be completed (the page is broken)') });
  expect(said.join('\n')).toMatch(/^ +all +1 +1 +100\.0 %/m);
  expect(existsSync(join(folder, 'summary.json'))).toBe(true);
});
