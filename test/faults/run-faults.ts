import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { writeGaiaFixture } from '../e2e/gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest, type VitestRun } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { survivors } from '../processes.ts';

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
export async function runFaults(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<FaultRun> {
  const run = await runVitest(['run', 'evals/gaia', ...args], env);
  expect(await survivors(marked(env['FAULT_MARK'] ?? ''), 5_000)).toEqual([]);
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

/** Processes whose environment or command line holds a mark, but this one. */
function marked(mark: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`].some(holds)).map(Number);

  function holds(file: string): boolean {
    try {
      return readFileSync(file, 'latin1').includes(mark);
    } catch {
      return false;
    }
  }
}
