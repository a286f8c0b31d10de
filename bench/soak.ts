import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanEnvironment } from './measure/clean-environment.ts';
import { describeMachine } from './measure/machine.ts';
import { makeApiPart } from './soak/api-part.ts';
import { findFaults } from './soak/check.ts';
import { makeCommandPart } from './soak/command-part.ts';
import { makeModulePart } from './soak/module-part.ts';
import type { Part } from './soak/part.ts';
import { describeRun, findGrowth } from './soak/spans.ts';
import { type Watched, watchRun } from './soak/watch.ts';

const USAGE = `node bench/soak.ts [--module 50000] [--api 2500] [--commands 5000] [--mean-ms 150] [--slots 20]

Three long runs side by side (0 leaves one out): of a "module:" agent; of an agent of each API, with a loopback server, each
asked every question; and of a "command:" agent. They answer, err, hang and talk at length (bench/soak/kinds.ts, api-kinds.ts).
Prints memory, descriptors and processes over time, and whether each sample has its calls, one row and its state; whether
descriptors grow; and whether a process or temporary file is left. Ends with 1 if something is wrong.`;

const { values } = parseArgs({
  options: {
    module: { type: 'string', default: '50000' },
    api: { type: 'string', default: '2500' },
    commands: { type: 'string', default: '5000' },
    'mean-ms': { type: 'string', default: '150' },
    slots: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report();

async function report(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-soak-'));
  try {
    console.log(`${values.slots} slots in each run, on ${describeMachine()}.\n`);
    const parts = await makeParts(folder);
    const faults = await Promise.all(parts.map((part) => soak(part, join(folder, `${part.name}-tmp`))));
    process.exitCode = faults.every((count) => count === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeParts(folder: string): Promise<readonly Part[]> {
  const [modules, apis, commands] = [values.module, values.api, values.commands].map(Number);
  return [
    ...(modules ? [makeModulePart(join(folder, 'module'), modules, Number(values['mean-ms']))] : []),
    ...(apis ? [await makeApiPart(join(folder, 'API'), apis)] : []),
    ...(commands ? [makeCommandPart(join(folder, 'command'), commands)] : []),
  ];
}

/** Runs a part, prints what it came to, and counts what is wrong. */
async function soak(part: Part, temporary: string): Promise<number> {
  mkdirSync(temporary);
  // Each failure as text would be most of what is printed.
  const args = ['run', 'evals/gaia', '--reporter=dot', '--silent'];
  const env = { ...part.project.env, EVAL_CONCURRENCY: values.slots, TMPDIR: temporary };
  const watched = await watchRun({ ...part.project, args, env }, cleanEnvironment());
  const faults = [...findFaults(part), ...findLeft(part, watched, temporary), ...findGrowth(watched)];
  part.close?.();
  console.log(describeRun(part, watched));
  console.log(`${faults.length} faults\n${faults.slice(0, 40).join('\n')}\n`);
  if (faults.length > 0) console.log(watched.output.slice(-3000));
  return faults.length;
}

function findLeft(part: Part, { survivors, code }: Watched, temporary: string): readonly string[] {
  return [
    ...survivors.map((command) => `a process is left: ${command}`),
    ...readdirSync(temporary).map((name) => `a temporary file is left: ${name}`),
    ...(part.findLeft?.() ?? []),
    // Cases fail and there is no gate: 1 is what the run itself must end with.
    ...(code === 1 ? [] : [`exit code ${code}, expected 1`]),
  ];
}
