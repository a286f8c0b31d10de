import { listIds } from '../src/compare/differences.ts';
import { listNewResults } from '../src/compare/watch-runs.ts';
import type { GateResult } from '../src/metrics/gates.ts';
import type { Manifest, SuiteManifest } from '../src/store/manifest.ts';
import { showPath } from '../src/text/show.ts';
import {
  isOfVariant,
  lineIf,
  nameVariant,
  partOf,
  pickVariant,
  plural,
} from '../src/text/wording.ts';
import type { SampleResult, Summary } from '../src/types.ts';
import { listPromptDiffs, toDiffLines, toFlipRemarks, toPromptRemarks } from './comparison.ts';
import { explainNotRun, type RunOutcome, type SuiteTrials } from './evaluate-run.ts';
import { toJudgeRemarks } from './judge-remarks.ts';
import { showAges, toPlanRemarks } from './plan-remarks.ts';
import { type Line, listSubjects, type Remark, toLines, toSentences } from './remarks.ts';
import {
  toAuditRemarks,
  toBudgetRemarks,
  toCostRemarks,
  toGaiaRemarks,
  toRateRemarks,
  toReasonRemarks,
} from './result-remarks.ts';
import { formatRate } from './tables.ts';

/** The lines below the tables: how the data was read, problems with the figures, the gates. */
export function toRemarks(outcome: RunOutcome): readonly Line[] {
  const { manifest, results } = outcome;
  const { suites } = outcome.summary;
  // A dry run has no figures.
  const subjects = suites.length > 0 ? suites : listSubjects(manifest.suites);
  return [
    ...toLines('note', [
      ...toSentences(listRemarks(outcome), subjects),
      ...toBudgetRemarks(manifest, results),
      ...toRateRemarks(results),
      ...outcome.promptTests.flatMap(toPromptRemarks),
      ...outcome.flips.flatMap(toFlipRemarks),
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

function listRemarks({
  manifest,
  summary,
  results,
  audit,
  trials,
  end,
}: RunOutcome): readonly Remark[] {
  const { suites, config } = manifest;
  const asked = listNewResults({ results, end });
  const endedAt = end.ended_at ?? manifest.created_at;
  return [
    // Notes of loaders and agents.
    ...suites.flatMap(({ suite, notes }) => notes.map((text) => ({ suite, agent: null, text }))),
    ...suites.flatMap(({ suite, agent_notes }) => agent_notes.map((note) => ({ suite, ...note }))),
    // A dry run shows its plan here. Other runs showed theirs before the first question.
    ...suites.flatMap((suite) =>
      config['dryRun'] === true ? toPlanRemarks(suite) : toCacheRemarks(suite, asked, endedAt),
    ),
    ...trials.flatMap(toTrialRemarks),
    ...toCostRemarks(summary),
    ...toReasonRemarks(results),
    ...toJudgeRemarks(results),
    ...suites.flatMap((suite) => toGaiaRemarks(suite, results)),
    ...toAuditRemarks(audit),
  ];
}

/** How many answers are cached, and how old they were then; nothing without a cached answer. */
export function toCacheRemarks(
  { suite, plans }: Pick<SuiteManifest, 'suite' | 'plans'>,
  results: readonly SampleResult[],
  now: string,
): readonly Remark[] {
  return plans.flatMap((plan) => {
    const own = results.filter((row) => row.suite === suite && isOfVariant(row, plan));
    const cached = own.filter((row) => row.cached);
    if (!plan.kept || cached.length === 0) return [];
    const times = cached.flatMap(({ answered_at }) => answered_at ?? []).sort();
    const age = showAges(times[0] ?? null, times.at(-1) ?? null, now);
    const text = `${partOf(cached.length, own.length, 'answer', 'is', 'are')} cached${age}`;
    return [{ suite, ...pickVariant(plan), text }];
  });
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
  ...side
}: SuiteTrials): readonly Remark[] {
  const figures = rates.map(
    (rate) => `k=${rate.k} ${formatRate(rate.pass_at_k)} / ${formatRate(rate.pass_hat_k)}`,
  );
  const said = [
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
  return said.map((text) => ({ suite, ...pickVariant(side), text }));
}

/** Why the figures are less than they seem. */
function toWarnings({
  summary,
  leftOut,
  notRun,
  results,
  end,
  ...faults
}: RunOutcome): readonly Line[] {
  const { duplicates, unreadable, outside } = faults;
  const { counts, stops } = explainNotRun(results);
  const skipped = partOf(
    leftOut,
    leftOut + results.length,
    'test',
    'was not selected',
    'were not selected',
  );
  const ran = listNewResults({ results, end }).length;
  const carried = results.length - ran;
  const earlier = `This watch run ran ${plural(ran, 'test')}. The tables also count ${plural(carried, 'result')} of earlier watch runs.`;
  const groups = summary.suites.flatMap((suite) => suite.groups);
  const isBounded = groups.some(({ accuracy, bounds }) => accuracy === null && bounds !== null);
  const said = `${partOf(notRun.length, results.length, 'test', 'was', 'were')} not run (${counts})`;
  const bounds = isBounded ? '. The table shows bounds of the accuracy.' : '.';
  const warnings = [
    ...lineIf(leftOut > 0, `PARTIAL: ${skipped}. No figure counts them.`),
    ...lineIf(notRun.length > 0, `NOT COMPLETE: ${said}${bounds}`),
    ...stops.slice(0, 5).map((stop) => `STOPPED: ${stop}`),
    ...duplicates.slice(0, 5).map((name) => `DUPLICATE: ${name} has more than one result.`),
    ...lineIf(
      unreadable > 0,
      `UNREADABLE: ${plural(unreadable, 'line')} of samples.jsonl cannot be read.`,
    ),
    ...outside.slice(0, 5).map((failure) => `RUN ERROR: ${failure}`),
    ...lineIf(
      outside.length > 5,
      `RUN ERROR: ${plural(outside.length - 5, 'more error')}, not shown.`,
    ),
  ];
  return [...toLines('note', lineIf(carried > 0, earlier)), ...toLines('warning', warnings)];
}

/** The verdict of a gate on one agent; a warning only if the gate decides the exit code. */
export function toGateLine(
  { gate, holds, explanation, ...side }: GateResult,
  { manifest, summary, exit }: Pick<RunOutcome, 'manifest' | 'summary' | 'exit'>,
): Line {
  const isAdvisory = gate.advisory === true;
  const isWarning = holds === false && !isAdvisory && exit.code !== null;
  const missed = isWarning ? 'GATE MISSED' : 'gate missed';
  const verdict = holds === null ? 'gate not judged' : holds ? 'gate holds' : missed;
  const subject = `${gate.suite} (${gate.dataset}, ${nameVariant(side)})`;
  const selection = describeSelection(gate, side, manifest, summary);
  const text = `${verdict}${isAdvisory ? ' (advisory)' : ''}: ${subject}: ${explanation}${selection}`;
  return { text, level: isWarning ? 'warning' : 'note' };
}

/** A gate that one question meets must not look like a gate that the whole dataset meets. */
function describeSelection(
  gate: GateResult['gate'],
  side: Pick<GateResult, 'agent' | 'prompt'>,
  manifest: Manifest,
  summary: Summary,
): string {
  const own = summary.suites.find(
    ({ suite, dataset, ...other }) =>
      suite === gate.suite && dataset === gate.dataset && isOfVariant(other, side),
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
