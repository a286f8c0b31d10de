import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SampleResult } from '../../src/words/row.ts';
import { writeGaiaFixture } from '../e2e/gaia-fixture.ts';
import { readRows, readSummary, runVitest, type VitestRun } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { survivors } from '../processes.ts';
import { watchProcesses } from './watch-processes.ts';

/**
 * A fault, which is the id of its question, and what becomes of the sample: "state" or "state
 * reason".
 */
export type Faults = Readonly<Record<string, string>>;

export type FaultRun = VitestRun & {
  readonly rows: readonly SampleResult[];
  /** "state" or "state reason" by id. */
  readonly outcomes: Faults;
};

/** Settings of a run that asks each of these questions, all of them with the expected answer 17. */
export function faultSettings(
  ids: readonly string[],
  agent: string,
): Readonly<Record<string, string>> {
  const { env } = writeGaiaFixture(ids.map((id) => ({ id })));
  const mark = `fault-${crypto.randomUUID()}`;
  return { ...env, EVAL_DIR: makeFolder(), EVAL_AGENT: agent, FAULT_MARK: mark };
}

/**
 * One run over the GAIA suite; afterwards every sample has one row and no process that it started
 * is left.
 */
export async function runFaults(env: Readonly<Record<string, string>>): Promise<FaultRun> {
  const watch = watchProcesses(env['FAULT_MARK'] ?? '');
  const run = await runVitest(['run', 'evals/gaia'], { ...env, ...watch.env });
  expect(await survivors(watch.findLeft())).toEqual([]);
  const rows = existsSync(join(run.dir, 'latest')) ? readRows(join(run.dir, 'latest')) : [];
  const trials = rows.map(({ agent, id }) => `${agent} ${id}`);
  expect(new Set(trials).size).toBe(trials.length);
  return { ...run, rows, outcomes: outcomesOf(rows) };
}

export function outcomesOf(rows: readonly SampleResult[]): Faults {
  return Object.fromEntries(
    rows.map(({ id, state, reason }) => [id, reason === null ? state : `${state} ${reason}`]),
  );
}

/** The figures of the last run of a folder for all groups of its first suite. */
export function totalsOf({ dir }: Pick<FaultRun, 'dir'>) {
  const { suites, complete } = readSummary(join(dir, 'latest'));
  return { complete, ...suites[0]?.groups.at(-1) };
}
