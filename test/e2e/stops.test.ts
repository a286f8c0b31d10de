import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shardSamples } from '../../src/datasets/selection.ts';
import type { Sample } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';
import { runScript, type Script } from './run-script.ts';
import { readRows, readStopped, type VitestRun } from './run-vitest.ts';

type Line = Script[number];

type Stop = {
  /**
   * What the agent does with the second of the four samples of this stop, and with the two after
   * it.
   */
  readonly deed?: Partial<Line>;
  readonly rest?: Partial<Line>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: NodeJS.Signals;
  readonly code?: number;
  /** How many of the four samples the agent is asked, where calls wait when the stop comes. */
  readonly asked?: number;
  readonly states: Readonly<Record<string, number>>;
  /** What the last line says of the missing results. */
  readonly missing: string;
};

const slow = { afterMs: 25_000 };

const STOPS = {
  '--bail': {
    deed: { say: '18', afterMs: 500 },
    rest: slow,
    args: ['--bail=1'],
    env: { EVAL_CONCURRENCY: '1' },
    asked: 3,
    states: { correct: 1, incorrect: 1, not_run: 2 },
    missing: '2 of 4 results are missing (bail 2): the first is scripted',
  },
  'an empty account': {
    deed: { say: '!error:quota' },
    env: { EVAL_CONCURRENCY: '1' },
    states: { correct: 1, errored: 1, not_run: 2 },
    missing: '2 of 4 results are missing (quota 2): see STOPPED above',
  },
  'kill -9 of the worker': {
    deed: { say: '!kill', afterMs: 500 },
    rest: slow,
    states: { correct: 1, not_run: 3 },
    missing: '3 of 4 results are missing (crash 3): the first is scripted',
  },
  'Ctrl-C': {
    deed: slow,
    rest: slow,
    signal: 'SIGTERM',
    code: 143,
    states: { correct: 1, not_run: 3 },
    missing: 'interrupted; 3 of 4 results are missing. Run the same command to go on.',
  },
} as const satisfies Readonly<Record<string, Stop>>;

/** Each stop has a shard of its own; the last one never runs. */
const COUNT = Object.keys(STOPS).length + 1;
const ids = Array.from({ length: 4 * COUNT }, (_, index) => `q${index}`);
const samples = ids.map((id) => toSample(id, 'level 1'));
/** A name or a tag leaves out these, one of each shard that reports. */
const others = ids
  .slice(1, COUNT - 1)
  .map((id) => toSample(`other ${id}`.replace('q', ''), 'level 2'));
const gates = [{ suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5 }];

function toSample(id: string, group: string): Sample {
  return { id, suite: 'scripted', input: '', target: '17', group, attachments: [], metadata: {} };
}

function toScript(index: number, { deed = {}, rest = {} }: Stop): Script {
  const own = shardSamples(samples, { index, count: COUNT });
  return own.map(({ id, group }, at) => ({ id, group, say: '17', ...[{}, deed, rest, rest][at] }));
}

const LEFT_OUT: Script = others.map(({ id, group }) => ({ id, group, say: '18' }));
const parts = Object.values<Stop>(STOPS).map((stop, at) => ({
  ...{ stop, index: at + 1 },
  script: toScript(at + 1, stop),
}));
const neverRun = toScript(COUNT, { states: {}, missing: '' });
const all = [...parts.flatMap(({ script }) => script), ...neverRun, ...LEFT_OUT];

function lastLineOf({ output }: VitestRun): string | undefined {
  return output.trimEnd().split('\n').at(-1);
}

/** The calls of the scripted agent: sample, trial and process. */
function readCalls(file: string): readonly (readonly string[])[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => line.split(' '));
}

function expectFigures(run: VitestRun, states: Stop['states'], n: number): void {
  const { suites } = readStopped(join(run.dir, 'latest'));
  expect(suites[0]?.groups.at(-1)).toMatchObject({ n, states });
  expect(run.output).not.toMatch(/gates? holds?|\[object/);
}

test('Ctrl-C stops a whole run at once, of which nothing is missing that a tag leaves out', async () => {
  const n = 1000;
  const script = Array.from({ length: n }, (_, at) => ({
    id: `q${at}`,
    group: 'level 1',
    say: '17',
    afterMs: 10,
  }));
  const calls = join(makeFolder(), 'calls');
  const run = await runScript([...script, ...LEFT_OUT], {
    gates,
    env: { EVAL_CONCURRENCY: '1', FIXTURE_CALLS: calls },
    args: ['run', 'evals', '--tags-filter=level1'],
    interrupt: { signal: 'SIGINT', afterRows: 1 },
  });
  const correct = readRows(join(run.dir, 'latest')).length;
  expectFigures(run, { correct, not_run: n - correct }, n);
  expect(lastLineOf(run)).toContain(`interrupted; ${n - correct} of ${n} results are missing.`);
  expect(run.code).toBe(130);
  // The last call was under way. None began while the report was made.
  expect(readCalls(calls).length - correct).toBeLessThanOrEqual(1);
});

test('a stopped process makes no answer late, and asks again what it may have made late', {
  timeout: 60_000,
}, async () => {
  const calls = join(makeFolder(), 'calls');
  const script = [
    { id: 'answers', say: '17', afterMs: 1000 },
    { id: 'fails', say: '!throw', afterMs: 1500 },
    { id: 'hangs', say: '17', afterMs: 60_000 },
  ];
  const env = { FIXTURE_CALLS: calls, FIXTURE_FINGERPRINT: 'v1', EVAL_TIMEOUT: '2' };
  const running = runScript(script, { env });
  while (readCalls(calls).length < 3) await sleep(20);
  const worker = Number(readCalls(calls)[0]?.[2]);
  process.kill(worker, 'SIGSTOP');
  await sleep(2500);
  process.kill(worker, 'SIGCONT');
  const { dir } = await running;
  const rows = readRows(join(dir, 'latest')).map(({ id, state, latency_ms }) => [
    id,
    state,
    latency_ms,
  ]);
  expect(rows).toEqual([
    // It may have been there before the process went on.
    ['answers', 'correct', null],
    ['fails', 'errored', expect.any(Number)],
    ['hangs', 'timed_out', 2000],
  ]);
  expect(
    readCalls(calls)
      .map(([id]) => id)
      .toSorted(),
  ).toEqual(['answers', 'fails', 'fails', 'hangs', 'hangs']);
});

test('shards of these stops, narrowed by a name, merge to the figures of the whole runs', {
  timeout: 180_000,
}, async () => {
  const dir = makeFolder();
  const narrowed = ['-t', 'q\\d'];
  for (const { stop, index } of parts) {
    const { args = [], env = {}, signal, code = 1, asked } = stop;
    const calls = join(dir, `calls-${index}`);
    const blob = ['--reporter=blob', `--outputFile=${join(dir, 'blobs', `${index}.json`)}`];
    const shard = await runScript(all, {
      ...{ gates, env: { ...env, EVAL_DIR: dir, FIXTURE_CALLS: calls } },
      args: ['run', 'evals', `--shard=${index}/${COUNT}`, ...args, ...narrowed, ...blob],
      ...(signal === undefined ? {} : { interrupt: { signal, afterRows: 1 } }),
    });
    expect([stop.missing, shard.code]).toEqual([stop.missing, code]);
    expect(shard.output).toContain(stop.missing);
    if (asked !== undefined) expect(readCalls(calls)).toHaveLength(asked);
  }
  const run = await runScript(all, {
    gates,
    args: ['run', `--merge-reports=${join(dir, 'blobs')}`],
    env: { EVAL_DIR: dir },
  });
  expect(run.code).toBe(1);
  // What was killed left no report: Vitest writes it at the end.
  const reported = parts.filter(({ stop }) => stop.signal === undefined);
  const stopped = reported.flatMap(({ stop }) => Object.entries(stop.states));
  const sums = Map.groupBy([...stopped, ['not_run', 8] as const], ([state]) => state);
  const states = [...sums].map(([state, counts]) => [
    state,
    counts.reduce((sum, [, count]) => sum + count, 0),
  ]);
  expectFigures(run, Object.fromEntries(states), ids.length);
  const [, missing = '', reasons = ''] =
    /(\d+) of \d+ results are missing \(([^)]*)/.exec(lastLineOf(run) ?? '') ?? [];
  expect(missing).toBe('15');
  const expected = ['bail 2', 'crash 3', 'no report 8', 'quota 2'];
  expect(reasons.split(', ').toSorted()).toEqual(expected);
  for (const shard of [4, 5]) {
    expect(run.report).toContain(
      `shard ${shard} of 5 is missing. Add its report and its run folder, or run it again.`,
    );
  }
});
