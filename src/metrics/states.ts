import type { SampleResult, State } from '../types.ts';

/** How many results are in each state; every state is present. */
export function countStates(results: readonly SampleResult[]): Readonly<Record<State, number>> {
  const counts = { correct: 0, incorrect: 0, no_answer: 0, timed_out: 0, errored: 0, ungraded: 0, not_run: 0 };
  for (const result of results) counts[result.state] += 1;
  return counts;
}

/** True for a result that counts in accuracy: an agent that errs, times out or never answers is wrong, not dropped. */
export function isGraded(result: SampleResult): boolean {
  return result.state !== 'ungraded' && result.state !== 'not_run';
}
