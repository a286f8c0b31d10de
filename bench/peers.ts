import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment } from '../test/e2e/run-vitest.ts';
import { describeMachine } from './measure/machine.ts';
import { readOptions } from './measure/options.ts';
import { measureTree } from './measure/process-tree.ts';
import { describeCommit, writeResults } from './measure/publish.ts';
import { installPackage, writeData } from './overhead/projects.ts';
import { type BenchRecord, type Case, makeRecords } from './overhead/records.ts';
import { makeVariants } from './overhead/sides.ts';
import { install } from './peers/install.ts';
import { type Measurement, type Run, renderCosts } from './peers/report.ts';
import { TOOLS, type Tool, VITESTS } from './peers/tools.ts';

const DEFAULTS = { sizes: '200,2000,10000', runs: '3' };

const USAGE = `node bench/peers.ts [--sizes ${DEFAULTS.sizes}] [--runs ${DEFAULTS.runs}]

What the same records cost in other tools: an agent that answers at once, exact match, 20 calls at once where the tool can.
Medians of --runs interleaved runs. Each tool is installed with npm into a temporary folder (minutes; promptfoo takes
2 GB). A tool that takes over 2 minutes is given up at that size.
Everything takes about 20 minutes and is written into bench/RESULTS.md. With an option, or where a tool fails, the tables
are only printed.`;

const TIMEOUT_MS = 120_000;
const FAILED = 'failed';

/** A side of the comparison over one set of records. */
type Side = { readonly name: string; run(): Promise<Run> };

/** What is measured at each size: viva beside each Vitest, and the other tools. */
type Installed = Readonly<{
  own: readonly { readonly vitest: string; readonly modules: string }[];
  tools: readonly { readonly tool: Tool; readonly cwd: string }[];
}>;

const options = readOptions(USAGE, DEFAULTS);
await report(options.sizes.split(',').map(Number), Number(options.runs));

async function report(sizes: readonly number[], runs: number): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'viva-peers-'));
  try {
    const installed = {
      own: await installOwn(temporary),
      tools: installTools(join(temporary, 'tools')),
    };
    const intro = describeRuns(runs);
    console.log(intro);
    const measured: Measurement[] = [];
    for (const count of sizes) {
      const folder = join(temporary, String(count));
      const figures = await measureSize(count, runs, installed, folder);
      console.log(renderCosts(figures));
      measured.push(...figures);
    }
    if (isForResults(sizes, runs, measured))
      writeResults('peers', `${intro}${renderCosts(measured)}`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Whether everything was measured: as by default, each tool, no failure. */
function isForResults(
  sizes: readonly number[],
  runs: number,
  measured: readonly Measurement[],
): boolean {
  const wanted = sizes.length * (VITESTS.length + TOOLS.length);
  const failed = measured.some((each) => each.runs.includes(FAILED));
  const isDefault = sizes.join() === DEFAULTS.sizes && String(runs) === DEFAULTS.runs;
  return isDefault && measured.length === wanted && !failed;
}

function describeRuns(runs: number): string {
  const packages = TOOLS.map((tool) => tool.packages.join(' with '));
  const others = [...new Set(packages)].filter((name) => !name.startsWith('vitest@')).join(', ');
  const day = new Date().toISOString().slice(0, 10);
  return `At commit ${describeCommit()} on ${day}, medians of ${runs} interleaved runs behind one that warms up, on
${describeMachine(VITESTS.join(' and '))};
${others}:
\n`;
}

async function installOwn(temporary: string): Promise<Installed['own']> {
  const own = [];
  for (const vitest of VITESTS)
    own.push({ vitest, modules: await installPackage(join(temporary, `viva-${vitest}`), vitest) });
  return own;
}

function installTools(folder: string): Installed['tools'] {
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
  { own, tools }: Installed,
  folder: string,
): Promise<readonly Measurement[]> {
  const wanted = { count, wrong: 'none' } as const;
  const records = makeRecords(wanted);
  const sides = [
    ...own.map(({ vitest, modules }) => makeOwnSide(join(folder, vitest), wanted, vitest, modules)),
    ...tools.map(({ tool, cwd }) => makeSide(tool, cwd, records)),
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

function makeOwnSide(folder: string, wanted: Case, vitest: string, modules: string): Side {
  mkdirSync(folder, { recursive: true });
  return {
    name: `viva, Vitest ${vitest}`,
    run: makeVariants(folder, wanted, modules)['package-module'],
  };
}

function makeSide(tool: Tool, cwd: string, records: readonly BenchRecord[]): Side {
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
    return FAILED;
  };
  return { name: tool.name, run };
}
