import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { judgeGaia } from '../scoring/gaia/score-gaia.ts';
import type { Grade } from '../types.ts';
import { type MatcherResult, type MatcherState, requireText, showText, toMatcherResult } from './matcher.ts';

export type GaiaMatcherOptions = {
  /** Name of the scoring rule; "official" unless given. */
  readonly rule?: string;
  /** False when the received text is the bare answer, from which nothing is to be extracted. */
  readonly extract?: boolean;
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
  const grade = gradeGaia(received, truth, options);
  return toMatcherResult(this, 'toMatchGaiaAnswer', {
    pass: grade.correct,
    explain: () => explain(grade, received, truth),
  });
}

function explain({ answer, how, rule, explanation }: Grade, output: string, truth: string) {
  const forms = judgeGaia(answer ?? '', truth, rule);
  return {
    received: answer === null ? null : forms.received,
    expected: forms.expected,
    lines: [
      answer === null ? 'Answer:   none found' : `Answer:   ${showText(answer)} (${how})`,
      `Rule:     ${rule}, ${explanation}`,
      `Output:   ${showText(output)}`,
    ],
  };
}
