import { listIds } from '../src/compare/differences.ts';
import { listNewResults } from '../src/compare/watch-runs.ts';
import type { GateResult } from '../src/metrics/gates.ts';
import type { Manifest, SuiteManifest } from '../src/store/manifest.ts';
import { lineIf, listUp, partOf, plural, showPath } from '../src/text/show.ts';
import { isOfVariant, nameVariant, pickVariant } from '../src/text/wording.ts';
import type { Summary } from '../src/types.ts';
import { listPromptDiffs, toDiffLines, toWatchRemarks } from './comparison.ts';
import type { RunOutcome, SuiteTrials } from './evaluate-run.ts';
import { explainNotRun } from './exit-code.ts';
import { formatRate } from './format-figures.ts';
import { toPlanRemarks } from './plan-remarks.ts';
import { type Line, listSubjects, type Remark, toLines, toSentences } from './remarks.ts';
import { toAuditRemarks, toCostRemarks, toResultRemarks } from './result-remarks.ts';

/** The lines below the tables: how the data was read, problems with the figures, the gates. */
export function toRemarks(outcome: RunOutcome): readonly Line[] {
  const { manifest } = outcome;
  const { suites } = outcome.summary;
  // A dry run has no figures.
  const subjects = suites.length > 0 ? suites : listSubjects(manifest.suites);
  return [
    ...toLines('note', [
      ...toSentences(listRemarks(outcome), subjects),
      ...outcome.flips.flatMap(toWatchRemarks),
      ...listPromptDiffs(outcome.flips).flatMap(toDiffLines),
    ]),
    ...toWarnings(outcome),
    ...outcome.gates.map((gate) => toGateLine(gate, outcome)),
  ];
}

/** The last lines of a run, which the head of report.html has too. */
export function toEndLines({
  folder,
  exit,
}: Pick<RunOutcome, 'folder' | 'exit'>): readonly string[] {
  return [`Run folder: ${showPath(folder)}`, exit.reason];
}

function listRemarks({ manifest, summary, results, audit, trials }: RunOutcome): readonly Remark[] {
  const { suites, config } = manifest;
  return [
    // Notes of loaders and agents.
    ...suites.flatMap(({ suite, notes }) => notes.map((text) => ({ suite, agent: null, text }))),
    ...suites.flatMap(({ suite, agent_notes }) => agent_notes.map((note) => ({ suite, ...note }))),
    // A dry run shows its plan here. Other runs showed theirs before the first question.
    ...(config['dryRun'] === true ? suites.flatMap(toPlanRemarks) : []),
    ...trials.flatMap(toTrialRemarks),
    ...toCostRemarks(summary),
    ...toResultRemarks(results),
    ...toAuditRemarks(audit),
  ];
}

/**
 * pass@k (at least one of k trials is right), pass^k (all are right), and the questions whose
 * trials differ.
 */
function toTrialRemarks({
  suite,
  n,
  questions,
  rates,
  unstable,
  ...variant
}: SuiteTrials): readonly Remark[] {
  const figures = rates.map(
    (rate) => `k=${rate.k} ${formatRate(rate.pass_at_k)} / ${formatRate(rate.pass_hat_k)}`,
  );
  const texts = [
    `n counts ${plural(n, 'trial')}; the 95 % interval is over ${plural(questions, 'question')}`,
    ...lineIf(
      rates.length > 0,
      `pass@k (one of k trials is right) / pass^k (all are): ${figures.join(', ')}`,
    ),
    ...lineIf(
      unstable.length > 0,
      `${plural(unstable.length, 'question')} right in some trials only: ${listIds(unstable, 240)}`,
    ),
  ];
  return texts.map((text) => ({ suite, ...pickVariant(variant), text }));
}

/** What a watch run has of earlier ones, and why the figures are less than they seem. */
function toWarnings(outcome: RunOutcome): readonly Line[] {
  const { length: all } = outcome.results;
  const ran = listNewResults(outcome).length;
  const carried = all - ran;
  const earlier = `This watch run ran ${plural(ran, 'test')}. The tables also count ${plural(carried, 'result')} of earlier watch runs.`;
  return [
    ...toLines('note', lineIf(carried > 0, earlier)),
    ...toLines('warning', outcome.manifest.suites.flatMap(describeBad)),
    ...toLines('warning', listFaults(outcome)),
  ];
}

/** What a run lacks or has too much of, a sentence each. */
export function listFaults(outcome: RunOutcome): readonly string[] {
  const { summary, leftOut, notRun, results, duplicates, unreadable, runErrors } = outcome;
  const { length: all } = results;
  const { counts, stops } = explainNotRun(results);
  const skipped = partOf(leftOut, leftOut + all, 'test', 'was not selected', 'were not selected');
  const groups = summary.suites.flatMap((suite) => suite.groups);
  const isBounded = groups.some(({ accuracy, bounds }) => accuracy === null && bounds !== null);
  const missing = `${partOf(notRun.length, all, 'test', 'was', 'were')} not run (${counts})`;
  const bounds = isBounded ? '. The table shows bounds of the accuracy.' : '.';
  return [
    ...lineIf(leftOut > 0, `PARTIAL: ${skipped}. No figure counts them.`),
    ...lineIf(notRun.length > 0, `NOT COMPLETE: ${missing}${bounds}`),
    ...stops.slice(0, 5).map((stop) => `STOPPED: ${stop}`),
    ...duplicates.slice(0, 5).map((name) => `DUPLICATE: ${name} has more than one result.`),
    ...lineIf(
      unreadable > 0,
      `UNREADABLE: ${plural(unreadable, 'line')} of samples.jsonl cannot be read.`,
    ),
    ...runErrors.slice(0, 5).map((failure) => `RUN ERROR: ${failure}`),
  ];
}

/** The bad records that EVAL_SKIP_BAD left out of a suite. */
function describeBad({ suite, left_out = [] }: SuiteManifest): readonly string[] {
  const were = plural(left_out.length, 'bad record is', 'bad records are');
  return lineIf(
    left_out.length > 0,
    `LEFT OUT: ${were} not asked in ${suite} (EVAL_SKIP_BAD): ${listUp(left_out, 5)}.`,
  );
}

/** The verdict of a gate on one agent; a warning only if the gate decides the exit code. */
export function toGateLine(
  { gate, holds, explanation, ...variant }: GateResult,
  { manifest, summary, exit }: Pick<RunOutcome, 'manifest' | 'summary' | 'exit'>,
): Line {
  const isAdvisory = gate.advisory === true;
  const isWarning = holds === false && !isAdvisory && exit.code !== null;
  const missed = isWarning ? 'GATE MISSED' : 'gate missed';
  const verdict = holds === null ? 'gate not judged' : holds ? 'gate holds' : missed;
  const subject = `${gate.suite} (${gate.dataset}, ${nameVariant(variant)})`;
  const selection = describeSelection(gate, variant, manifest, summary);
  const text = `${verdict}${isAdvisory ? ' (advisory)' : ''}: ${subject}: ${explanation}${selection}`;
  return { text, level: isWarning ? 'warning' : 'note' };
}

/** A gate that one question meets must not look like a gate that the whole dataset meets. */
function describeSelection(
  gate: GateResult['gate'],
  variant: Pick<GateResult, 'agent' | 'prompt'>,
  manifest: Manifest,
  summary: Summary,
): string {
  const own = summary.suites.find(
    ({ suite, dataset, ...other }) =>
      suite === gate.suite && dataset === gate.dataset && isOfVariant(other, variant),
  );
  const { n = 0, questions = 0 } = own?.groups.find(({ group }) => group === gate.group) ?? {};
  const sizes = manifest.suites.find(({ suite }) => suite === gate.suite)?.group_sizes ?? [];
  const whole = sizes
    .filter(([name]) => gate.group === 'all' || name === gate.group)
    .reduce((sum, [, samples]) => sum + samples, 0);
  const trials = questions < n ? `, ${plural(n, 'trial')}` : '';
  return n === 0 || questions >= whole
    ? ''
    : ` (on ${questions} of ${plural(whole, 'question')}${trials})`;
}
