import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { judgeGaia } from '../scoring/gaia/score-gaia.ts';
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
  const forms = judgeGaia(grade.answer ?? '', truth, grade.rule);
  return toMatcherResult(this, 'toMatchGaiaAnswer', {
    pass: grade.correct,
    received: grade.answer === null ? null : forms.received,
    expected: forms.expected,
    lines: [
      grade.answer === null ? 'Answer:   none found' : `Answer:   ${showText(grade.answer)} (${grade.how})`,
      `Rule:     ${grade.rule}, ${grade.explanation}`,
      `Output:   ${showText(received)}`,
    ],
  });
}
