import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { shardSamples } from '../../src/datasets/selection.ts';
import type { Sample } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';
import { runScript, type Script } from './run-script.ts';
import { readSummary, type VitestRun } from './run-vitest.ts';

const ids = Array.from({ length: 8 }, (_, index) => `q${index}`);
const samples = ids.map(
  (id): Sample => ({ id, suite: 'scripted', input: '', target: '17', group: 'all', attachments: [], metadata: {} }),
);
const [first = '', stopper = '', ...last] = shardSamples(samples, { index: 1, count: 2 }).map(({ id }) => id);
const second = shardSamples(samples, { index: 2, count: 2 }).map(({ id }) => id);
const gates = [{ suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5 }];
const atOnce = (id: string) => ({ id, say: '17', cost: 1 });
const slow = { afterMs: 25_000 };

/** Five questions, four of them of the second shard, are answered at once; then something stops the run or shard 1. */
function toScript(stop: object, rest: object): Script {
  const answered = [first, ...second].map(atOnce);
  return [...answered, { ...atOnce(stopper), ...stop }, ...last.map((id) => ({ ...atOnce(id), ...rest }))];
}

type Stop = {
  readonly script: Script;
  readonly args?: readonly string[];
  /** Settings of the whole run, and of its first shard where they differ. */
  readonly env?: Readonly<Record<string, string>>;
  readonly shardEnv?: Readonly<Record<string, string>>;
  readonly signal?: NodeJS.Signals;
  readonly states: object;
  readonly bounds: readonly [number, number];
  /** What the last line names. */
  readonly missing: string;
};

const oneAtOnce = { EVAL_CONCURRENCY: '1' };

const STOPS: Readonly<Record<string, Stop>> = {
  '--bail': {
    script: toScript({ say: '18', afterMs: 500 }, slow),
    args: ['--bail=1'],
    states: { correct: 5, incorrect: 1, not_run: 2 },
    bounds: [5 / 8, 7 / 8],
    missing: '2 missing results (bail 2), the first: scripted',
  },
  'a budget': {
    script: toScript({}, {}),
    env: { ...oneAtOnce, EVAL_MAX_COST: '5' },
    shardEnv: { ...oneAtOnce, EVAL_MAX_COST: '1' },
    states: { correct: 5, not_run: 3 },
    bounds: [5 / 8, 1],
    missing: '3 missing results (budget 3: EVAL_MAX_COST=',
  },
  'an empty account': {
    script: toScript({ say: '!error:quota' }, {}),
    env: oneAtOnce,
    states: { correct: 5, errored: 1, not_run: 2 },
    bounds: [5 / 8, 7 / 8],
    missing: '2 missing results (quota 2: scripted was refused',
  },
  'a refused key': {
    script: toScript({ say: '!error:auth' }, {}),
    env: oneAtOnce,
    states: { correct: 5, errored: 1, not_run: 2 },
    bounds: [5 / 8, 7 / 8],
    missing: '2 missing results (auth 2: scripted was refused',
  },
  'Ctrl-C': {
    script: toScript(slow, slow),
    signal: 'SIGINT',
    states: { correct: 5, not_run: 3 },
    bounds: [5 / 8, 1],
    missing: '3 missing results (interrupted 3), the first: scripted',
  },
  'kill -9 of the worker': {
    script: toScript({ say: '!kill', afterMs: 500 }, slow),
    states: { correct: 5, not_run: 3 },
    bounds: [5 / 8, 1],
    missing: '3 missing results (crash 3), the first: scripted',
  },
};

/** The second shard ends by itself, whatever stops the first: one run of it serves all. */
const shared = mkdtempSync(join(tmpdir(), 'viva-'));
afterAll(() => rmSync(shared, { recursive: true, force: true }));
let secondShard: Promise<VitestRun> | null = null;

function runShard(index: number, dir: string, { script, args = [], shardEnv, env, signal }: Partial<Stop>) {
  const blob = ['--reporter=blob', `--outputFile=${join(dir, 'blobs', `${index}.json`)}`];
  return runScript(script ?? toScript({}, {}), {
    gates,
    args: ['run', 'evals', `--shard=${index}/2`, ...args, ...blob],
    env: { ...(shardEnv ?? env), EVAL_DIR: dir },
    ...(signal === undefined ? {} : { interrupt: { signal, afterRows: 1 } }),
  });
}

/** Merges the second shard with what `stop` left of the first; null for a first shard that never ran. */
async function runShards(stop: Stop | null): Promise<VitestRun> {
  secondShard ??= runShard(2, shared, {});
  const dir = makeFolder();
  if (stop !== null) await runShard(1, dir, stop);
  expect((await secondShard).code).toBe(0);
  for (const name of ['runs', 'blobs']) cpSync(join(shared, name), join(dir, name), { recursive: true });
  return runScript([], { gates, args: ['run', `--merge-reports=${join(dir, 'blobs')}`], env: { EVAL_DIR: dir } });
}

function runWhole({ script, args = [], env = {}, signal }: Stop): Promise<VitestRun> {
  const interrupt = signal === undefined ? {} : { interrupt: { signal, afterRows: 5 } };
  return runScript(script, { gates, args: ['run', 'evals', ...args], env, ...interrupt });
}

function expectStopped(run: VitestRun, { states, bounds, missing }: Omit<Stop, 'script'>): void {
  const { complete, suites } = readSummary(join(run.dir, 'latest'));
  expect(complete).toBe(false);
  expect(suites[0]?.groups.at(-1)).toMatchObject({ n: 8, accuracy: null, bounds, states });
  expect(run.output.trimEnd().split('\n').at(-1)).toContain(missing);
  expect(run.output).not.toMatch(/gates? holds?|\[object/);
}

describe.each(Object.entries(STOPS))('%s', (_, stop) => {
  test('stops a whole run', async () => {
    const run = await runWhole(stop);
    expectStopped(run, stop);
    expect(run.code).toBe(stop.signal === undefined ? 1 : 130);
  });

  test('stops one of two shards', async () => {
    const run = await runShards(stop);
    expectStopped(run, stop);
    expect(run.code).toBe(1);
    expect(run.report.includes('shard 1 of 2 left no report')).toBe(stop.signal !== undefined);
  });
});

test('a shard that never ran is named', async () => {
  const run = await runShards(null);
  expectStopped(run, {
    states: { correct: 4, not_run: 4 },
    bounds: [4 / 8, 1],
    missing:
      'shard 1 of 2 is missing. Add its report and its run folder, or run it again.; 4 missing results (no report 4)',
  });
  expect(run.code).toBe(1);
});

test('SIGTERM ends a run of what a tag picks, which reports what was answered of that', async () => {
  const stop = { script: toScript(slow, slow), states: { correct: 5, not_run: 3 }, bounds: [5 / 8, 1] as const };
  const picked = stop.script.map((line) => ({ ...line, group: 'level 1' }));
  const script = [...picked, { id: 'other', group: 'level 2', say: '17' }];
  const args = ['run', 'evals', '--tags-filter=level1'];
  const run = await runScript(script, { args, gates, interrupt: { signal: 'SIGTERM', afterRows: 5 } });
  expectStopped(run, { ...stop, missing: 'exit 143: the run was interrupted; 3 missing results (interrupted 3)' });
  expect(run.code).toBe(143);
});
