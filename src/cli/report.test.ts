import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { toRun } from '../figures/result.fixture.ts';

const ROWS = toRun('+++', { suite: 'own', dataset: 'd' });

const runReport = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runViva(['report', ...args], env);

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

  test.each([
    [{}, true],
    [{ CI: 'true' }, false],
    [{ CI: 'true', EVAL_SHOW_GATED: '1' }, true],
  ])('shows what agents said unless it runs in CI (%j: %s)', async (env, isShown) => {
    const folder = makeRun(ROWS);
    await runReport([folder], env);
    expect(readReport(folder).includes('"received":"text"')).toBe(isShown);
  });

  test('puts several runs on one page, a chart for each selection of questions, with links to their reports', async () => {
    const dir = makeFolder();
    const makeAt = (name: string, created_at: string, marks: string, ofB = '') => {
      const [a, b] = ['a', 'b'].map((agent) => ({ suite: 'own', dataset: 'd', agent }));
      const rows = [...toRun(marks, a), ...toRun(ofB, b)];
      return makeRun(rows, { name: `runs/${name}`, dir, created_at });
    };
    const first = makeAt('20260101T000000Z-<a>', '2026-01-01T00:00:00Z', '+--');
    makeAt('20260102T000000Z-b', '2026-01-02T00:00:00Z', '++-', '+.-');
    makeAt('20260103T000000Z-c', '2026-01-03T10:15:00Z', '+');
    makeAt('20260103T000001Z-c', '2026-01-03T18:30:00Z', '-');
    const later = makeAt('20250101T000000Z-d', '2025-01-01T00:00:00Z', '+');
    writeFileSync(join(later, 'manifest.json'), '{"version":99}');
    await runReport([first]);
    const { code, output } = await runReport(
      ['20260103T000000Z', '20260103T000001Z', '20260101', '20260102', '2025'],
      { EVAL_DIR: dir },
    );
    expect(code).toBe(0);
    expect(output).toMatch(
      /^not listed: .*manifest\.json: version must be 1, got 99\..*\nwrote .*history\.html$/,
    );
    const page = readFileSync(join(dir, 'history.html'), 'utf8');
    expect(page.match(/<h3>.*?</g)).toEqual([
      '<h3>own · d · 3 questions<',
      '<h3>own · d · 1 question<',
    ]);
    expect(page).toContain(
      '<a href="runs/20260101T000000Z-%3Ca%3E/report.html" aria-label="20260101T000000Z-&#60;a&#62;, a: 33.3 % (6.1 - 79.2 %)">',
    );
    expect(page).toContain('<title>20260102T000000Z-b, b: in 33.3 - 66.7 %</title>');
    expect(
      page.match(/text-anchor="middle">[^<]*/g)?.map((tick) => tick.replace(/.*>/, '')),
    ).toEqual(['2026-01-01', '2026-01-02', '10:15', '18:30']);
    expect(page).toContain(', with 95 % intervals, 2026-01-03 (UTC)</figcaption>');
    expect(page).toContain(
      '<li class="series-0">a: 2 runs, the latest 66.7 % (20.8 - 93.9 %)</li><li class="series-1">b: 1 run, the latest in 33.3 - 66.7 %</li>',
    );
    expect(page).not.toContain('style=');
  });
});
