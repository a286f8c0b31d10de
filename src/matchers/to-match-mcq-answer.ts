import { createRequire } from 'node:module';
import { EXTENSION } from '../package.ts';
import type { Grade } from '../types.ts';
import { explainGrade, type MatcherResult, type MatcherState, requireText, toMatcherResult } from './matcher.ts';

export type McqMatcherOptions = {
  /** Option texts by label. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** Whether several options may be right. */
  readonly multiple?: boolean | undefined;
  /** False when the received text is the bare answer, from which nothing is to be extracted. */
  readonly extract?: boolean;
  /** The grade of the received text, where it was made before; the other options then count no more. */
  readonly grade?: Grade;
};

/**
 * Passes when the options chosen in an agent's output are exactly the target's, in any order.
 *
 * @example
 * expect('The answer is A and D.').toMatchMcqAnswer('A,D', { choices });
 */
export function toMatchMcqAnswer(
  this: MatcherState,
  received: unknown,
  target: unknown,
  { choices, multiple, extract = true, grade: given }: McqMatcherOptions = {},
): MatcherResult {
  requireText('toMatchMcqAnswer', "the agent's output", received);
  requireText('toMatchMcqAnswer', 'the target', target);
  const question = { ...(choices === undefined ? {} : { choices }), ...(multiple === undefined ? {} : { multiple }) };
  const grade = given ?? loadGrading().gradeMcq(received, target, question, { extract });
  return toMatcherResult(this, 'toMatchMcqAnswer', grade.correct, () => explainGrade(grade, received, target));
}

const load = createRequire(import.meta.url);

/** Matchers are registered before it is known what is asked, and the words of choices are most of what there is to load. */
function loadGrading(): typeof import('../scoring/mcq/grade-mcq.ts') {
  return load(`../scoring/mcq/grade-mcq${EXTENSION}`);
}
