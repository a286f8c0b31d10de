import { askJudges, describeRuling, type JudgeOptions } from '../judge/judge.ts';
import { ScoreFault } from '../words/score-fault.ts';
import {
  type MatcherResult,
  type MatcherState,
  requireText,
  showText,
  toMatcherResult,
} from './matcher.ts';

/**
 * Passes if the judges of EVAL_JUDGE (or of `judges`) say by majority that a text meets a
 * criterion. It works in the `score` of a suite: `await` it there. Without a majority it throws,
 * under `.not` too: the sample is then neither right nor wrong.
 *
 * @example
 * await expect(output).toPassJudge('Names the same person as the reference.', { reference: 'Marie
 * Curie' });
 */
export async function toPassJudge(
  this: MatcherState,
  received: unknown,
  criterion: unknown,
  options: JudgeOptions = {},
): Promise<MatcherResult> {
  requireText('toPassJudge', "the agent's output", received);
  requireText('toPassJudge', 'the criterion', criterion);
  if ('scale' in options || 'levels' in options) throw new ScoreFault(GRADED);
  const ruling = await askJudges('toPassJudge', received, criterion, options);
  const { reference, opinions } = ruling;
  return toMatcherResult(this, 'toPassJudge', ruling.verdict === 'pass', () => ({
    received,
    expected: criterion,
    lines: [
      `Judged:    ${describeRuling(ruling)}`,
      ...(reference === null ? [] : [`Reference: ${showText(reference)}`]),
      ...(opinions.length === 1
        ? []
        : opinions.map(({ judge, verdict, reason }) => `${judge}: ${verdict}, ${reason}`)),
    ],
  }));
}

const GRADED =
  'toPassJudge says pass or fail, and takes no "scale". Write the judge among the scores of the suite, as in scores: { tone: judge("Is polite.", { scale: 5 }) }.';
