import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { readReport } from '../../test/read-report.ts';
import { runViva } from '../../test/run-viva.ts';
import { toRun } from '../figures/result.fixture.ts';

const ROWS = toRun('+++', { suite: 'own', dataset: 'd' });

const runReport = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runViva(['report', ...args], env);

describe('viva report', () => {
  test('writes the report of a run that was killed, with bounds, into its folder', async () => {
    const folder = makeRun(ROWS, { name: 'runs/20260101T000000Z-a' });
    const [line = ''] = readFileSync(join(folder, 'samples.jsonl'), 'utf8').split('\n');
    rmSync(join(folder, 'samples.jsonl'));
    appendFileSync(join(folder, 'samples.jsonl'), `${line}\n${line.slice(0, 50)}`);
    const { code } = await runReport(['20260101'], { EVAL_DIR: dirname(dirname(folder)) });
    expect(code).toBe(0);
    const page = readReport(join(folder, 'report.html'));
    expect(page).toContain('in 33.3 - 100.0 %');
    expect(page).toContain('1 line of samples.jsonl cannot be read');
  });

  test.each([
    [{}, true],
    [{ CI: 'true' }, false],
    [{ CI: 'true', EVAL_SHOW_GATED: '1' }, true],
  ])('shows what agents said unless it runs in CI (%j: %s)', async (env, isShown) => {
    const folder = makeRun(ROWS);
    await runReport([folder], env);
    expect(readReport(join(folder, 'report.html')).includes('"answer":"text"')).toBe(isShown);
  });
});
