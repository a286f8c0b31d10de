import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarize } from '../../src/metrics/summarize.ts';
import type { GroupSummary, SuiteSummary } from '../../src/types.ts';
import { ROOT, readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** The rows of the printed tables by suite and group, as cells. */
function parseTables(report: string): Map<string, string[]> {
  const cells = new Map<string, string[]>();
  let suite = '';
  for (const line of report.split('\n')) {
    const title = /^(gaia|mcq) · /.exec(line);
    if (title !== null) suite = title[1] ?? '';
    const row = line.trim().split(/ {2,}/);
    if (suite !== '' && /^\d+$/.test(row[1] ?? '')) cells.set(`${suite} ${row[0]}`, row);
  }
  return cells;
}

function countStates(rows: readonly { state: string }[], ...states: string[]): number {
  return rows.filter(({ state }) => states.includes(state)).length;
}

test('unit tests and evals run in one process, on any number of cores', async () => {
  const { code, output } = await runVitest(['run', 'src/metrics/latency', 'evals/gaia', '--reporter=dot']);
  expect(output).toContain('1 passed (2)');
  expect(output).toContain('exit 0: the gate holds');
  expect(code).toBe(0);
});

describe('pnpm vitest run evals', () => {
  test('prints, keeps and recounts the same figures', async () => {
    const { code, report, dir } = await runVitest(['run', 'evals']);
    const folder = runFolderOf(dir);
    const rows = readRows(folder);
    const summary = readSummary(folder);
    expect(code).toBe(0);
    expect(report).toContain('gaia · sample · replay (made-up predictions, not a measurement)');
    expect(report).toContain('mcq · sample · replay (made-up predictions, not a measurement)');
    const bySuite = (a: SuiteSummary, b: SuiteSummary) => a.suite.localeCompare(b.suite);
    expect(summary.suites).toEqual(summarize(rows).suites.toSorted(bySuite));
    const printed = parseTables(report);
    for (const { suite, groups } of summary.suites) {
      for (const group of groups) {
        const members = rows.filter((row) => row.suite === suite && ['all', row.group].includes(group.group));
        expect(group.n).toBe(members.length);
        expect(group.states.correct).toBe(countStates(members, 'correct'));
        expect(group.accuracy).toBe(countStates(members, 'correct') / members.length);
        const [name, n, correct, accuracy] = printed.get(`${suite} ${group.group}`) ?? [];
        expect([name, n, correct]).toEqual([group.group, String(group.n), String(group.states.correct)]);
        expect(accuracy).toBe(`${(100 * (group.accuracy ?? Number.NaN)).toFixed(1)} %`);
      }
    }
  });

  test('prints the table that the README shows', async () => {
    const { report } = await runVitest(['run', 'evals']);
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const [, block = ''] = /^```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !report.split('\n').includes(line))).toEqual([]);
  });

  test('shows the median of the rows', async () => {
    const { dir } = await runVitest(['run', 'evals/gaia']);
    const folder = runFolderOf(dir);
    const all = readSummary(folder).suites[0]?.groups.at(-1) as GroupSummary;
    const latencies = readRows(folder).flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms]));
    const sorted = latencies.toSorted((a, b) => a - b);
    const middle = sorted.length / 2;
    const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
    expect(all.median_latency_ms).toBeCloseTo(median, 6);
  });

  test('writes every file of the run folder', async () => {
    const { dir } = await runVitest(['run', 'evals/gaia']);
    const folder = runFolderOf(dir);
    const files = ['samples.jsonl', 'summary.json', 'manifest.json', 'summary.md', 'answers.csv', 'submission.jsonl'];
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    expect(manifest.suites[0].ids.toSorted()).toEqual(
      readRows(folder)
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
