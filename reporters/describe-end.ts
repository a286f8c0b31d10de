import { type CalibrationOf, listCriteria, toJudgeKey } from '../src/figures/judge-calibration.ts';
import type { StoredEnd } from '../src/store/run-end.ts';
import {
  type KeyedTrials,
  listRepeated,
  nameTrial,
  type RunFiles,
} from '../src/store/run-reader.ts';
import { resultKey, type TrialMeta, toIdentity } from '../src/store/trial-meta.ts';
import type { GateScope } from '../src/words/figures.ts';
import { hasRun, STATES } from '../src/words/row.ts';
import type { RefusedFile } from './failures.ts';

/** A generated test as Vitest ended it. */
export type EndedTest = Readonly<{
  meta: TrialMeta;
  /** False when a name, a tag or --last-failed left it out. */
  picked: boolean;
  state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Message of its first error, and where the user's code failed. */
  error: string | null;
  place: string | null;
}>;

/** How a run ended, as the reporter learned it from Vitest. */
export type RunEnd = Readonly<{
  tests: readonly EndedTest[];
  /** Selected eval files in which Vitest found no test. */
  neverRan: readonly string[];
  /** Failures that are not answers: modules, other tests, unhandled errors. */
  failures: readonly string[];
  /** Eval files that were refused before a question was asked, with the reasons. */
  refused: readonly RefusedFile[];
  /** Names the gates that match no suite, if all suites ran. */
  unknownSuites?: readonly string[];
  /** Why the run ended early; null if it did not. */
  stop: 'interrupted' | 'bail' | null;
  /** The exit code of a process that a signal ended. */
  endedWith?: number | undefined;
}>;

type Settings = Readonly<{ gates: readonly GateScope[]; calibrationOf: CalibrationOf }>;

/** What end.json says of a run that has ended. It had begun as `files` says. */
export function describeEnd(
  { tests, neverRan, failures, refused, unknownSuites = [], stop, endedWith }: RunEnd,
  files: RunFiles,
  { gates, calibrationOf }: Settings,
  trials: KeyedTrials,
): StoredEnd {
  const { rows, end } = files;
  const testOf = new Map(tests.map((test) => [resultKey(test.meta), test]));
  const isRepeated = testOf.size < tests.length;
  return {
    ...end,
    ended_at: new Date().toISOString(),
    stop,
    exit_code: endedWith ?? null,
    absent: listAbsent(testOf, trials, stop),
    errors: [...end.errors, ...failures, ...listLost(testOf, trials)],
    duplicates: isRepeated ? listRepeated(tests.map(({ meta }) => meta)).map(nameTrial) : [],
    not_started: [...new Set([...neverRan, ...end.not_started])],
    refused,
    gates,
    stray_gates: unknownSuites,
    calibrations: listCalibrations(rows, calibrationOf),
  };
}

/** How the judges of a run are calibrated now. */
export function listCalibrations(
  rows: RunFiles['rows'],
  calibrationOf: CalibrationOf,
): StoredEnd['calibrations'] {
  const judges = new Map(rows.flatMap(listCriteria).map((judge) => [toJudgeKey(judge), judge]));
  return [...judges].map(([key, judge]) => [key, calibrationOf(judge)]);
}

/** By the key of the trial. */
type Tests = ReadonlyMap<string, EndedTest>;

/** Why planned trials have no row. */
function listAbsent(
  testOf: Tests,
  { planned, rowOf }: KeyedTrials,
  stop: RunEnd['stop'],
): StoredEnd['absent'] {
  return [...planned].flatMap(([key, trial]) => {
    if (rowOf.has(key)) return [];
    const { picked = true, state } = testOf.get(key) ?? {};
    const reason = stop ?? (state === 'skipped' ? 'skipped' : 'crash');
    return { ...toIdentity(trial), reason: picked ? reason : null };
  });
}

/**
 * Failures that are no answers: tests without a row, and those whose row is not why they failed.
 * Those that failed alike are one. */
function listLost(testOf: Tests, { rowOf }: KeyedTrials): readonly string[] {
  const lost = [...testOf].flatMap(([key, { meta, state, error }]) => {
    const row = rowOf.get(key);
    // The suite's own score failed: its row says where.
    if (row?.reason === 'score' && !hasRun(row)) return { ...meta, why: row.explanation };
    const isLost = state === 'failed' && (row === undefined || !STATES[row.state].fails);
    return isLost ? { ...meta, why: error ?? 'failed without a message' } : [];
  });
  const alike = Map.groupBy(lost, ({ suite, why }) => `${suite}: ${why}`);
  return [...alike.values()].flatMap(([first, ...others]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return first === undefined ? [] : `${first.suite} ${first.id}${more}: ${first.why}`;
  });
}
