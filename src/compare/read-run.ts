import { basename } from 'node:path';
import { hideOwnWords } from '../hides-records.ts';
import { listExpectedTrials } from '../runs/expected-trials.ts';
import { type Manifest, readManifest, type SuiteManifest } from '../runs/manifest.ts';
import { toNotRun } from '../runs/not-run.ts';
import { readSampleLog, resultKey } from '../runs/sample-log.ts';
import type { SampleResult } from '../types.ts';
import { type ComparedSide, toSides } from './compared-side.ts';
import { gradeAgain } from './grade-again.ts';

/** A run that is compared with another one. */
export type ComparedRun = {
  /** Absolute path, and its last part. */
  readonly folder: string;
  readonly name: string;
  readonly sides: readonly ComparedSide[];
  /** Lines of samples.jsonl that a crash or a full disk tore: their trials count as not run. */
  readonly unreadable: number;
  /** Trials of which samples.jsonl has several rows, as watch mode leaves them: the last one counts. */
  readonly repeated: number;
};

/**
 * Reads a run folder: a result for each trial that its manifest selected, `not_run` where no row tells of it. Choices
 * that an older version read are read again. Throws for a folder that is no run, that another version wrote, or in
 * which nothing was answered. `hides` says that records must not be shown.
 */
export function readRun(folder: string, hides = false): ComparedRun {
  const manifest = readManifest(folder);
  if (!isWhole(manifest)) {
    throw new Error(`${folder}: facts are missing in its manifest.json. Compare with a run that was not edited.`);
  }
  const { results: written, unreadable } = readSampleLog(folder);
  const rows = hides ? written.map(hideOwnWords) : written;
  const { results, repeated } = selectRows(manifest, rows, basename(folder));
  if (results.every(({ state }) => state === 'not_run')) {
    throw new Error(`${folder} holds no result of what it was to ask. Name a run in which something was answered.`);
  }
  const sides = toSides(folder, manifest, results).map((side) => gradeAgain(folder, manifest, side));
  return { folder, name: basename(folder), sides, unreadable, repeated };
}

/** The last row of each trial counts; in watch mode rows of an earlier prompt are left in the log. */
function selectRows({ suites }: Manifest, rows: readonly SampleResult[], run: string) {
  const rowsOf = Map.groupBy(rows, toKey);
  const found = suites
    .flatMap((suite) => listExpectedTrials(suite, run))
    .map((trial) => ({ trial, own: rowsOf.get(toKey(trial)) ?? [] }));
  return {
    results: found.map(({ trial, own }) => own.at(-1) ?? toNotRun(trial, '', 'missing', 'The run has no row of it.')),
    repeated: found.filter(({ own }) => own.length > 1).length,
  };
}

function toKey(trial: Parameters<typeof resultKey>[0] & Pick<SampleResult, 'prompt_hash'>): string {
  return resultKey(trial) + trial.prompt_hash;
}

/** A folder may come from elsewhere: what would make the comparison throw is refused by name. */
function isWhole({ versions, config, suites }: Partial<Manifest>): boolean {
  return typeof (versions ?? 0) === 'object' && typeof (config ?? 0) === 'object' && suites?.every(isSuite) === true;
}

function isSuite(suite: Partial<SuiteManifest> | null): boolean {
  const lists = [suite?.ids, suite?.groups, suite?.agents];
  const { trials } = suite ?? {};
  return lists.every((list) => Array.isArray(list)) && Number.isInteger(trials) && (trials ?? 0) > 0;
}
