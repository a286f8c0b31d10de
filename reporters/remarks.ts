import type { RunOutcome, SuiteTrials } from '../src/figures/evaluate-run.ts';
import { explainNotRun } from '../src/figures/exit-code.ts';
import { groupByVariant } from '../src/figures/groups.ts';
import { DOCS } from '../src/package.ts';
import type { AgentPlan } from '../src/store/manifest.ts';
import type { JudgeFigures, Rate, SuiteSummary } from '../src/words/figures.ts';
import type { NoteKind } from '../src/words/sample.ts';
import { lineIf, listIds, listUp, partOf, plural } from '../src/words/show.ts';
import { pickVariant, type Variant } from '../src/words/variant.ts';
import { listPromptDiffs, toDiffLines, toWatchLines } from './comparison.ts';
import { formatMeasured, formatRate, formatTotalCost } from './format-figures.ts';
import { describeGatesToWrite, listGates } from './gate-remarks.ts';
import type { Level, Line } from './lines.ts';
import { describeJudges, describePlan, describeUser, type PlannedSuite } from './plan-remarks.ts';
import {
  describeCuts,
  describeDisagreement,
  describeErrors,
  describeNoVerdict,
  describeOpenScores,
  describeOwnJudges,
  describeRetries,
  describeRules,
  describeUsers,
  describeWaits,
  type VariantRows,
} from './result-remarks.ts';

/**
 * A sentence about a variant of a suite, about a whole suite (`agent` is null), or about the whole run
 * (`suite` is null).
 */
export type Remark = Readonly<{
  suite: string | null;
  agent: string | null;
  prompt?: string;
  text: string;
  /** Where it is another than that of its kind. */
  level?: Level;
}>;

/** One kind of remark, and where it is shown. To add one: an entry in REMARKS. */
export type RemarkKind = Readonly<{
  name: string;
  /**
   * "printed": in the terminal, summary.md and report.html, as whatever makes a figure mean less than it
   * seems. "report": in the two files alone.
   */
  shown: 'printed' | 'report';
  level: Level;
}> &
  (
    | Readonly<{ of: (outcome: RunOutcome) => readonly Remark[] }>
    /** Printed before the first question, and by a dry run at its end. */
    | Readonly<{ planned: (suite: PlannedSuite) => readonly Remark[] }>
    /** Below the table of each suite. */
    | Readonly<{ below: (suite: SuiteSummary) => readonly string[] }>
  );

/** All remarks on a run, in the order in which they are printed: the most important come last. */
export const REMARKS: readonly RemarkKind[] = [
  { name: 'mean of groups', shown: 'printed', level: 'note', below: describeMean },
  { name: 'chance', shown: 'printed', level: 'note', below: describeChance },
  { name: 'stated confidence', shown: 'report', level: 'note', below: describeConfidence },
  { name: 'stated probability', shown: 'report', level: 'note', below: describeProbability },
  { name: 'readings', shown: 'printed', level: 'note', below: describeReadings },
  { name: 'judges', shown: 'printed', level: 'note', below: describeKnownJudges },

  // What will be asked.
  { name: 'asked judges', shown: 'printed', level: 'note', planned: ofSuite(describeJudges) },
  { name: 'asked user', shown: 'printed', level: 'note', planned: ofSuite(describeUser) },
  { name: 'plan', shown: 'printed', level: 'note', planned: ofPlans(describePlan) },
  { name: 'unseen edits', shown: 'printed', level: 'note', planned: ofPlans(listUnseenEdits) },

  // How records were read, and what the agents are.
  { name: 'layout', shown: 'printed', level: 'note', of: noted('layout') },
  { name: 'source', shown: 'report', level: 'note', of: noted('source') },
  { name: 'order', shown: 'report', level: 'note', of: noted('order') },
  { name: 'index base', shown: 'report', level: 'note', of: noted('index base') },
  { name: 'accepts any', shown: 'report', level: 'note', of: noted('accepts any') },
  { name: 'placeholder', shown: 'report', level: 'note', of: noted('placeholder') },
  { name: 'no id', shown: 'printed', level: 'note', of: noted('no id') },
  { name: 'no target', shown: 'printed', level: 'note', of: noted('no target') },
  { name: 'own', shown: 'printed', level: 'note', of: noted('own') },
  { name: 'submission', shown: 'report', level: 'note', of: noted('submission') },
  { name: 'tools', shown: 'report', level: 'note', of: noted('tools') },
  { name: 'leak guard', shown: 'report', level: 'note', of: noted('leak guard') },

  // What answers tell beside the figures.
  { name: 'pass@k', shown: 'report', level: 'note', of: ofTrials(describePassRates) },
  { name: 'unstable', shown: 'report', level: 'note', of: ofTrials(describeUnstable) },
  { name: 'waits', shown: 'report', level: 'note', of: ofRows(describeWaits) },
  { name: 'judges disagree', shown: 'report', level: 'note', of: ofRows(describeDisagreement) },
  { name: 'own judge', shown: 'report', level: 'note', of: ofRows(describeOwnJudges) },
  { name: 'faults of users', shown: 'report', level: 'note', of: ofRows(describeUsers) },
  { name: 'unknown fields', shown: 'report', level: 'note', of: noted('unknown fields') },
  { name: 'rules', shown: 'report', level: 'note', of: ofRows(describeRules) },
  { name: 'cost at least', shown: 'printed', level: 'note', of: describeCosts },
  { name: 'watch run', shown: 'printed', level: 'note', of: describeFlips },
  { name: 'edits of prompts', shown: 'printed', level: 'note', of: describeDiffs },

  // Why the figures mean less than they seem.
  { name: 'left out', shown: 'printed', level: 'warning', of: noted('left out') },
  { name: 'bad records', shown: 'printed', level: 'warning', of: describeBadRecords },
  { name: 'unread', shown: 'printed', level: 'warning', of: noted('unread') },
  { name: 'matched by all', shown: 'printed', level: 'warning', of: noted('matched by all') },
  { name: 'unknown ids', shown: 'printed', level: 'warning', of: noted('unknown ids') },
  { name: 'no leak guard', shown: 'printed', level: 'warning', of: noted('no leak guard') },
  { name: 'own delay', shown: 'printed', level: 'warning', of: noted('own delay') },
  { name: 'retries', shown: 'printed', level: 'warning', of: ofRows(describeRetries) },
  { name: 'cut short', shown: 'printed', level: 'warning', of: ofRows(describeCuts) },
  { name: 'no verdict', shown: 'printed', level: 'warning', of: ofRows(describeNoVerdict) },
  { name: 'open scores', shown: 'printed', level: 'warning', of: ofRows(describeOpenScores) },
  { name: 'errors', shown: 'printed', level: 'warning', of: ofRows(describeErrors) },
  { name: 'PARTIAL', shown: 'printed', level: 'warning', of: ofRun(describePartial) },
  { name: 'NOT COMPLETE', shown: 'printed', level: 'warning', of: ofRun(describeIncomplete) },
  { name: 'STOPPED', shown: 'printed', level: 'warning', of: ofRun(listStops) },
  { name: 'RUN ERROR', shown: 'printed', level: 'warning', of: ofRun(listRunErrors) },

  { name: 'gate to write', shown: 'printed', level: 'note', of: ofRun(describeGatesToWrite) },
  { name: 'open gates', shown: 'printed', level: 'note', of: ofRun(listGates('note')) },
  { name: 'gates that hold', shown: 'printed', level: 'good', of: ofRun(listGates('good')) },
  { name: 'missed gates', shown: 'printed', level: 'bad', of: ofRun(listGates('bad')) },
];

/** What a run lacks or has too much of, a sentence each. */
export function listFaults(outcome: RunOutcome): readonly string[] {
  const kinds = [describePartial, describeIncomplete, listStops, listRunErrors];
  return kinds.flatMap((describe) => describe(outcome));
}

/** What is known of a judge. Criteria are not named: they may quote records. */
export function describeJudge({ models, prompt_hash, score, calibration }: JudgeFigures): string {
  const what = score === undefined ? 'judge' : `judge of ${score},`;
  const name = `${what} ${models.join(', ')} (prompt ${prompt_hash.slice(0, 8)})`;
  if (calibration === null)
    return `${name}: uncalibrated, its errors are not known; measure them with viva label`;
  const { tpr, tnr, labels, changed } = calibration;
  return `${name}: TPR ${formatMeasured(tpr)}, TNR ${formatMeasured(tnr)}, by ${plural(labels, 'label')} of people${changed === true ? '; it has CHANGED since, so label again' : ''}`;
}

/** Remarks on the whole run. */
function ofRun(describe: (outcome: RunOutcome) => readonly string[]) {
  return (outcome: RunOutcome): readonly Remark[] =>
    describe(outcome).map((text) => ({ suite: null, agent: null, text }));
}

function ofSuite(describe: (suite: PlannedSuite) => readonly string[]) {
  return (suite: PlannedSuite): readonly Remark[] =>
    describe(suite).map((text) => ({ suite: suite.suite, agent: null, text }));
}

function ofPlans(describe: (plan: AgentPlan, suite: PlannedSuite) => readonly string[]) {
  return (suite: PlannedSuite): readonly Remark[] =>
    suite.plans.flatMap((plan) => tell({ ...plan, suite: suite.suite }, describe(plan, suite)));
}

function ofTrials(describe: (trials: SuiteTrials) => readonly string[]) {
  return ({ trials }: RunOutcome): readonly Remark[] =>
    trials.flatMap((each) => tell(each, describe(each)));
}

function ofRows(describe: (variant: VariantRows) => readonly string[]) {
  return ({ results, isHidden }: RunOutcome): readonly Remark[] =>
    [...groupByVariant(results).values()].flatMap((rows) =>
      tell(rows[0], describe({ rows, isHidden: isHidden(rows[0].suite) })),
    );
}

/** The notes of a kind that loaders and agents left in the manifest. */
function noted(kind: NoteKind) {
  return ({ manifest }: RunOutcome): readonly Remark[] =>
    manifest.suites.flatMap(({ suite, notes, agent_notes }) => {
      const own = notes.map((note) => ({ ...note, agent: null }));
      return [...own, ...agent_notes]
        .filter((note) => note.kind === kind)
        .map(({ agent, text }) => ({ suite, agent, text }));
    });
}

/** Sentences on one variant. */
function tell(
  { suite, ...variant }: Variant & { readonly suite: string },
  texts: readonly string[],
): readonly Remark[] {
  return texts.map((text) => ({ suite, ...pickVariant(variant), text }));
}

function describeMean({ macro_accuracy }: SuiteSummary): readonly string[] {
  return lineIf(macro_accuracy !== null, `mean of the groups: ${formatRate(macro_accuracy)}`);
}

function describeChance({ chance }: SuiteSummary): readonly string[] {
  return lineIf(chance !== null, `chance level: ${formatRate(chance)}`);
}

function describeConfidence({ confidence, confidence_scale }: SuiteSummary): readonly string[] {
  const scale = confidence_scale === undefined ? '' : ` (numbers of 0 to ${confidence_scale})`;
  const buckets = confidence.map(
    ({ bucket, n, accuracy }) => `${bucket} ${formatRate(accuracy)} of ${n}`,
  );
  const text = `accuracy by stated confidence${scale}: ${buckets.join(', ')}`;
  return lineIf(buckets.length > 0, text);
}

/** "stated probabilities: Brier score 0.142 (0.098 - 0.203), AUROC 0.78 (0.61 - 0.89), of 48" */
function describeProbability({ probability }: SuiteSummary): readonly string[] {
  if (probability === undefined) return [];
  const { n, brier, auroc } = probability;
  const show = ({ value, ci95 }: Rate, digits: number) =>
    `${value.toFixed(digits)} (${ci95.map((end) => end.toFixed(digits)).join(' - ')})`;
  const area =
    auroc === null ? 'no AUROC, since all are right or all wrong' : `AUROC ${show(auroc, 2)}`;
  return [
    `stated probabilities: Brier score ${show(brier, 3)}, ${area}, of ${plural(n, 'answer')}`,
  ];
}

function describeReadings({ readings }: SuiteSummary): readonly string[] {
  const { uncertain = 0, unread = 0 } = readings ?? {};
  const parts = [
    ...lineIf(uncertain > 0, `${plural(uncertain, 'answer')} read with doubt`),
    ...lineIf(unread > 0, `${plural(unread, 'output')} in which no single answer was found`),
  ];
  return lineIf(
    parts.length > 0,
    `${parts.join(', ')}; see "How an answer is found" in ${DOCS}/scoring.md`,
  );
}

function describeKnownJudges({ judges = [] }: SuiteSummary): readonly string[] {
  return [...new Set(judges.map(describeJudge))];
}

function listUnseenEdits({ kept, seen_edits }: AgentPlan): readonly string[] {
  return kept && seen_edits !== undefined ? [seen_edits] : [];
}

/** pass@k (at least one of k trials is right) and pass^k (all are right). */
function describePassRates({ rates }: SuiteTrials): readonly string[] {
  const figures = rates.map(
    (rate) => `k=${rate.k} ${formatRate(rate.pass_at_k)} / ${formatRate(rate.pass_hat_k)}`,
  );
  const text = `pass@k (one of k trials is right) / pass^k (all are): ${figures.join(', ')}`;
  return lineIf(rates.length > 0, text);
}

function describeUnstable({ unstable }: SuiteTrials): readonly string[] {
  const text = `${plural(unstable.length, 'question')} right in some trials only: ${listIds(unstable, 240)}`;
  return lineIf(unstable.length > 0, text);
}

/** What each agent cost at least, if the cost of some answers is not known. */
function describeCosts({ summary: { suites } }: RunOutcome): readonly Remark[] {
  return suites.flatMap((suite) => {
    const all = suite.groups.at(-1);
    if (all?.cost_at_least_usd === undefined) return [];
    const { without_cost = 0 } = all;
    const answers = `the cost of ${plural(without_cost, 'answer')} is not known`;
    const running = 'what was asked without a result is not counted';
    const why = without_cost > 0 ? answers : running;
    return tell(suite, [`cost: ${formatTotalCost(all)}; ${why}`]);
  });
}

function describeFlips({ flips }: RunOutcome): readonly Remark[] {
  return flips.flatMap(toWatchLines).map(toRunRemark);
}

function describeDiffs({ flips }: RunOutcome): readonly Remark[] {
  return listPromptDiffs(flips).flatMap(toDiffLines).map(toRunRemark);
}

function toRunRemark(line: Line): Remark {
  return { suite: null, agent: null, ...line };
}

/** The bad records that EVAL_SKIP_BAD left out of a suite. */
function describeBadRecords({ manifest }: RunOutcome): readonly Remark[] {
  return manifest.suites.flatMap(({ suite, left_out = [] }) => {
    const are = plural(left_out.length, 'bad record is', 'bad records are');
    const text = `${are} not asked (EVAL_SKIP_BAD): ${listUp(left_out, 5)}`;
    return left_out.length === 0 ? [] : [{ suite, agent: null, text }];
  });
}

function describePartial({ leftOut, results }: RunOutcome): readonly string[] {
  const all = leftOut + results.length;
  const skipped = partOf(leftOut, all, 'test', 'was not selected', 'were not selected');
  return lineIf(leftOut > 0, `PARTIAL: ${skipped}. No figure counts them.`);
}

function describeIncomplete(outcome: RunOutcome): readonly string[] {
  const { summary, notRun, results, duplicates, unreadable } = outcome;
  const missing = partOf(notRun.length, results.length, 'test', 'was', 'were');
  const repeated = plural(duplicates.length, 'test has', 'tests have');
  const problems = [
    ...lineIf(notRun.length > 0, `${missing} not run (${explainNotRun(results).counts})`),
    ...lineIf(duplicates.length > 0, `${repeated} more than one result: ${listUp(duplicates, 3)}`),
    // A line that a crash cut off matters where its result is missing.
    ...lineIf(
      unreadable > 0 && notRun.length > 0,
      `${plural(unreadable, 'line')} of samples.jsonl cannot be read`,
    ),
  ];
  const groups = summary.suites.flatMap((suite) => suite.groups);
  const isBounded = groups.some(({ accuracy, bounds }) => accuracy === null && bounds !== null);
  const bounds = isBounded ? '. The table shows bounds of the accuracy.' : '.';
  return lineIf(problems.length > 0, `NOT COMPLETE: ${problems.join('; ')}${bounds}`);
}

/** How many stops and run errors are shown. */
const MOST_NAMED = 5;

function listStops({ results }: RunOutcome): readonly string[] {
  const { stops } = explainNotRun(results);
  return stops.slice(0, MOST_NAMED).map((stop) => `STOPPED: ${stop}`);
}

function listRunErrors({ runErrors }: RunOutcome): readonly string[] {
  return runErrors.slice(0, MOST_NAMED).map((failure) => `RUN ERROR: ${failure}`);
}
