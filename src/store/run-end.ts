import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../records/files.ts';
import { isFields } from '../records/record.ts';
import { attempt } from '../text/thrown.ts';
import type { Calibration, Gate } from '../types.ts';
import { writeJson } from './line-file.ts';
import type { TrialIdentity } from './sample-log.ts';

/**
 * A planned trial without a row, and why; `reason` is null if -t, a tag or --last-failed left it
 * out.
 */
export type AbsentTrial = TrialIdentity & { readonly reason: string | null };

/**
 * end.json: what only the process that runs Vitest knows. With manifest and rows it gives all
 * figures again. It is written when tests are collected, and whole when the run has ended.
 */
export type StoredEnd = {
  readonly version: 1;
  /**
   * The time of the report. Ages of cached answers count up to it. Null while the run goes on, and
   * if it was killed.
   */
  readonly ended_at: string | null;
  /** The number of this watch run; null without watch mode. */
  readonly watch: number | null;
  /** The suites that did not run again in this watch run. Their rows are of an earlier one. */
  readonly carried: readonly string[];
  /** Name of the watch run that this one is compared with; null without one. */
  readonly before: string | null;
  readonly stop: 'interrupted' | 'bail' | null;
  /** The exit code of a process that a signal ended; null for all others. */
  readonly exit_code: number | null;
  /** The options that select tests. */
  readonly narrowed_by: {
    readonly name: string | null;
    readonly tags: readonly string[] | null;
    readonly last_failed: boolean;
  };
  readonly absent: readonly AbsentTrial[];
  /** Failures that are not answers: modules, hooks, unhandled errors. */
  readonly errors: readonly string[];
  /** Trials that were generated more than once. */
  readonly duplicates: readonly string[];
  /** Eval files without a test, and those that were refused. */
  readonly not_started: readonly string[];
  readonly refused: readonly { readonly file: string; readonly why: string }[];
  /** The gates of the gates file, and which of them match no suite. */
  readonly gates: readonly Gate[];
  readonly stray_gates: readonly string[];
  /** How the judges were calibrated then; labels may have come since. */
  readonly calibrations: readonly (readonly [judge: string, calibration: Calibration | null])[];
};

/** What is known of a run that has just begun. */
export const BEGUN: StoredEnd = {
  version: 1,
  ended_at: null,
  watch: null,
  carried: [],
  before: null,
  stop: null,
  exit_code: null,
  narrowed_by: { name: null, tags: null, last_failed: false },
  absent: [],
  errors: [],
  duplicates: [],
  not_started: [],
  refused: [],
  gates: [],
  stray_gates: [],
  calibrations: [],
};

const FILE = 'end.json';

export function writeEnd(runFolder: string, end: StoredEnd): void {
  writeJson(join(runFolder, FILE), end);
}

/** Throws if the file cannot be read. A run without one was killed before its first test. */
export function readEnd(runFolder: string): StoredEnd {
  const file = join(runFolder, FILE);
  if (!existsSync(file)) return BEGUN;
  const value = attempt((): unknown => JSON.parse(readRegular(file).toString('utf8')));
  if (isEnd(value)) return value;
  throw new Error(
    `${file} is not the end of a run of version 1. Copy the run folder again, or name another run.`,
  );
}

function isEnd(value: unknown): value is StoredEnd {
  if (!isFields(value) || value['version'] !== 1) return false;
  const { ended_at, narrowed_by } = value;
  const isTime = ended_at === null || !Number.isNaN(Date.parse(String(ended_at)));
  const lists = Object.entries(BEGUN).filter(([, begun]) => Array.isArray(begun));
  return isTime && isFields(narrowed_by) && lists.every(([name]) => Array.isArray(value[name]));
}
