import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanEnvironment } from './measure/clean-environment.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { measureTree } from './measure/process-tree.ts';
import { makeOurs, makePlain, type Project } from './overhead/projects.ts';
import { makeRecords } from './overhead/records.ts';
import type { Held } from './soak/heap-log.ts';
import { makeScript } from './soak/make-script.ts';

const USAGE = `node bench/soak-memory.ts [--records 20000] [--mean-ms 50]

What a run holds in memory after a full garbage collection, and by how much that grows for each sample: plain Vitest with
the agent of the soak in tests that fail as often and at such length, the same with as large a "meta" in each test, and
viva. All with 200 calls at once.`;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    'mean-ms': { type: 'string', default: '50' },
    help: { type: 'boolean' },
  },
});
const HEAD = ['run', 'failed', 'worker at 1/5', 'at 4/5', 'a sample', 'main at 1/5', 'at 4/5', 'a sample'];

/** Between these shares of the calls: before them modules are loaded, after them the report is made. */
const [FROM, TO] = [0.2, 0.8];

if (values.help === true) console.log(USAGE);
else await report();

async function report(): Promise<void> {
  const records = makeRecords({ count: Number(values.records), wrong: 'none' });
  const folder = mkdtempSync(join(tmpdir(), 'viva-soak-memory-'));
  try {
    const plain = (name: string): Project => {
      const project = makePlain(join(folder, name), records);
      cpSync(join(import.meta.dirname, 'soak/plain.eval.ts'), join(project.cwd, 'gaia.eval.ts'));
      return project;
    };
    const withMeta = plain('plain with meta');
    const ours = makeOurs(join(folder, 'viva'), records);
    const settings = { EVAL_AGENT: 'module:./agent.ts', EVAL_TIMEOUT: '12', EVAL_CONCURRENCY: '200' };
    const projects = {
      plain: plain('plain'),
      'plain with meta': { ...withMeta, env: { SOAK_META: 'on' } },
      viva: { ...ours, env: { ...ours.env, ...settings } },
    };
    const rows: string[][] = [];
    for (const [name, project] of Object.entries(projects)) {
      writeFileSync(join(project.cwd, 'script.json'), JSON.stringify(makeScript(records, Number(values['mean-ms']))));
      rows.push([name, ...(await measure(project, records.length))]);
    }
    console.log(`${records.length} records on ${describeMachine()}.\n`);
    console.log(toMarkdownTable(HEAD, rows));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(project: Project, count: number): Promise<readonly string[]> {
  cpSync(join(import.meta.dirname, 'soak/agent.ts'), join(project.cwd, 'agent.ts'));
  const log = pathToFileURL(join(import.meta.dirname, 'soak/heap-log.ts'));
  const env = { ...cleanEnvironment(), ...project.env, NODE_OPTIONS: `--expose-gc --import ${log}` };
  // Each failure as text would be most of what is printed.
  const args = [...project.args.filter((arg) => !arg.startsWith('--reporter')), '--reporter=dot', '--silent'];
  const { output } = await measureTree(['node_modules/vitest/vitest.mjs', ...args], { cwd: project.cwd, env });
  const failed = /Tests\s+(\d+) failed/.exec(output)?.[1] ?? `none? ${output.slice(-500)}`;
  const held = readFileSync(join(project.cwd, 'heap.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Held => JSON.parse(line));
  const figures = (['worker', 'main'] as const).flatMap((role) => {
    const points = held.filter((one) => one.role === role && one.calls >= count * FROM && one.calls <= count * TO);
    const { at, slope } = fitLine(points);
    return [megabytes(at(count * FROM)), megabytes(at(count * TO)), `${(slope / 1000).toFixed(2)} kB`];
  });
  return [failed, ...figures];
}

/** The line of least squares through bytes over calls. */
function fitLine(points: readonly Held[]) {
  const mean = (pick: (held: Held) => number) => points.reduce((sum, held) => sum + pick(held), 0) / points.length;
  const [calls, bytes] = [mean((held) => held.calls), mean((held) => held.bytes)];
  const slope = mean((held) => (held.calls - calls) * (held.bytes - bytes)) / mean((held) => (held.calls - calls) ** 2);
  return { slope, at: (call: number) => bytes + slope * (call - calls) };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
