import { basename } from 'node:path';
import { type AskedRules, type Audit, auditRules, listAuditRules, readAccepted } from '../src/compare/audit.ts';
import { compareRuns, type RunComparison, type SuiteComparison, toSides } from '../src/compare/compare-runs.ts';
import type { ComparedRun } from '../src/compare/read-run.ts';
import { compareTurn, selectNew, type Turns } from '../src/compare/watch-turns.ts';
import type { EvalConfig } from '../src/config.ts';
import type { Comparison } from '../src/metrics/compare.ts';
import { decideExit, type Exit } from '../src/metrics/exit-code.ts';
import { type Gate, type GateResult, judgeGates, minAccuracyGates } from '../src/metrics/gates.ts';
import { computeTrialFigures, summarize, type TrialFigures } from '../src/metrics/summarize.ts';
import { ALL_STATES, STATES } from '../src/states.ts';
import { listExpectedTrials, type Manifest, readManifest } from '../src/store/manifest.ts';
import type { MergedRuns } from '../src/store/merge.ts';
import { readSampleLog, TrialMap, type TrialMeta } from '../src/store/sample-log.ts';
import { hideWhereGated } from '../src/text/hide-records.ts';
import type { SampleResult, SuiteSummary, Summary } from '../src/types.ts';
import type { RefusedFile } from './outside-failures.ts';
import { type EndedTest, type Settled, settle, summarizeNotRun } from './settle.ts';

/** A run that has ended, as Vitest left it. */
export type EndedRun = {
  /** Absolute path of the run folder. */
  readonly folder: string;
  readonly config: EvalConfig;
  readonly gates: readonly Gate[];
  readonly tests: readonly EndedTest[];
  /** Eval files that were to run and of which Vitest collected nothing. */
  readonly neverRan: readonly string[];
  /** What failed beside the answers: modules, other tests, unhandled errors. */
  readonly failures: readonly string[];
  /** Eval files of which nothing was asked, with the reasons. */
  readonly refused: readonly RefusedFile[];
  readonly watch: boolean;
  /** What the shards' manifests say, where the tests come from the reports of shards; else null. */
  readonly merged: MergedRuns | null;
  /** Why the run was ended early, or null. */
  readonly interrupted: string | null;
  /** The run that EVAL_BASELINE names; null without one. */
  readonly baseline: ComparedRun | null;
  /** What earlier turns of watch mode left. */
  readonly turns: Turns;
  /** What rules said that had to ask a server; for the audit alone. */
  readonly asked: AskedRules;
  /** The code of a process that a signal has ended. */
  readonly endedWith?: number | undefined;
};

/** Everything that is said of a run: the figures, what is wrong with them, the gates and the exit code. */
export type Conclusion = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly summary: Summary;
  readonly settled: Settled;
  /** Lines of samples.jsonl that a crash or a full disk tore. */
  readonly unreadable: number;
  /** Failures that no answer explains. */
  readonly outside: readonly string[];
  readonly gates: readonly GateResult[];
  /** What repeated trials say, for each suite and agent that was asked more than once. */
  readonly trials: readonly SuiteTrials[];
  /** This run against its baseline; null without one. */
  readonly comparison: RunComparison | null;
  /** In watch mode, what ran in this turn against an earlier turn. */
  readonly flips: readonly SuiteComparison[];
  /** The results of this turn of watch mode, or of the run. */
  readonly fresh: readonly SampleResult[];
  /** For the next turn. */
  readonly turns: Turns;
  /** What every scoring rule says; it changes no figure. */
  readonly audit: Audit;
  readonly exit: Exit;
};

export type SuiteTrials = TrialFigures & Pick<SuiteSummary, 'suite' | 'dataset' | 'agent'>;

/** Computes the figures of a run from its rows and its tests; reads the run folder, writes nothing. */
export function concludeRun(run: EndedRun): Conclusion {
  const { results: written, unreadable } = readSampleLog(run.folder);
  const manifest = readManifest(run.folder);
  const rows = hideWhereGated(written, manifest.config);
  const tests = listTests(run, manifest);
  const stopOf = (name: string) => findStop(run, name);
  const settled = settle(tests, rows, { stopOf, isHidden: findHidden(manifest), watch: run.watch });
  const figures = summarize(settled.results);
  const notStarted = [...run.neverRan, ...(run.merged?.notStarted ?? [])];
  const complete = figures.complete && notStarted.length === 0 && run.refused.length === 0;
  const summary = { ...figures, complete };
  const neverRan = notStarted.map((file) => `${file}: none of its samples ran`);
  const failures = [...(run.merged?.problems ?? []), ...run.failures];
  const outside = [...failures, ...neverRan, ...findUnmatchedIds(manifest), ...settled.outside];
  const sides = toSides(run.folder, manifest, settled.results);
  const own = { folder: run.folder, name: basename(run.folder), sides, unreadable, repeated: 0 };
  const comparison = run.baseline === null ? null : compareRuns(run.baseline, own);
  const comparisonOf = (suite: SuiteSummary) => findFigures(comparison, suite);
  const gates = judgeGates([...run.gates, ...environmentGates(run.config, summary)], summary, comparisonOf);
  const because = summarizeNotRun(settled.results);
  const exit = decideExit({
    refused: run.refused.map(({ file, why }) => `${file} (${why})`),
    ...settled,
    ...(because === null ? {} : { missingBecause: because }),
    errorsOutside: outside,
    complete: summary.complete,
    suites: summary.suites.map((suite) => ({ ...suite, failed: countFailed(suite) })),
    gateResults: gates,
    narrowed: tests.some(({ picked }) => !picked),
    dryRun: manifest.config['dryRun'] === true,
    endedWith: run.endedWith,
    sharded: manifest.suites.some(({ shard }) => shard !== null),
  });
  const trials = computeTrials(summary, settled.results);
  const fresh = run.watch ? selectNew(settled.results, rows, run.turns) : settled.results;
  const { turns, comparisons: flips } = compareWithTurns(run, manifest, fresh, rows);
  const facts = { folder: run.folder, manifest, summary, settled, unreadable, outside };
  const rules = listAuditRules(run.config.audit ?? [], readAccepted(run.folder), run.asked);
  const audit = auditRules(settled.results, rules, run.asked.problems);
  return { ...facts, gates, trials, comparison, flips, fresh, turns, audit, exit };
}

function findFigures(comparison: RunComparison | null, { suite, dataset, agent }: SuiteSummary): Comparison | null {
  const found = comparison?.suites.find(
    (other) => other.suite === suite && other.dataset === dataset && other.b.agent === agent,
  );
  return found?.figures ?? null;
}

function compareWithTurns(
  { folder, watch, turns }: EndedRun,
  manifest: Manifest,
  fresh: readonly SampleResult[],
  rows: readonly SampleResult[],
) {
  if (!watch) return { turns, comparisons: [] };
  const sides = toSides(folder, manifest, fresh);
  return compareTurn(turns, sides, rows.length);
}

function computeTrials({ suites }: Summary, results: readonly SampleResult[]): readonly SuiteTrials[] {
  const repeated = suites.filter(({ groups }) => groups.some(({ n, questions }) => n > questions));
  return repeated.map(({ suite, dataset, agent }) => {
    const own = results.filter((row) => row.suite === suite && row.dataset === dataset && row.agent === agent);
    return { suite, dataset, agent, ...computeTrialFigures(own) };
  });
}

/** Patterns of EVAL_IDS that no suite knows: a misspelt id must not shrink a run unseen. */
function findUnmatchedIds({ suites }: Manifest): readonly string[] {
  const [first, ...others] = suites.map(({ unmatched_ids }) => unmatched_ids);
  const everywhere = first?.filter((pattern) => others.every((patterns) => patterns.includes(pattern))) ?? [];
  return everywhere.map((pattern) => `EVAL_IDS: ${JSON.stringify(pattern)} matches no sample of any suite`);
}

/** The generated tests in the order of the dataset. In a merge the shards' manifests say which there are. */
function listTests({ tests, merged }: EndedRun, { suites, config }: Manifest): readonly EndedTest[] {
  const expected = suites.flatMap((suite) => listExpectedTrials(suite, ''));
  const selected = merged === null || config['dryRun'] === true ? tests : toSelectedTests(merged, tests);
  return inOrderOf(expected, selected);
}

function findStop({ merged, interrupted }: EndedRun, name: string): string | null {
  const stop = merged === null ? interrupted : merged.stops.get(name);
  return stop === undefined ? 'missing' : stop;
}

/** The tests of a merge: a report says how one ended, and of a shard that left none only its rows do. */
function toSelectedTests({ trials }: MergedRuns, reported: readonly EndedTest[]): readonly EndedTest[] {
  const there = new TrialMap<true>();
  const picked = new TrialMap<boolean>();
  for (const { meta } of reported) there.set(meta, true);
  for (const trial of trials) picked.set(trial.meta, trial.picked);
  const unreported = trials.filter(({ meta }) => !there.has(meta));
  return [
    ...reported.map((test) => ({ ...test, picked: picked.get(test.meta) ?? true })),
    ...unreported.map((trial) => ({ ...trial, inTurn: true, state: 'pending' as const, error: null })),
  ];
}

/** Which samples the manifest knows to have no target: a lost one must not look wrong. */
function findHidden({ suites }: Manifest): (trial: TrialMeta) => boolean {
  const hidden = new Map(suites.map(({ suite, hidden_ids = [] }) => [suite, new Set(hidden_ids)]));
  return ({ suite, id }) => hidden.get(suite)?.has(id) === true;
}

/** The order of the dataset, whatever the order in which tests ran or shards were merged. */
function inOrderOf(expected: readonly TrialMeta[], tests: readonly EndedTest[]): readonly EndedTest[] {
  const suites = new Map([...new Set(tests.map(({ meta }) => meta.suite))].map((suite, index) => [suite, index]));
  const places = new TrialMap<number>();
  for (const [index, meta] of expected.entries()) places.set(meta, index);
  const placed = tests.map((test) => ({
    test,
    suite: suites.get(test.meta.suite) ?? 0,
    place: places.get(test.meta) ?? places.size,
  }));
  return placed.toSorted((a, b) => a.suite - b.suite || a.place - b.place).map(({ test }) => test);
}

/** Cases that fail as Vitest tests: every answer but a right one, and every error. */
function countFailed({ groups }: SuiteSummary): number {
  const states = groups.at(-1)?.states;
  const failing = ALL_STATES.filter((state) => STATES[state].fails);
  return failing.reduce((sum, state) => sum + (states?.[state] ?? 0), 0);
}

function environmentGates({ minAccuracy }: EvalConfig, summary: Summary) {
  return minAccuracy === null ? [] : minAccuracyGates(minAccuracy, summary);
}
