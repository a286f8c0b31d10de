import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanEnvironment } from './measure/clean-environment.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { median } from './measure/median.ts';
import { measureTree } from './measure/process-tree.ts';
import { makeOurs, type Project } from './overhead/projects.ts';
import { type BenchRecord, makeRecords } from './overhead/records.ts';
import { findFaults } from './soak/check.ts';
import { makeScript } from './soak/make-script.ts';

const USAGE = `node bench/soak.ts [--records 50000] [--mean-ms 230] [--slots 20]

A long run with a "module:" agent that answers, errs, hangs and talks at length (bench/soak/kinds.ts): the memory of all its
processes over time, and whether each sample has one call, one row and the state it must have. Ends with 1 if not.`;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '50000' },
    'mean-ms': { type: 'string', default: '230' },
    slots: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report();

async function report(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-soak-'));
  try {
    const records = makeRecords({ count: Number(values.records), wrong: 'none' });
    const project = makeProject(join(folder, 'ours'), records);
    const memory: { readonly ms: number; readonly bytes: number }[] = [];
    const start = performance.now();
    const env = { ...cleanEnvironment(), ...project.env };
    const { wallMs, cpuMs, peakBytes, code, output } = await measureTree(
      ['node_modules/vitest/vitest.mjs', ...project.args],
      { cwd: project.cwd, env, onMemory: (bytes) => memory.push({ ms: performance.now() - start, bytes }) },
    );
    const faults = findFaults(project.cwd, records);
    console.log(`${records.length} records, ${values.slots} slots, on ${describeMachine()}.\n`);
    console.log(toMarkdownTable(['minutes', 'memory (median)', 'highest'], toWindows(memory, wallMs)));
    console.log(`${seconds(wallMs)} wall, ${seconds(cpuMs)} CPU, peak ${megabytes(peakBytes)}, exit code ${code}`);
    console.log(`${faults.length} samples lost, doubled or with a wrong state\n${faults.slice(0, 20).join('\n')}`);
    if (faults.length > 0 || code !== 1) console.log(output.slice(-3000));
    // Cases fail and there is no gate: 1 is what the run itself must end with.
    process.exitCode = faults.length === 0 && code === 1 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeProject(folder: string, records: readonly BenchRecord[]): Project {
  const project = makeOurs(folder, records);
  cpSync(join(import.meta.dirname, 'soak/agent.ts'), join(folder, 'agent.ts'));
  writeFileSync(join(folder, 'script.json'), JSON.stringify(makeScript(records, Number(values['mean-ms']))));
  const settings = { EVAL_AGENT: 'module:./agent.ts', EVAL_TIMEOUT: '4', EVAL_CONCURRENCY: values.slots };
  // Each failure as text would be most of what is printed.
  return {
    ...project,
    args: ['run', 'evals/gaia', '--reporter=dot', '--silent'],
    env: { ...project.env, ...settings },
  };
}

/** Ten equal spans of the run. */
function toWindows(memory: readonly { readonly ms: number; readonly bytes: number }[], wallMs: number) {
  const tenth = wallMs / 10;
  return Array.from({ length: 10 }, (_, index) => {
    const bytes = memory.filter(({ ms }) => Math.floor(ms / tenth) === index).map((sample) => sample.bytes);
    const span = [index, index + 1].map((count) => ((count * tenth) / 60_000).toFixed(1)).join(' to ');
    return [span, megabytes(median(bytes)), megabytes(bytes.reduce((most, next) => Math.max(most, next), 0))];
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}
