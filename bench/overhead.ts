import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { readOptions } from './measure/options.ts';
import { describeCommit, writeResults } from './measure/publish.ts';
import { type Beside, takeBeside } from './overhead/beside.ts';
import { type Comparison, compareCosts } from './overhead/compare.ts';
import { LIVE_ROWS } from './overhead/live.ts';
import { installPackage } from './overhead/projects.ts';
import { renderOverhead } from './overhead/report.ts';
import { WORKLOADS } from './overhead/rows.ts';

const NAMES = [...WORKLOADS.flatMap(({ rows }) => rows), ...LIVE_ROWS].map(({ name }) => name);

const USAGE = `node bench/overhead.ts [--only NAME,...] [--runs 7] [--beside COMMIT]

What this suite costs beside plain Vitest: the gaia suite over made-up records, in the clone and as installed from its
package, and a plain project with the same titles, nesting and concurrency whose tests say expect(a).toBe(b). Medians of
--runs interleaved rounds, fewer of the large rows; then what a live run and watch mode cost. With
--beside, that commit is measured in the same rounds.
Everything takes about 8 minutes, 10 with another commit, and is written into bench/RESULTS.md. With
--only, the named rows are only printed:
${NAMES.join(', ')}`;

const { only, runs, beside } = readOptions(USAGE, { only: NAMES.join(), runs: '7', beside: '' });
await report(only.split(','), Number(runs), beside);

async function report(wanted: readonly string[], runs: number, commit: string): Promise<void> {
  const unknown = wanted.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new Error(`--only has no row "${unknown}". Rows: ${NAMES.join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'viva-overhead-'));
  try {
    const modules = await installPackage(folder);
    const beside = commit === '' ? null : await takeBeside(commit, folder);
    const tables = [
      await compareWith(wanted, runs, modules, beside),
      await measureLive(wanted, folder, modules, beside),
    ];
    const text = `At commit ${describeCommit()} on ${describeMachine()}:\n\n${tables.filter(Boolean).join('\n')}`;
    console.log(text);
    if (wanted.length === NAMES.length) writeResults('overhead', text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareWith(
  wanted: readonly string[],
  runs: number,
  modules: string,
  beside: Beside | null,
): Promise<string> {
  const comparisons: Comparison[] = [];
  for (const workload of WORKLOADS) {
    const rows = workload.rows.filter(({ name }) => wanted.includes(name));
    if (rows.length > 0)
      comparisons.push(...(await compareCosts({ ...workload, rows }, runs, modules, beside)));
  }
  return comparisons.length === 0 ? '' : renderOverhead(comparisons, beside?.commit);
}

async function measureLive(
  wanted: readonly string[],
  folder: string,
  modules: string,
  beside: Beside | null,
): Promise<string> {
  const lines: (readonly string[])[] = [];
  for (const { name, title, bar, measure } of LIVE_ROWS) {
    if (!wanted.includes(name)) continue;
    const { figure, holds } = await measure(join(folder, name), modules);
    const other = beside?.LIVE_ROWS.find((row) => row.name === name);
    const before = await other?.measure(join(folder, `beside-${name}`), beside?.modules ?? '');
    const ofBeside = beside === null ? [] : [before?.figure ?? ''];
    lines.push([title, figure, ...ofBeside, bar, holds ? 'yes' : 'no']);
  }
  const ofBeside = beside === null ? [] : [`figure of ${beside.commit}`];
  const head = ['what', 'figure', ...ofBeside, 'bar', 'holds'];
  return lines.length === 0 ? '' : toMarkdownTable(head, lines);
}
