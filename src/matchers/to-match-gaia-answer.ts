import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { judgeGaia } from '../scoring/gaia/rules.ts';
import type { Grade } from '../types.ts';
import { type MatcherResult, type MatcherState, requireText, showText, toMatcherResult } from './matcher.ts';

export type GaiaMatcherOptions = {
  /** Name of the scoring rule; "official" unless given. */
  readonly rule?: string;
  /** Answers that count beside the truth, for the rule "any-of". */
  readonly accept?: readonly string[];
  /** False when the received text is the bare answer, from which nothing is to be extracted. */
  readonly extract?: boolean;
  /** The grade of the received text, where it was made before; the other options then count no more. */
  readonly grade?: Grade;
};

/**
 * Passes when the answer found in an agent's output matches a GAIA truth by the official rule.
 *
 * @example
 * expect('The total is 17.\nFINAL ANSWER: 17').toMatchGaiaAnswer('17');
 */
export function toMatchGaiaAnswer(
  this: MatcherState,
  received: unknown,
  truth: unknown,
  options: GaiaMatcherOptions = {},
): MatcherResult {
  requireText('toMatchGaiaAnswer', "the agent's output", received);
  requireText('toMatchGaiaAnswer', 'the truth', truth);
  const grade = options.grade ?? gradeGaia(received, truth, options);
  return toMatcherResult(this, 'toMatchGaiaAnswer', grade.correct, () => explain(grade, received, truth, options));
}

function explain(
  { answer, how, rule, explanation }: Grade,
  output: string,
  truth: string,
  { accept }: GaiaMatcherOptions,
) {
  const { expected, received } = judgeGaia(answer ?? '', truth, rule, accept);
  return {
    received: answer === null ? null : received,
    expected,
    lines: [
      // What is compared is without case, spaces and the like: nobody reads a name in it.
      ...(expected === truth ? [] : [`Target:   ${showText(truth)}`]),
      answer === null ? 'Answer:   none found' : `Answer:   ${showText(answer)} (${how})`,
      `Rule:     ${rule}, ${explanation}`,
      `Output:   ${showText(output)}`,
    ],
  };
}
