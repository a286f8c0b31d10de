import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSampleLog } from '../src/runs/sample-log.ts';
import { describeMachine } from './measure/machine.ts';
import type { Cost } from './measure/process-tree.ts';
import { type Comparison, runProject } from './overhead/compare.ts';
import { makeOurs, makePlain, type Project } from './overhead/projects.ts';
import { type BenchRecord, type Case, makeRecords } from './overhead/records.ts';
import { renderComparisons } from './overhead/report.ts';
import { addScriptedAgent } from './scripted/add-scripted-agent.ts';

const USAGE = `node bench/resume.ts [--sizes 10000] [--runs 5]

What a run costs whose answers are all in the cache (it reads and grades them, and asks nothing), beside plain Vitest with
as many tests. Medians of --runs interleaved runs, after a run that fills the cache.`;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report(values.sizes.split(',').map(Number), Number(values.runs));

async function report(sizes: readonly number[], runs: number): Promise<void> {
  const comparisons = [];
  for (const count of sizes) comparisons.push(await compareResumed({ count, wrong: 'none' }, runs));
  console.log(`Medians of ${runs} interleaved runs on ${describeMachine()}.\n\n${renderComparisons(comparisons)}`);
}

async function compareResumed(wanted: Case, runs: number): Promise<Comparison> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-resume-'));
  try {
    const records = makeRecords(wanted);
    const [ours, plain] = [makeCached(join(folder, 'ours'), records), makePlain(join(folder, 'plain'), records)];
    await runOurs(ours, wanted, 0);
    await runProject(plain, wanted);
    const costs: { ours: Cost; plain: Cost }[] = [];
    for (let turn = 0; turn < runs; turn++) {
      costs.push({ plain: await runProject(plain, wanted), ours: await runOurs(ours, wanted, wanted.count) });
    }
    return { ...wanted, ours: costs.map((cost) => cost.ours), plain: costs.map((cost) => cost.plain) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeCached(folder: string, records: readonly BenchRecord[]): Project {
  const script = Object.fromEntries(records.map(({ id, output }) => [id, { output, ms: 0 }]));
  return addScriptedAgent(makeOurs(folder, records), script);
}

/** A run of which another number of answers comes from the cache is no measurement. */
async function runOurs(project: Project, wanted: Case, cached: number): Promise<Cost> {
  const cost = await runProject(project, wanted);
  const dir = join(project.cwd, '.evals');
  const { results } = readSampleLog(join(dir, 'latest'));
  const found = results.filter((result) => result.cached).length;
  if (results.length !== wanted.count || found !== cached) {
    throw new Error(`Expected ${cached} of ${wanted.count} answers from the cache, got ${found} of ${results.length}.`);
  }
  rmSync(join(dir, 'runs'), { recursive: true });
  return cost;
}
