import { hasRun, STATES } from '../src/states.ts';
import { type TrialIdentity, TrialMap, type TrialMeta, toNotRun } from '../src/store/sample-log.ts';
import { escapeLine } from '../src/text/show.ts';
import type { SampleResult } from '../src/types.ts';

/** A generated test as Vitest ended it. */
export type EndedTest = {
  readonly meta: TrialMeta;
  /** False when a name, a tag or --last-failed left it out of the latest run. */
  readonly picked: boolean;
  /** False when its file was not run again in this turn of watch mode. */
  readonly inTurn: boolean;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Message of its first error. */
  readonly error: string | null;
};

/** The results of a run, one for each selected trial, and everything that must be said of them. */
export type Settled = {
  readonly results: readonly SampleResult[];
  /** Tests that this turn of watch mode did not run, and that keep the result of an earlier one. */
  readonly kept: number;
  /** Tests that were left out and have no result from an earlier turn of watch mode: no part of the denominator. */
  readonly leftOut: number;
  /** Trials that were selected and have no result, whatever the reason. */
  readonly missing: readonly string[];
  /** Trials that were generated, or answered, more than once. */
  readonly duplicates: readonly string[];
  /** Failures that no answer explains: a crash, a hook, a row that contradicts its test. */
  readonly outside: readonly string[];
};

export type SettleOptions = {
  /** Why a run, by the name of its folder, ended early, or null; "missing" where a merge lacks it. */
  stopOf(run: string): string | null;
  readonly watch: boolean;
  /** Whether the target of a sample is hidden, also of one without a row; none is unless given. */
  readonly isHidden?: (trial: TrialMeta) => boolean;
};

/**
 * Puts the rows of samples.jsonl beside the tests that Vitest collected. The tests are the selection, so they are the
 * denominator: a trial without a row becomes `not_run`, also when Vitest reported nothing of it at all. In watch mode
 * the rows of earlier turns stay in force while their prompt and question are the same.
 */
export function settle(
  tests: readonly EndedTest[],
  rows: readonly SampleResult[],
  { stopOf, watch, isHidden = () => false }: SettleOptions,
): Settled {
  const rowOf = new TrialMap<SampleResult>();
  for (const row of rows) rowOf.set(row, row);
  const paired = tests.map((test) => ({ test, row: findCurrent(test.meta, rowOf) }));
  const counted = paired.filter(({ test, row }) => test.picked || row !== undefined);
  const settled = counted.map(({ test, row }) => {
    const target = isHidden(test.meta) ? null : '';
    return settleOne(test, row, stopOf(test.meta.run), target);
  });
  return {
    results: settled.map(({ result }) => result),
    kept: counted.filter(({ test }) => !test.picked || !test.inTurn).length,
    leftOut: paired.length - counted.length,
    missing: settled.filter(({ result }) => !hasRun(result)).map(({ result }) => nameTrial(result)),
    duplicates: [...repeated(tests.map(({ meta }) => meta)), ...(watch ? [] : repeated(rows))],
    outside: settled.flatMap(({ outside }) => outside ?? []),
  };
}

/**
 * A row of another prompt, question or group is left from before an edit: it says nothing about this test. What was asked
 * is not known where a merge has no report of the test.
 */
function findCurrent(meta: TrialMeta, rowOf: TrialMap<SampleResult>): SampleResult | undefined {
  const row = rowOf.get(meta);
  const keys = ['prompt_hash', 'question_hash', 'group'] as const;
  return keys.every((key) => meta[key] === '' || row?.[key] === meta[key]) ? row : undefined;
}

function settleOne(test: EndedTest, row: SampleResult | undefined, stop: string | null, target: string | null) {
  const { meta, state, error } = test;
  // That a shard is missing is said once, and not for each of its tests.
  if (row === undefined && stop === 'missing') return { result: toNotRun(meta, target, stop, MISSING), outside: null };
  if (row === undefined) {
    const outside = state === 'failed' ? `${meta.id}: ${error ?? 'failed without a message'}` : null;
    return { result: toNotRun(meta, target, stop ?? (state === 'skipped' ? 'skipped' : 'crash'), LOST), outside };
  }
  const failedAnswer = STATES[row.state].fails;
  const contradicts = state === 'passed' ? failedAnswer : state === 'failed' && !failedAnswer;
  const outside = contradicts ? `${meta.id}: its row says ${row.state}, its test ${state}: ${error ?? '-'}` : null;
  return { result: row, outside };
}

const LOST = 'This sample was selected, and no result was written for it.';

const MISSING = 'The shard of this sample is missing from the merge, or stopped before its suite.';

function repeated(trials: readonly TrialIdentity[]): string[] {
  const seen = new TrialMap<true>();
  return trials.flatMap((trial) => {
    if (seen.has(trial)) return [nameTrial(trial)];
    seen.set(trial, true);
    return [];
  });
}

function nameTrial({ suite, id, agent, trial }: TrialIdentity): string {
  return `${suite} ${id} (${agent}, trial ${trial})`;
}

/** Why results were not run: their number by reason, and what stopped an agent, in its own words. */
export function explainNotRun(results: readonly SampleResult[]): {
  readonly counts: string;
  readonly stops: readonly string[];
} {
  const missing = results.filter((row) => !hasRun(row));
  const byReason = Map.groupBy(missing, ({ reason }) => reason ?? '-');
  const stopped = missing.filter(({ reason }) => STOPS.some((stop) => stop === reason));
  return {
    counts: [...byReason]
      .map(([reason, { length }]) => `${reason === 'missing' ? 'no report' : reason} ${length}`)
      .join(', '),
    stops: [...new Set(stopped.map(({ explanation }) => explanation))],
  };
}

/** Reasons that end an agent's part of a run, and that its user can do something about. */
const STOPS = ['auth', 'quota', 'budget', 'disk', 'no_command'] as const;

/** The same in a few words, for the last line; null when everything ran. */
export function summarizeNotRun(results: readonly SampleResult[]): string | null {
  const { counts, stops } = explainNotRun(results);
  if (counts === '') return null;
  const [first] = stops;
  return first === undefined ? counts : `${counts}: ${escapeLine(first, 160)}`;
}
