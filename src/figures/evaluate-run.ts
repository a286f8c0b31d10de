import { dirname, join } from 'node:path';
import type { Manifest } from '../store/manifest.ts';
import { nameTrial, readRun, type StoredRun } from '../store/run-reader.ts';
import type { GroupSummary, SuiteSummary, Summary } from '../words/figures.ts';
import { hasRun, type SampleResult } from '../words/row.ts';
import { quote, tryOrUndefined } from '../words/show.ts';
import { pickVariant } from '../words/variant.ts';
import {
  type ComparedRun,
  comparePairs,
  compareRuns,
  type RunComparison,
  type SuiteComparison,
  toVariants,
} from './compare-runs.ts';
import type { ComparedVariant } from './comparison-facts.ts';
import { decideExit, type Exit } from './exit-code.ts';
import { checkGates, type GateResult, minAccuracyGates } from './gates.ts';
import { groupByVariant, toSuiteKey } from './groups.ts';
import type { CalibrationOf } from './judge-calibration.ts';
import { computeTrialFigures, summarize, type TrialFigures, withoutRates } from './summarize.ts';
import { compareWatchRuns } from './watch-runs.ts';

/** What the figures of a run depend on besides its folder. */
export type EvaluationInput = Readonly<{
  /** How its judges were calibrated. */
  calibrationOf: CalibrationOf;
  /** The run that EVAL_BASELINE names; null without one. */
  baseline?: ComparedRun | null;
  /** The comparison with it, if it is known already. */
  comparison?: RunComparison | null;
}>;

/**
 * Everything known about a finished run: its figures, their problems, the gates and the exit code.
 */
export type RunOutcome = StoredRun &
  Readonly<{
    summary: Summary;
    /** The results by suite, dataset, agent and prompt: each has figures and remarks of its own. */
    variants: ReturnType<typeof groupByVariant<SampleResult>>;
    /** Planned trials without a result, whatever the reason. */
    notRun: readonly string[];
    /** Failures that are not wrong answers: a crash, a hook, a row that contradicts its test. */
    runErrors: readonly string[];
    gates: readonly GateResult[];
    /** The figures of repeated trials, for each suite and agent with several. */
    trials: readonly SuiteTrials[];
    /** This run compared with its baseline; null without one. */
    comparison: RunComparison | null;
    /** The agents and prompts of each suite compared with each other. */
    pairs: readonly SuiteComparison[];
    /** In watch mode: this watch run compared with an earlier one. */
    flips: readonly SuiteComparison[];
    exit: Exit;
  }>;

export type SuiteTrials = TrialFigures &
  Pick<SuiteSummary, 'suite' | 'dataset' | 'agent' | 'prompt'> &
  Pick<GroupSummary, 'n' | 'questions'>;

/** Computes all figures of a run. Reads its folder and those it is compared with, writes nothing. */
export function evaluate(run: StoredRun, input: EvaluationInput): RunOutcome {
  const { manifest, end, results } = run;
  const summary = summarizeRun(run, input.calibrationOf);
  const byVariant = groupByVariant(results);
  const runErrors = [...end.errors, ...listNotStarted(run), ...findUnmatchedIds(manifest)];
  const variants = toVariants(run, nameRun(run));
  // Questions that were asked because they had failed are no sample of the others.
  const isPicked = end.narrowed_by.last_failed;
  const comparison = isPicked
    ? null
    : (input.comparison ?? compareWithBaseline(run, input, variants));
  const notRun = results.filter((result) => !hasRun(result)).map(nameTrial);
  const gates = isShard(manifest) ? [] : checkAllGates(run, summary, comparison);
  const outcome = { ...run, summary, variants: byVariant, runErrors, notRun, gates };
  return {
    ...outcome,
    comparison,
    exit: decideExit(outcome),
    trials: isPicked ? [] : computeTrials(summary, byVariant),
    pairs: isPicked ? [] : comparePairs(variants),
    flips: compareWithEarlier(run, variants),
  };
}

function summarizeRun(
  { results, end, manifest, isHidden }: StoredRun,
  calibrationOf: CalibrationOf,
): Summary {
  const figures = summarize(results, calibrationOf);
  const isWhole = end.not_started.length === 0 && end.refused.length === 0;
  const suites = figures.suites.map(({ labels, ...others }) => {
    // A label is a text of records.
    const suite = labels === undefined || isHidden(others.suite) ? others : { ...others, labels };
    const { clustered_by } = manifest.suites.find((entry) => entry.suite === suite.suite) ?? {};
    return clustered_by === undefined ? suite : { ...suite, clustered_by };
  });
  const summary = { ...figures, suites, complete: figures.complete && isWhole };
  return end.narrowed_by.last_failed ? withoutRates(summary) : summary;
}

/** Gates are judged on the merged shards. */
function isShard({ suites }: Pick<Manifest, 'suites'>): boolean {
  return suites.some(({ shard }) => shard !== null);
}

/** The eval files without a test, a sentence each. */
function listNotStarted({ end: { not_started, stop } }: StoredRun): readonly string[] {
  const why = stop === null ? '' : STOPPED[stop];
  return not_started.map((file) => `${file}: none of its samples ran${why}`);
}

const STOPPED = {
  bail: ', because --bail ended the run',
  interrupted: ', because the run was interrupted',
} as const;

/**
 * Patterns of EVAL_IDS that match in no suite: a misspelt id must not make a run smaller unnoticed.
 */
function findUnmatchedIds({ suites }: Manifest): readonly string[] {
  const [first, ...others] = suites.map(({ unmatched_ids }) => unmatched_ids);
  const everywhere =
    first?.filter((pattern) => others.every((patterns) => patterns.includes(pattern))) ?? [];
  return everywhere.map((pattern) => `EVAL_IDS: ${quote(pattern)} matches no sample of any suite`);
}

function compareWithBaseline(
  { folder, manifest }: StoredRun,
  { baseline = null }: EvaluationInput,
  variants: readonly ComparedVariant[],
): RunComparison | null {
  if (baseline === null) return null;
  return compareRuns(baseline, { folder, name: manifest.run, variants });
}

/** Nothing if the earlier watch run is not beside this one. */
function compareWithEarlier(
  { folder, audience, end: { before } }: StoredRun,
  variants: readonly ComparedVariant[],
): readonly SuiteComparison[] {
  const earlier =
    before === null
      ? undefined
      : tryOrUndefined(() => readRun(join(dirname(folder), before), audience));
  if (earlier === undefined) return [];
  return compareWatchRuns(toVariants(earlier, nameRun(earlier)), variants);
}

function nameRun({ manifest, end: { watch } }: StoredRun): string {
  return watch === null ? manifest.run : `watch run ${watch}`;
}

function checkAllGates(
  { manifest, end, results }: StoredRun,
  summary: Summary,
  comparison: RunComparison | null,
): readonly GateResult[] {
  const { minAccuracy } = manifest.config;
  const ofEnvironment =
    typeof minAccuracy === 'number' ? minAccuracyGates(minAccuracy, summary) : [];
  return checkGates([...end.gates, ...ofEnvironment], summary, findComparison(comparison), results);
}

/** Gives the comparison with the baseline of a suite, agent and prompt; null without one. */
function findComparison(comparison: RunComparison | null): Parameters<typeof checkGates>[2] {
  return ({ suite, dataset, agent, prompt }) => {
    const found = comparison?.suites.find(
      ({ b, ...other }) =>
        other.suite === suite &&
        other.dataset === dataset &&
        b.agent === agent &&
        b.prompt === prompt,
    );
    return found?.figures ?? null;
  };
}

function computeTrials(
  { suites }: Summary,
  variants: RunOutcome['variants'],
): readonly SuiteTrials[] {
  return suites.flatMap(({ groups, ...entry }) => {
    const { n = 0, questions = 0 } = groups.at(-1) ?? {};
    if (n === questions) return [];
    const figures = computeTrialFigures(variants.get(toSuiteKey(entry)) ?? []);
    const { suite, dataset } = entry;
    return [{ suite, dataset, ...pickVariant(entry), n, questions, ...figures }];
  });
}
