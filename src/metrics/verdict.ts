import { partOf, plural } from '../text/plural.ts';
import type { GroupSummary, SuiteSummary } from '../types.ts';
import type { Comparison, PairedDifference } from './compare.ts';
import { computeSmallestMargin } from './paired-interval.ts';
import { formatPercent, formatPercents } from './percent.ts';

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
