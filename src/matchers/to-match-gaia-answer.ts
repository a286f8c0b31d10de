import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import type { Grade } from '../types.ts';
import { explainGrade, type MatcherResult, type MatcherState, requireText, toMatcherResult } from './matcher.ts';

export type GaiaMatcherOptions = {
  /** Name of the scoring rule; "official" unless given. */
  readonly rule?: string;
  /** Answers that count beside the expected one, for the rule "any-of". */
  readonly accept?: readonly string[];
  /** False when the received text is the bare answer, from which nothing is to be extracted. */
  readonly extract?: boolean;
  /** The grade of the received text, where it was made before; the other options then count no more. */
  readonly grade?: Grade;
};

/**
 * Passes when the answer found in an agent's output matches GAIA's expected answer by the official rule.
 *
 * @example
 * expect('The total is 17.\nFINAL ANSWER: 17').toMatchGaiaAnswer('17');
 */
export function toMatchGaiaAnswer(
  this: MatcherState,
  received: unknown,
  target: unknown,
  options: GaiaMatcherOptions = {},
): MatcherResult {
  requireText('toMatchGaiaAnswer', "the agent's output", received);
  requireText('toMatchGaiaAnswer', 'the expected answer', target);
  const grade = options.grade ?? gradeGaia(received, target, options);
  return toMatcherResult(this, 'toMatchGaiaAnswer', grade.correct, () => explainGrade(grade, received, target));
}
