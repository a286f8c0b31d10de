import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { median } from './measure/median.ts';
import { runProject } from './overhead/compare.ts';
import { makeProjects } from './overhead/projects.ts';

const USAGE = `node bench/floor.ts [--size 10000] [--runs 5]

The least that the record of a run costs beside plain Vitest: its bytes made, written and read again with bare calls of
Node, without this suite, its matcher, its checks or its figures. Medians of --runs interleaved runs; the shares are of a
plain run's wall time.`;

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report(Number(values.size), Number(values.runs));

/** What each part of a record took, in milliseconds, and its bytes. */
type BareRecord = Readonly<Record<string, { readonly ms: number; readonly bytes: number }>>;

async function report(count: number, runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-floor-'));
  try {
    const wanted = { count, wrong: 'none' } as const;
    const { ours, plain } = makeProjects(folder, wanted);
    await runProject(ours, wanted);
    await runProject(plain, wanted);
    const [run = ''] = readdirSync(join(ours.cwd, '.evals/runs'));
    const walls: number[] = [];
    const records: BareRecord[] = [];
    for (let turn = 0; turn < runs; turn++) {
      walls.push((await runProject(plain, wanted)).wallMs);
      records.push(measureRecord(join(ours.cwd, '.evals/runs', run)));
    }
    console.log(`Medians of ${runs} interleaved runs on ${describeMachine()}.\n\n${render(median(walls), records)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureRecord(run: string): BareRecord {
  const folder = mkdtempSync(join(tmpdir(), 'viva-floor-'));
  try {
    const script = join(import.meta.dirname, 'overhead/bare-record.ts');
    return JSON.parse(execFileSync(process.execPath, [script, folder, run], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function render(plainMs: number, records: readonly BareRecord[]): string {
  const parts = Object.entries(records[0] ?? {}).map(([name, { bytes }]) => {
    return { name, bytes, ms: median(records.map((record) => record[name]?.ms ?? 0)) };
  });
  const ms = parts.reduce((sum, part) => sum + part.ms, 0);
  const body = [...parts, { name: 'sum of these', bytes: 0, ms }].map((part) => [
    part.name,
    part.bytes === 0 ? '' : `${(part.bytes / 1e6).toFixed(1)} MB`,
    `${(part.ms / 1000).toFixed(3)} s`,
    `${((part.ms / plainMs) * 100).toFixed(1)} %`,
  ]);
  return toMarkdownTable(['part', 'size', 'time', `of ${(plainMs / 1000).toFixed(2)} s`], body);
}
