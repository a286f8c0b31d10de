import type { SampleResult, State } from '../types.ts';

/** How many results are in each state; every state is present. */
export function countStates(results: readonly SampleResult[]): Readonly<Record<State, number>> {
  const counts = { correct: 0, incorrect: 0, no_answer: 0, timed_out: 0, errored: 0, ungraded: 0, not_run: 0 };
  for (const result of results) counts[result.state] += 1;
  return counts;
}

/** Without a known target a result is in no accuracy, whatever became of it. A verdict is one even where the row hides the target. */
export function hasTarget({ state, target }: Pick<SampleResult, 'state' | 'target'>): boolean {
  return state === 'correct' || state === 'incorrect' || (state !== 'ungraded' && target !== null);
}

/** True for a result that counts in accuracy: an agent that errs, times out or never answers is wrong, not dropped. */
export function isGraded(result: Pick<SampleResult, 'state' | 'target'>): boolean {
  return hasTarget(result) && result.state !== 'not_run';
}
