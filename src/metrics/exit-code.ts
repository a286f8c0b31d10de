import { partOf, plural } from '../text/wording.ts';
import type { GroupSummary, SuiteSummary } from '../types.ts';
import type { Comparison, PairedDifference } from './compare.ts';
import type { GateResult } from './gates.ts';
import { computeSmallestMargin } from './intervals.ts';
import { formatPercent, formatPercents } from './percent.ts';

/** What one agent did in an eval suite: its failed test cases. */
export type SuiteOutcome = {
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  readonly failed: number;
};

export type ExitInput = {
  readonly suites: readonly SuiteOutcome[];
  readonly gateResults: readonly GateResult[];
  /** False while any result is not_run. */
  readonly complete: boolean;
  /** By -t, tags or --last-failed: a chance part of the dataset says nothing about a gate. What is missing still fails. */
  readonly narrowed: boolean;
  /** Nothing was asked, as the user wished. */
  readonly dryRun?: boolean;
  /** A part of the dataset: its wrong answers are judged, by the gates, where the shards are merged. */
  readonly sharded?: boolean;
  /** Messages of errors that are no agent's answer: broken files, failing hooks, unhandled rejections. */
  readonly errorsOutside: readonly string[];
  /** Eval files of which nothing was asked, each with the reason. */
  readonly refused?: readonly string[];
  /** Titles of the selected results that never arrived, and of those that arrived twice. */
  readonly missing: readonly string[];
  /** Why results are missing, in a few words. */
  readonly missingBecause?: string;
  readonly duplicates: readonly string[];
  /** The code of a process that a signal has ended: it stays, and the last line says what is missing too. */
  readonly endedWith?: number | undefined;
};

export type Exit = {
  /** Null leaves the exit code to Vitest. */
  readonly code: 0 | 1 | null;
  /** The last line that the user reads: which code and why. */
  readonly reason: string;
};

/** So many problems fit one line; the others are counted. */
const MAX_SHOWN = 3;

/** Decides the exit code of a run (DESIGN 5.4). Fails closed: a gate that cannot be judged does not hold. */
export function decideExit(input: ExitInput): Exit {
  const unjudged = endUnjudged(input);
  const deciding = input.gateResults.filter(({ gate }) => gate.advisory !== true);
  const ungated = input.suites.filter((suite) => !deciding.some(({ gate }) => isSameSuite(gate, suite)));
  const problems = [
    ...findRunProblems(input),
    ...(unjudged === null ? [...findGateProblems(deciding), ...findFailedCases(ungated, input.suites)] : []),
  ];
  if (input.endedWith !== undefined) {
    const why = problems.length === 0 ? '' : `; ${joinProblems(problems)}`;
    return { code: null, reason: `exit ${input.endedWith}: the run was interrupted${why}` };
  }
  if (problems.length > 0) return { code: 1, reason: `exit 1: ${joinProblems(problems)}` };
  if (unjudged !== null) return unjudged;
  // Every gate that decides holds here.
  const misses = input.gateResults.filter(({ holds }) => holds !== true);
  return { code: 0, reason: `exit 0: ${describeSuccess(deciding.length, ungated, misses.length)}` };
}

/** The end of a run whose gates and wrong answers decide nothing; null for other runs. */
function endUnjudged({ dryRun, sharded, suites, narrowed }: ExitInput): Exit | null {
  if (dryRun === true)
    return { code: 0, reason: 'exit 0: a dry run asks nothing. Unset EVAL_DRY_RUN to run the evals.' };
  if (sharded === true)
    return { code: 0, reason: 'exit 0: the shard is complete; gates are judged by --merge-reports' };
  if (suites.length === 0) return leaveToVitest('no eval suite ran');
  return narrowed ? leaveToVitest('a run narrowed by -t, tags or --last-failed shows gates but is not gated') : null;
}

function leaveToVitest(why: string): Exit {
  return { code: null, reason: `exit code left to Vitest: ${why}` };
}

function isSameSuite(left: { suite: string; dataset: string }, right: { suite: string; dataset: string }): boolean {
  return left.suite === right.suite && left.dataset === right.dataset;
}

function findRunProblems({
  errorsOutside,
  refused = [],
  missing,
  missingBecause,
  duplicates,
  complete,
}: ExitInput): readonly string[] {
  const because = missingBecause === undefined ? '' : ` (${missingBecause})`;
  const named = refused.length + errorsOutside.length + missing.length > 0;
  return [
    ...describeList(refused, 'refused before anything was asked', 'eval files refused before anything was asked'),
    ...describeList(errorsOutside, 'error outside the answers', 'errors outside the answers'),
    ...describeList(missing, `missing result${because}`, `missing results${because}`),
    ...describeList(duplicates, 'duplicate result', 'duplicate results'),
    ...(complete || named ? [] : ['the run is incomplete: not every selected sample was run']),
  ];
}

/** The first one stands for all, and its first line for the message: the reason is one line. */
function describeList(texts: readonly string[], one: string, several: string): readonly string[] {
  const [first] = texts;
  if (first === undefined) return [];
  const line = first
    .trim()
    .replace(/[\r\n].*/s, '')
    .trimEnd();
  return [texts.length === 1 ? `${one}: ${line}` : `${texts.length} ${several}, the first: ${line}`];
}

/** By how much a gate is missed stands on its own line. */
function findGateProblems(results: readonly GateResult[]): readonly string[] {
  const severalAgents = new Set(results.map(({ agent }) => agent)).size > 1;
  return results
    .filter(({ holds }) => holds !== true)
    .map(({ gate, agent, measure, holds, explanation }) => {
      const subject = `${nameSuite(gate)}${severalAgents ? ` by ${agent}` : ''}`;
      if (holds === null) return `${subject}: ${measure} cannot be judged: ${explanation}`;
      return `${subject}: ${measure} of group ${gate.group} is missed`;
    });
}

/** Names the agents where there are several: each has its own number of failed cases. */
function findFailedCases(ungated: readonly SuiteOutcome[], all: readonly SuiteOutcome[]): readonly string[] {
  const severalAgents = new Set(all.map(({ agent }) => agent)).size > 1;
  const failing = ungated.filter(({ failed }) => failed > 0);
  return [...Map.groupBy(failing, nameSuite)].map(([name, suites]) => {
    const counts = suites.map(({ agent, failed }) => `${agent} ${failed}`);
    if (severalAgents) return `${name}: failed cases and no gate: ${counts.join(', ')}`;
    const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
    return `${name}: ${plural(failed, 'failed case')} and no gate`;
  });
}

function nameSuite({ suite, dataset }: { suite: string; dataset: string }): string {
  return `${suite} (${dataset})`;
}

function joinProblems(problems: readonly string[]): string {
  const more = problems.length - MAX_SHOWN;
  return `${problems.slice(0, MAX_SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function describeSuccess(gates: number, ungated: readonly SuiteOutcome[], advisoryMisses: number): string {
  return [
    ...(gates > 0 ? [gates === 1 ? 'the gate holds' : `all ${gates} gates hold`] : []),
    ...new Set(ungated.map((suite) => `${nameSuite(suite)}: no failed case and no gate`)),
    ...(advisoryMisses > 0 ? [`advisory gates that do not hold: ${advisoryMisses}`] : []),
  ].join('; ');
}

/** The thresholds that a gate may have, in the order in which they are judged. */
export const MEASURES = ['min_accuracy', 'max_drop', 'max_errored'] as const;

export type Measure = (typeof MEASURES)[number];

export type Verdict = {
  /** Null when it cannot be judged: incomplete run, absent group, hidden targets, no baseline. */
  readonly holds: boolean | null;
  /** Accuracy, drop at the lower end of the interval, or share of errored results; null when not known. */
  readonly value: number | null;
  /** A clause such as "accuracy 58.3 % is below the gate 60.0 % for group all". */
  readonly explanation: string;
};

/** Judges one threshold (0..1) on one group of a suite; `comparison` is null when there is no baseline. */
export function judgeMeasure(
  measure: Measure,
  threshold: number,
  name: string,
  suite: SuiteSummary,
  comparison: Comparison | null,
): Verdict {
  const group = suite.groups.find((candidate) => candidate.group === name);
  if (group === undefined) return toUnknown(`there is no group ${name} in this run`);
  if (group.graded === 0) return toUnknown(`no result of group ${name} can be graded`);
  if (group.accuracy === null) {
    const lacking = partOf(group.states.not_run, group.n, 'result', `of group ${name} was`, `of group ${name} were`);
    return toUnknown(`${lacking} not run`);
  }
  if (measure === 'min_accuracy') return judgeAccuracy(name, group.accuracy, threshold);
  return measure === 'max_errored' ? judgeErrored(group, threshold) : judgeDrop(group, threshold, comparison);
}

/** Both sides are the double nearest to their decimal or quotient, so 7 of 10 meets 0.7; a product could miss it. */
function judgeAccuracy(group: string, accuracy: number, minimum: number): Verdict {
  const holds = accuracy >= minimum;
  const [value, gate] = formatPercents(accuracy, minimum);
  const relation = holds ? 'meets' : 'is below';
  return { holds, value: accuracy, explanation: `accuracy ${value} ${relation} the gate ${gate} for group ${group}` };
}

function judgeErrored({ group, graded, graded_errored }: GroupSummary, maximum: number): Verdict {
  const errored = graded_errored / graded;
  const holds = errored <= maximum;
  const [value, gate] = formatPercents(errored, maximum);
  const relation = holds ? 'is within' : 'is above';
  return {
    holds,
    value: errored,
    explanation: `errored share ${value} ${relation} the gate ${gate} for group ${group}`,
  };
}

function judgeDrop(figures: GroupSummary, maximum: number, comparison: Comparison | null): Verdict {
  const { group } = figures;
  if (comparison === null) {
    return toUnknown(`there is no baseline to compare group ${group} with: name an earlier run in EVAL_BASELINE`);
  }
  const paired = group === 'all' ? comparison : comparison.groups.find((candidate) => candidate.group === group);
  if (!paired?.ci95) return toUnknown(`no question of group ${group} is finished in both runs`);
  const { questions } = paired;
  const gradable = countGradable(figures);
  if (questions < gradable) {
    const of = plural(gradable, 'question');
    return toUnknown(`only ${questions} of ${of} of group ${group} can be compared with the baseline`);
  }
  const drop = -paired.ci95[0];
  const holds = drop <= maximum;
  const [value, gate] = formatPercents(Math.max(0, drop), maximum).map(toPoints);
  const relation = holds ? 'is within' : 'is above';
  const clause = `a drop of up to ${value} is not ruled out and ${relation} the gate ${gate} for group ${group}`;
  return { holds, value: drop, explanation: clause + explainMargin(paired, maximum) };
}

/** A difference of rates is told in percentage points, as comparisons tell it. */
function toPoints(percent: string): string {
  return percent.replace('%', 'pp');
}

/** Whether a target is known is a matter of the question, so that all of its trials are graded or none. */
function countGradable({ n, questions, graded }: GroupSummary): number {
  return Math.round((questions * graded) / n);
}

/** A gate that no run of this size can meet must not look like a bad agent. */
function explainMargin({ questions }: PairedDifference, maximum: number): string {
  const margin = computeSmallestMargin(questions);
  if (margin <= maximum) return '';
  const leave = plural(questions, 'question leaves', 'questions leave');
  return ` (${leave} ${toPoints(formatPercent(margin))} open even when no answer changes)`;
}

function toUnknown(explanation: string): Verdict {
  return { holds: null, value: null, explanation };
}
