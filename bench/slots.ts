import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSampleLog } from '../src/runs/sample-log.ts';
import type { SampleResult } from '../src/types.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { runProject } from './overhead/compare.ts';
import { makeOurs } from './overhead/projects.ts';
import { makeRecords } from './overhead/records.ts';
import { addScriptedAgent } from './scripted/add-scripted-agent.ts';
import { makeLatencies } from './slots/latencies.ts';
import { boundMs, type Call, listScheduleMs, measureOccupancy } from './slots/occupancy.ts';

const USAGE = `node bench/slots.ts [--records 600] [--slots 20] [--seconds 20] [--seeds 1,2,3]

How well EVAL_CONCURRENCY slots are filled when answers take log-normal times (level 3 four times those of level 1), with
a "module:" agent that sleeps. --seconds is the ideal wall time. "bound" is max(total / slots, longest): no schedule is
shorter. "list" is what slots without any cost would take for the same order. "queued" is until the last call began.
Each seed runs twice: for the first time, and again with EVAL_CACHE=refresh, where it is known what took long.`;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '600' },
    slots: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    seeds: { type: 'string', default: '1,2,3' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report();

async function report(): Promise<void> {
  const rows = [];
  for (const seed of values.seeds.split(',').map(Number)) rows.push(...(await runTwice(seed)));
  const head = ['seed', 'run', 'bound', 'list', 'calls', 'bound/calls', 'list/calls', 'busy', 'busy queued', 'process'];
  const what = `${values.records} records, ${values.slots} slots`;
  console.log(`${what}, on ${describeMachine()}.\n\n${toMarkdownTable(head, rows)}`);
}

async function runTwice(seed: number): Promise<readonly (readonly string[])[]> {
  const slots = Number(values.slots);
  const records = makeRecords({ count: Number(values.records), wrong: 'none' });
  const latencies = makeLatencies(records, { seed, totalMs: Number(values.seconds) * 1000 * slots });
  const folder = mkdtempSync(join(tmpdir(), 'viva-slots-'));
  try {
    const script = Object.fromEntries(records.map(({ id, output }) => [id, { output, ms: latencies[id] ?? 0 }]));
    const project = addScriptedAgent(makeOurs(join(folder, 'ours'), records), script);
    const rows = [];
    for (const cache of ['on', 'refresh']) {
      const env = { ...project.env, EVAL_CONCURRENCY: String(slots), EVAL_CACHE: cache };
      const { wallMs } = await runProject({ ...project, env }, { count: records.length, wrong: 'none' });
      const calls = readSampleLog(join(project.cwd, '.evals/latest')).results.map(toCall);
      rows.push([String(seed), cache === 'on' ? 'first' : 'again', ...toCells(calls, latencies, wallMs, slots)]);
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toCall({ id, started_at, answered_at }: SampleResult): Call {
  return { id, startMs: Date.parse(started_at ?? ''), endMs: Date.parse(answered_at ?? '') };
}

function toCells(
  calls: readonly Call[],
  latencies: Readonly<Record<string, number>>,
  processMs: number,
  slots: number,
): readonly string[] {
  const inOrder = calls.toSorted((a, b) => a.startMs - b.startMs).map(({ id }) => latencies[id] ?? 0);
  const { wallMs, busy, busyWhileQueued } = measureOccupancy(calls, slots);
  const [bound, list] = [boundMs(inOrder, slots), listScheduleMs(inOrder, slots)];
  const times = [bound, list, wallMs].map(seconds);
  const shares = [bound / wallMs, list / wallMs, busy, busyWhileQueued].map((share) => `${(100 * share).toFixed(1)} %`);
  return [...times, ...shares, seconds(processMs)];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
