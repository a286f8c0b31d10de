import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment } from '../test/e2e/run-vitest.ts';
import { describeMachine } from './measure/machine.ts';
import { readOptions } from './measure/options.ts';
import { measureTree } from './measure/process-tree.ts';
import { installPackage, writeData } from './overhead/projects.ts';
import { type BenchRecord, makeRecords } from './overhead/records.ts';
import { makeVariants } from './overhead/sides.ts';
import { install } from './peers/install.ts';
import { type Measurement, type Run, renderCosts } from './peers/report.ts';
import { TOOLS, type Tool } from './peers/tools.ts';

const USAGE = `node bench/peers.ts [--sizes 200,2000,10000] [--runs 3]

What the same records cost in other tools: an agent that answers at once, exact match, 20 calls at once where the tool can.
Medians of --runs interleaved runs. Each tool is installed with npm into a temporary folder (minutes; promptfoo takes
1.5 GB). A tool that takes over 2 minutes is given up at that size.`;

const TIMEOUT_MS = 120_000;

/** A side of the comparison over one set of records. */
type Side = { readonly name: string; run(): Promise<Run> };

const options = readOptions(USAGE, { sizes: '200,2000,10000', runs: '3' });
await report(options.sizes.split(',').map(Number), Number(options.runs));

async function report(sizes: readonly number[], runs: number): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'viva-peers-'));
  try {
    const tools = installAll(join(temporary, 'tools'));
    console.log(`Medians of ${runs} interleaved runs on ${describeMachine()}.\n`);
    const modules = await installPackage(temporary);
    for (const count of sizes)
      console.log(renderCosts(await measureSize(count, runs, tools, temporary, modules)));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

type Installed = { readonly tool: Tool; readonly cwd: string };

function installAll(folder: string): readonly Installed[] {
  return TOOLS.flatMap((tool) => {
    const problem = install(tool, folder);
    if (problem === null) return [{ tool, cwd: join(folder, tool.folder) }];
    console.log(`${tool.name} is left out: it does not install (${problem}).\n`);
    return [];
  });
}

async function measureSize(
  count: number,
  runs: number,
  tools: readonly Installed[],
  temporary: string,
  modules: string,
): Promise<readonly Measurement[]> {
  const folder = join(temporary, String(count));
  mkdirSync(folder);
  const wanted = { count, wrong: 'none' } as const;
  const own = makeVariants(folder, wanted, modules);
  const records = makeRecords(wanted);
  const sides: readonly Side[] = [
    { name: 'plain Vitest', run: own.plain },
    { name: 'viva, package', run: own['package-module'] },
    ...tools.map((each) => makeSide(each, records)),
  ];
  const done = sides.map((): Run[] => []);
  // The first turn warms up and is dropped.
  for (let turn = 0; turn <= runs; turn++) {
    for (const [index, side] of sides.entries()) {
      const gaveUp = done[index]?.some((run) => typeof run === 'string') === true;
      if (!gaveUp) done[index]?.push(await side.run());
    }
  }
  return sides.map(({ name }, index) => {
    const all = done[index] ?? [];
    return { name, count, runs: all.length > 1 ? all.slice(1) : all };
  });
}

function makeSide({ tool, cwd }: Installed, records: readonly BenchRecord[]): Side {
  const rows = records.map(({ id, question, truth, answer }) => ({ id, question, truth, answer }));
  const run = async () => {
    writeFileSync(join(cwd, 'records.json'), JSON.stringify(rows));
    writeData(cwd, records);
    const env = { ...cleanEnvironment(), ...tool.env };
    const { output, timedOut, ...cost } = await measureTree(tool.args, {
      cwd,
      env,
      timeoutMs: TIMEOUT_MS,
    });
    if (timedOut) return '> 2 min';
    const expected = tool.passed?.(rows.length) ?? '';
    if (cost.code === 0 && output.includes(expected)) return cost;
    console.log(
      `${tool.name} did not say "${expected}" (exit code ${cost.code}):\n${output.slice(-3000)}`,
    );
    return 'failed';
  };
  return { name: tool.name, run };
}
