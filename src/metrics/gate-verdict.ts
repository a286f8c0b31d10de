import { plural } from '../text/show.ts';
import { formatPercent } from '../text/wording.ts';
import { computeSmallestMargin } from './intervals.ts';

/** What a threshold says of the figures of a group. */
export type Verdict = {
  /** Null if it cannot be judged: incomplete run, missing group, hidden targets, no baseline. */
  readonly holds: boolean | null;
  /**
   * What is compared with the threshold: accuracy, lowest share of right trials of a question, drop
   * or rate of a judge at the lower end of the interval, share of errored results, mean of a score,
   * dollars or milliseconds; null if not known.
   */
  readonly value: number | null;
  /** A clause such as "accuracy 58.3 % is below the gate 60.0 % for group all". */
  readonly explanation: string;
};

export function toUnknown(explanation: string): Verdict {
  return { holds: null, value: null, explanation };
}

/** Differences of rates are in percentage points, as in comparisons. */
export function toPoints(percent: string): string {
  return percent.replace('%', 'pp');
}

/** Says so if no run of this size can meet the gate: the agent is not to blame. */
export function explainMargin(questions: number, maximum: number): string {
  const margin = computeSmallestMargin(questions);
  if (margin <= maximum) return '';
  return `; with ${plural(questions, 'question')} it is ${toPoints(formatPercent(margin))} even if no answer changes`;
}
