import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../records/record.ts';
import { tryOrUndefined } from '../text/show.ts';
import type { Calibration, Gate } from '../types.ts';
import {
  anything,
  assertValid,
  fields,
  flag,
  listOf,
  number,
  oneOf,
  oneVersion,
  orNull,
  text,
} from './field-checks.ts';
import { writeJson } from './line-file.ts';
import type { TrialIdentity } from './trial-meta.ts';

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
  const written = readRegular(file).toString('utf8');
  const value = tryOrUndefined((): unknown => JSON.parse(written));
  assertValid<StoredEnd>(END, value, file);
  return value;
}

const END = fields({
  version: oneVersion,
  ended_at: orNull(text),
  watch: orNull(number),
  carried: listOf(text),
  before: orNull(text),
  stop: orNull(oneOf(['interrupted', 'bail'])),
  exit_code: orNull(number),
  narrowed_by: fields({ name: orNull(text), tags: orNull(listOf(text)), last_failed: flag }),
  absent: listOf(
    fields({
      suite: text,
      dataset: text,
      agent: text,
      id: text,
      trial: number,
      reason: orNull(text),
    }),
  ),
  errors: listOf(text),
  duplicates: listOf(text),
  not_started: listOf(text),
  refused: listOf(fields({ file: text, why: text })),
  gates: listOf(fields({ suite: text, dataset: text, group: text })),
  stray_gates: listOf(text),
  calibrations: listOf(listOf(anything)),
});
