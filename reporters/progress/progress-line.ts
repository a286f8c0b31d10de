import { formatCost, formatRate } from '../figures.ts';

/** How far a suite is. Costs in US dollars; `now` and `startedAt` in ms of one clock. */
export type Progress = {
  readonly suite: string;
  readonly total: number;
  readonly done: number;
  /** Of those that are done, how many have a verdict, and how many of these are right. */
  readonly judged: number;
  readonly correct: number;
  /** Of those that are done, how many were asked now and not recalled. */
  readonly asked: number;
  readonly running: number;
  /** What this run has spent; null while no price is known. */
  readonly spent: number | null;
  /** Calls that the provider admits at once, when it has refused some for their rate. */
  readonly slowedTo: number | null;
  readonly startedAt: number;
};

/** Fewer answers tell nothing of how long the rest will take. */
const MIN_ASKED = 3;

/** One line on how far a suite is: what is done, how well, what runs, what it cost, how long it may still take. */
export function renderProgress(progress: Progress, now: number): string {
  const { suite, total, done, judged, correct, running, spent, slowedTo } = progress;
  const parts = [
    `${suite} ${done}/${total}`,
    judged === 0 ? null : `${formatRate(correct / judged)} right so far`,
    running === 0 ? null : `${running} running`,
    spent === null ? null : `${formatCost(spent)} spent`,
    slowedTo === null ? null : `rate limit: ${slowedTo} at once`,
    describeRest(progress, now),
  ];
  return parts.filter((part) => part !== null).join('  ');
}

function describeRest({ total, done, asked, startedAt }: Progress, now: number): string | null {
  if (asked < MIN_ASKED || done === total) return null;
  const seconds = ((now - startedAt) / asked) * (total - done) * 0.001;
  return `about ${describeDuration(seconds)} left`;
}

function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
