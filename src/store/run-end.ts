import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../data/files/read-file.ts';
import type { Calibration, GateScope } from '../words/figures.ts';
import { tryOrUndefined } from '../words/show.ts';
import {
  anything,
  assertValid,
  type Checked,
  fields,
  flag,
  listOf,
  number,
  oneOf,
  oneVersion,
  optional,
  orNull,
  roughly,
  text,
} from './field-checks.ts';
import { RUN_FILES } from './run-folder.ts';

/** A planned trial without a row, and why; null if -t, a tag or --last-failed left it out. */
const ABSENT = fields({
  suite: text,
  dataset: text,
  agent: text,
  prompt: optional(text),
  id: text,
  trial: number,
  reason: orNull(text),
});

/**
 * end.json: what only the process that runs Vitest knows. With manifest and rows, all figures
 * can be computed again. It is written when tests are collected, and whole when the run has ended.
 */
const END = fields({
  version: oneVersion,
  /**
   * The time of the report. Ages of cached answers count up to it. Null while the run goes on, and
   * if it was killed.
   */
  ended_at: orNull(text),
  /** The number of this watch run; null without watch mode. */
  watch: orNull(number),
  /** Name of the watch run that this one is compared with; null without one. */
  before: orNull(text),
  stop: orNull(oneOf(['interrupted', 'bail'] as const)),
  /** The exit code of a process that a signal ended; null for all others. */
  exit_code: orNull(number),
  /** The options that select tests. */
  narrowed_by: fields({ name: orNull(text), tags: orNull(listOf(text)), last_failed: flag }),
  absent: listOf(ABSENT),
  /** Failures that are not answers: modules, hooks, unhandled errors. */
  errors: listOf(text),
  /** Trials that were generated more than once. */
  duplicates: listOf(text),
  /** Eval files without a test, and those that were refused. */
  not_started: listOf(text),
  refused: listOf(fields({ file: text, why: text })),
  /** The gates of the gates file, and which of them match no suite. */
  gates: listOf(roughly<GateScope>(fields({ suite: text, dataset: optional(text), group: text }))),
  stray_gates: listOf(text),
  /** How the judges were calibrated then; labels may have come since. */
  calibrations: listOf(
    roughly<readonly [judge: string, calibration: Calibration | null]>(listOf(anything)),
  ),
});
export type StoredEnd = Checked<typeof END>;

/** Why a file was refused, if Vitest has printed that. */
export const PRINTED = 'see the error above';

/** What is known of a run that has just begun. */
export const BEGUN: StoredEnd = {
  version: 1,
  ended_at: null,
  watch: null,
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

/** Throws if the file cannot be read. A run without one was killed before its first test. */
export function readEnd(runFolder: string): StoredEnd {
  const file = join(runFolder, RUN_FILES.end.name);
  if (!existsSync(file)) return BEGUN;
  const written = readRegular(file).toString('utf8');
  const value = tryOrUndefined((): unknown => JSON.parse(written));
  assertValid(END, value, file);
  return value;
}
