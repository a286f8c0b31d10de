import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { writeGaiaFixture } from '../e2e/gaia-fixture.ts';
import { type RunOptions, readRows, readSummary, runFolderOf, runVitest, type VitestRun } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { survivors } from '../processes.ts';
import { watchProcesses } from './watch-processes.ts';

/** A fault, which is the id of its question, and what becomes of the sample: "state" or "state reason". */
export type Faults = Readonly<Record<string, string>>;

export type FaultRun = VitestRun & {
  /** "state" or "state reason" by id, from samples.jsonl. */
  readonly outcomes: Faults;
  /** Whether each row is of the cache, by id. */
  readonly recalled: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Settings of a run that asks each of these questions, all of them with the truth 17. */
export function faultSettings(ids: readonly string[], agent: string): Readonly<Record<string, string>> {
  const { env } = writeGaiaFixture(ids.map((id) => ({ id })));
  const mark = `fault-${crypto.randomUUID()}`;
  return { ...env, EVAL_DIR: makeFolder(), EVAL_AGENT: agent, FAULT_MARK: mark };
}

/** One run over the GAIA suite; afterwards every sample has one row and no process that it started is left. */
export async function runFaults(env: Readonly<Record<string, string>>, options: RunOptions = {}): Promise<FaultRun> {
  const watch = watchProcesses(env['FAULT_MARK'] ?? '');
  const run = await runVitest(['run', 'evals/gaia'], { ...env, ...watch.env }, options);
  expect(await survivors(watch.findLeft(), 5_000)).toEqual([]);
  const rows = existsSync(join(run.dir, 'latest')) ? readRows(join(run.dir, 'latest')) : [];
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const outcome = ({ state, reason }: (typeof rows)[number]) => (reason === null ? state : `${state} ${reason}`);
  return {
    ...run,
    env,
    outcomes: Object.fromEntries(rows.map((row) => [row.id, outcome(row)])),
    recalled: rows.filter(({ cached }) => cached).map(({ id }) => id),
  };
}

/** The figures of the last run of a folder for all groups. */
export function totalsOf({ dir }: Pick<FaultRun, 'dir'>) {
  const { suites, complete } = readSummary(latest(dir));
  return { complete, ...suites[0]?.groups.at(-1) };
}

export function latest(dir: string): string {
  return existsSync(join(dir, 'latest')) ? join(dir, 'latest') : runFolderOf(dir);
}
