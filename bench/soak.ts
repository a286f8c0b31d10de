import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readSampleLog } from '../src/store/sample-log.ts';
import { cleanEnvironment } from './measure/clean-environment.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { median } from './measure/median.ts';
import { type Moment, measureTree, readProc } from './measure/process-tree.ts';
import { makeOurs } from './overhead/projects.ts';
import { type BenchRecord, makeRecords } from './overhead/records.ts';
import { COMMAND_KINDS, kindOf, MODULE_KINDS } from './soak/kinds.ts';

const USAGE = `node bench/soak.ts [--count 5000] [--slots 20]

A long run of a "module:" and a "command:" agent, each asked every question. They answer, err, hang and talk at length
(bench/soak/kinds.ts). Prints memory, descriptors and processes over time; whether each sample has one call, one row and
its state; and whether a process or temporary file is left. Ends with 1 if something is wrong. Linux only.`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    slots: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
});

const AGENTS = [
  { name: 'module:./agent.ts', kinds: MODULE_KINDS, calls: 'calls.txt' },
  { name: 'command:sh command-agent.sh', kinds: COMMAND_KINDS, calls: 'command-calls.txt' },
];
const SPANS = 10;

if (values.help === true) console.log(USAGE);
else await soak(Number(values.count));

async function soak(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-soak-'));
  try {
    const records = makeRecords({ count, wrong: 'none' });
    const project = makeProject(join(folder, 'project'), records);
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const mark = `soak-${crypto.randomUUID()}`;
    const env = { ...cleanEnvironment(), ...project.env, TMPDIR: temporary, SOAK_MARK: mark };
    const moments: Moment[] = [];
    const args = ['node_modules/vitest/vitest.mjs', 'run', 'evals/gaia', '--reporter=dot', '--silent'];
    const run = await measureTree(args, { cwd: project.cwd, env, onMoment: (moment) => moments.push(moment) });
    // What was killed at the end has its moment to go.
    await sleep(3000);
    const faults = [
      ...findFaults(project.cwd, records),
      ...findProcesses(mark).map((command) => `a process is left: ${command}`),
      ...readdirSync(temporary).map((name) => `a temporary file is left: ${name}`),
      // Cases fail and there is no gate.
      ...(run.code === 1 ? [] : [`exit code ${run.code}, expected 1:\n${run.output.slice(-3000)}`]),
    ];
    const took = `${(run.wallMs / 1000).toFixed(0)} s, ${(run.cpuMs / 1000).toFixed(0)} s of CPU time`;
    console.log(
      `${count} questions, ${AGENTS.length} agents, ${values.slots} slots, ${took}, on ${describeMachine()}.\n`,
    );
    console.log(`${toTable(moments)}\n\n${faults.length} faults\n${faults.slice(0, 40).join('\n')}`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeProject(folder: string, records: readonly BenchRecord[]) {
  const project = makeOurs(folder, records);
  for (const name of ['agent.ts', 'command-agent.sh']) {
    cpSync(join(import.meta.dirname, 'soak', name), join(folder, name));
  }
  mkdirSync(join(folder, 'parts'));
  const script: Record<string, object> = {};
  for (const [index, { id, truth }] of records.entries()) {
    const { name: kind } = kindOf(MODULE_KINDS, index);
    script[id] = { kind, answer: kind === 'wrong' ? `not ${truth}` : truth, ms: (index * 37) % 400 };
    writeFileSync(join(folder, 'parts', id), `${kindOf(COMMAND_KINDS, index).name}\n${truth}\n`);
  }
  writeFileSync(join(folder, 'script.json'), JSON.stringify(script));
  const names = AGENTS.map(({ name }) => name).join();
  const env = { ...project.env, EVAL_AGENT: names, EVAL_CONCURRENCY: values.slots, EVAL_TIMEOUT: '30' };
  return { cwd: project.cwd, env };
}

/** Samples without exactly one call, one row and the state of their kind, in words. */
function findFaults(cwd: string, records: readonly BenchRecord[]): readonly string[] {
  const { results, unreadable } = readSampleLog(join(cwd, '.evals/latest'));
  const rows = Map.groupBy(results, ({ agent, id }) => `${agent} ${id}`);
  const faults = AGENTS.flatMap(({ name, kinds, calls }) => {
    const asked = Map.groupBy(readFileSync(join(cwd, calls), 'utf8').trim().split('\n'), (id) => id);
    return records.flatMap(({ id }, index) => {
      const expected = kindOf(kinds, index);
      const found = [
        asked.get(id)?.length,
        rows
          .get(`${name} ${id}`)
          ?.map(({ state }) => state)
          .join(),
      ];
      return found.join() === `1,${expected.state}`
        ? []
        : [`${name} ${id} (${expected.name}): calls, states: ${found}`];
    });
  });
  return [...(unreadable === 0 ? [] : [`${unreadable} lines cannot be read`]), ...faults];
}

/** The command lines of processes that bear the run's mark in their environment. */
function findProcesses(mark: string): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const left = pids.filter((pid) => readProc(`${pid}/environ`).includes(mark));
  return left.map((pid) => readProc(`${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200));
}

/** The run in ten equal spans. */
function toTable(moments: readonly Moment[]): string {
  const spans = Array.from({ length: SPANS }, (_, index) =>
    moments.slice((index * moments.length) / SPANS, ((index + 1) * moments.length) / SPANS),
  );
  const rows = spans.map((span, index) => {
    const bytes = span.map((moment) => moment.bytes);
    const memory = [median(bytes), Math.max(...bytes)].map((size) => `${Math.round(size / 1e6)} MB`);
    const files = median(span.map((moment) => moment.files));
    return [`${index + 1}`, ...memory, `${files}`, `${Math.max(...span.map(({ processes }) => processes))}`];
  });
  return toMarkdownTable(['tenth', 'memory (median)', 'highest', 'descriptors (median)', 'most processes'], rows);
}
