import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSampleLog } from '../src/store/sample-log.ts';
import { cleanEnvironment } from './measure/clean-environment.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { measureTree } from './measure/process-tree.ts';
import { makeOurs } from './overhead/projects.ts';
import { makeRecords } from './overhead/records.ts';

const USAGE = `node bench/scale.ts [--sizes 25000,50000,100000]

What a replayed run of so many GAIA-form records costs, half of them wrong: time and memory must grow in proportion.`;

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '25000,50000,100000' }, help: { type: 'boolean' } },
});
if (values.help === true) console.log(USAGE);
else await report(values.sizes.split(',').map(Number));

async function report(sizes: readonly number[]): Promise<void> {
  const rows = [];
  for (const size of sizes) rows.push(await measure(size));
  const head = ['records', 'wall s', 'CPU s', 'CPU ms a record', 'peak MB', 'peak KB a record'];
  console.log(`One run of each size on ${describeMachine()}.\n\n${toMarkdownTable(head, rows)}`);
}

async function measure(size: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-scale-'));
  try {
    const { cwd, env } = makeOurs(join(folder, 'ours'), makeRecords({ count: size, wrong: 'half' }));
    const args = ['node_modules/vitest/vitest.mjs', 'run', 'evals/gaia', '--reporter=dot', '--silent'];
    const cost = await measureTree(args, { cwd, env: { ...cleanEnvironment(), ...env } });
    const { results, unreadable } = readSampleLog(join(cwd, '.evals/latest'));
    const found = new Set(results.map(({ id }) => id)).size;
    if (found !== size || results.length !== size || unreadable > 0) {
      throw new Error(`Expected ${size} rows, got ${results.length} of ${found} ids:\n${cost.output.slice(-2_000)}`);
    }
    const { wallMs, cpuMs, peakBytes } = cost;
    const figures = [wallMs / 1e3, cpuMs / 1e3, cpuMs / size, peakBytes / 1e6, peakBytes / size / 1e3];
    return [String(size), ...figures.map((figure) => figure.toFixed(1))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
