import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toTrials } from '../metrics/result.fixture.ts';
import { writeSelection } from '../store/manifest.ts';
import { runCommand } from './command.ts';
import { report } from './report.ts';

const ROWS = ['q1', 'q2', 'q3'].flatMap((id) => toTrials(id, '+', { suite: 'own', dataset: 'd' }));

async function runReport(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const printed: string[] = [];
  const context = { env, print: (line: string) => void printed.push(line) };
  return { code: await runCommand([report], ['report', ...args], context), output: printed.join('\n') };
}

const readReport = (folder: string) => readFileSync(join(folder, 'report.html'), 'utf8');

describe('viva report', () => {
  test('writes the report of a run that was killed, with bounds, into its folder', async () => {
    const folder = makeRun(ROWS, { name: 'runs/20260101T000000Z-a' });
    const [line = ''] = readFileSync(join(folder, 'samples.jsonl'), 'utf8').split('\n');
    rmSync(join(folder, 'samples.jsonl'));
    appendFileSync(join(folder, 'samples.jsonl'), `${line}\n${line.slice(0, 50)}`);
    const { code } = await runReport(['20260101'], { EVAL_DIR: dirname(dirname(folder)) });
    expect(code).toBe(0);
    expect(readReport(folder)).toContain('in 33.3 - 100.0 %');
    expect(readReport(folder)).toContain('1 line of samples.jsonl cannot be read');
  });

  test('leaves out what a name left out', async () => {
    const folder = makeRun(ROWS);
    const [first] = ROWS;
    writeSelection(folder, { not_started: [], left_out: ROWS.slice(1), stopped: null });
    rmSync(join(folder, 'samples.jsonl'));
    appendFileSync(join(folder, 'samples.jsonl'), `${JSON.stringify(first)}\n`);
    await runReport([folder]);
    expect(readReport(folder)).toContain('2 of 3 tests were not selected');
  });

  test.each([
    [{}, true],
    [{ CI: 'true' }, false],
    [{ CI: 'true', EVAL_SHOW_GATED: '1' }, true],
  ])('shows what agents said unless it runs in CI (%j: %s)', async (env, isShown) => {
    const folder = makeRun(ROWS);
    await runReport([folder], env);
    expect(readReport(folder).includes('"received":"text"')).toBe(isShown);
  });

  test.each([
    [[], 'One run is needed, got 0.\nUsage: pnpm viva report RUN'],
    [['nowhere'], 'RUN must be '],
  ])('refuses %j', async (args, message) => {
    const { code, output } = await runReport(args, { EVAL_DIR: '/nowhere' });
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });
});
