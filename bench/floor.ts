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
Node, without this suite, its matcher, its checks or its figures. Medians of --runs interleaved runs.`;

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report(Number(values.size), Number(values.runs));

async function report(count: number, runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-floor-'));
  try {
    const wanted = { count, wrong: 'none' } as const;
    const { ours, plain } = makeProjects(folder, wanted);
    await runProject(ours, wanted);
    await runProject(plain, wanted);
    const [run = ''] = readdirSync(join(ours.cwd, '.evals/runs'));
    const walls: number[] = [];
    const parts: Readonly<Record<string, number>>[] = [];
    for (let turn = 0; turn < runs; turn++) {
      walls.push((await runProject(plain, wanted)).wallMs);
      parts.push(measureRecord(join(ours.cwd, '.evals/runs', run)));
    }
    console.log(`Medians of ${runs} interleaved runs on ${describeMachine()}.\n\n${render(median(walls), parts)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureRecord(run: string): Readonly<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-floor-'));
  try {
    const script = join(import.meta.dirname, 'overhead/bare-record.ts');
    return JSON.parse(execFileSync(process.execPath, [script, folder, run], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function render(plainMs: number, runs: readonly Readonly<Record<string, number>>[]): string {
  const names = Object.keys(runs[0] ?? {});
  const rows = names.map((name) => ({ name, ms: median(runs.map((parts) => parts[name] ?? 0)) }));
  const all = [...rows, { name: 'together', ms: rows.reduce((sum, { ms }) => sum + ms, 0) }];
  const share = (ms: number) => `${((ms / plainMs) * 100).toFixed(0)} %`;
  const body = all.map(({ name, ms }) => [name, `${(ms / 1000).toFixed(3)} s`, share(ms)]);
  return toMarkdownTable(['part', 'time', `of plain Vitest's ${(plainMs / 1000).toFixed(2)} s`], body);
}
