import { createRequire } from 'node:module';
import { EXTENSION } from '../package.ts';
import { type GradeGaiaOptions, gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { type GradeNumberOptions, gradeNumber } from '../scoring/math/grade-number.ts';
import type { GradeMcqOptions } from '../scoring/mcq/grade-mcq.ts';
import type { ChoiceQuestion } from '../scoring/mcq/question.ts';
import type { Grade } from '../words/row.ts';
import { type GradeMathOptions, gradeMath } from './grade-math.ts';
import {
  explainGrade,
  type MatcherResult,
  type MatcherState,
  requireText,
  toMatcherResult,
} from './matcher.ts';

/** An expected answer; of a list any one is accepted. */
export type Target = string | number | readonly (string | number)[];

type Graded = {
  /** The grade of the received text if it exists already. The other options are then ignored. */
  readonly grade?: Grade;
};

export type GaiaMatcherOptions = GradeGaiaOptions & Graded;

export type MathMatcherOptions = GradeMathOptions & Graded;

export type McqMatcherOptions = ChoiceQuestion & GradeMcqOptions & Graded;

export type NumberMatcherOptions = GradeNumberOptions & Graded;

/**
 * Passes if the answer in an agent's output matches the expected answer by GAIA's official rule.
 * Throws a TypeError if the output is not a string, or the target neither a string nor a number, and a
 * RangeError for an unknown rule.
 *
 * @example
 * expect('The total is 17.\nFINAL ANSWER: 17').toMatchGaiaAnswer('17');
 */
export const toMatchGaiaAnswer = toMatcher<GaiaMatcherOptions>('toMatchGaiaAnswer', gradeGaia);

/**
 * Passes if the answer in an agent's output is the expected number, exactly or within a tolerance.
 * Throws a TypeError if the output is not a string, or the target neither a string nor a number, and a
 * RangeError if the target is not a number.
 *
 * @example
 * expect('FINAL ANSWER: 1,234.5 km').toMatchNumber('1234', { absolute: 0.5, unit: 'km' });
 */
export const toMatchNumber = toMatcher<NumberMatcherOptions>('toMatchNumber', gradeNumber);

/**
 * Passes if the options chosen in an agent's output are exactly those of the expected answer, in
 * any order. Of a list of targets any one is accepted. Throws a TypeError if the output is not a string, or
 * the target neither a string nor a number.
 *
 * @example
 * expect('The answer is A and D.').toMatchMcqAnswer('A,D', { choices });
 */
export const toMatchMcqAnswer = toMatcher<McqMatcherOptions>(
  'toMatchMcqAnswer',
  (output, target, options) => {
    const accepts = typeof target === 'string' ? undefined : 'any';
    return loadMcq().gradeMcq(output, target, { accepts, ...options }, options);
  },
);

/**
 * Passes if the answer in an agent's output has the value of the expected answer, as mathematics.
 * A program of its own computes formulas: `await` it. Throws a TypeError if the output is not a string,
 * or the target neither a string nor a number, and an AgentError without the package
 * @cortex-js/compute-engine.
 *
 * @example
 * await expect('Hence \\boxed{\\frac{\\sqrt{2}}{2}}.').toMatchMath('1/sqrt(2)');
 */
export const toMatchMath = toMatcher<MathMatcherOptions>('toMatchMath', gradeMath);

function toMatcher<Options extends Graded>(
  name: string,
  gradeOf: (
    output: string,
    target: string | readonly string[],
    options: Options,
  ) => Grade | Promise<Grade>,
) {
  return function (
    this: MatcherState,
    received: unknown,
    expected: unknown,
    options: Partial<Options> = {},
  ): MatcherResult | Promise<MatcherResult> {
    requireText(name, "the agent's output", received);
    const target = readTarget(name, expected);
    const toResult = (grade: Grade) =>
      toMatcherResult(this, name, grade.correct, () => explainGrade(grade, received, target));
    const grade = options.grade ?? gradeOf(received, target, options as Options);
    return grade instanceof Promise ? grade.then(toResult) : toResult(grade);
  };
}

/** An expected answer, or several; a number is the text that it prints. */
function readTarget(name: string, expected: unknown): string | readonly string[] {
  const texts = [expected].flat().map((each: unknown) => {
    const text = typeof each === 'number' ? String(each) : each;
    requireText(name, 'the expected answer', text);
    return text;
  });
  return Array.isArray(expected) ? texts : (texts[0] ?? '');
}

const load = createRequire(import.meta.url);

/** Loaded on first use: it is large, and most projects register this matcher without calling it. */
function loadMcq(): typeof import('../scoring/mcq/grade-mcq.ts') {
  return load(`../scoring/mcq/grade-mcq${EXTENSION}`);
}
