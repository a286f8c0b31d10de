import { createRequire } from 'node:module';
import type { JudgeOptions } from '../judge/judge.ts';
import { EXTENSION } from '../package.ts';
import { type GradeGaiaOptions, gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { type GradeNumberOptions, gradeNumber } from '../scoring/math/grade-number.ts';
import type { GradeMcqOptions } from '../scoring/mcq/grade-mcq.ts';
import type { ChoiceQuestion } from '../scoring/mcq/question.ts';
import type { Grade, ValueGrade } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import {
  cut,
  disarmCommands,
  escapeControls,
  showValue,
  toText,
  toTextOrNull,
} from '../words/show.ts';
import { type GradeMathOptions, gradeMath } from './grade-math.ts';
import type { CalledToolsOptions, ExpectedCalls } from './to-have-called-tools.ts';

/** The part of a matcher's state that viva uses. Vitest and Jest both have it. */
export type MatcherState = {
  readonly isNot: boolean;
  readonly utils: {
    matcherHint(
      name: string,
      received?: string,
      expected?: string,
      options?: { isNot?: boolean },
    ): string;
    printExpected(value: unknown): string;
    printReceived(value: unknown): string;
  };
};

export type MatcherResult = {
  readonly pass: boolean;
  /**
   * Has expected and received in it. As `actual` and `expected` Vitest would print them a second
   * time.
   */
  message(): string;
};

/** The parts of a matcher's message. */
type Explained = {
  readonly received: string | null;
  readonly expected: string;
  /**
   * How the received value was found, the rule, and why it does or does not match: one line each.
   */
  readonly lines: readonly string[];
};

/**
 * A matcher's result in the form of the built-in matchers: hint, expected, received, then the
 * reasons. `explain` is called only for a message: most assertions pass and need none.
 */
export function toMatcherResult(
  { isNot, utils }: MatcherState,
  name: string,
  pass: boolean,
  explain: () => Explained,
): MatcherResult {
  const message = () => {
    const { received, expected, lines } = explain();
    const head = [
      utils.matcherHint(name, 'output', 'target', { isNot }),
      '',
      `Expected: ${isNot ? 'not ' : ''}${utils.printExpected(show(expected))}`,
      `Received: ${received === null ? 'no answer' : utils.printReceived(show(received))}`,
    ];
    return toMessage(head, lines);
  };
  return { pass, message };
}

/**
 * Throws a TypeError if a matcher did not get a string, also with `.not`: a mistake must not pass as
 * a verdict.
 */
export function requireText(name: string, what: string, value: unknown): asserts value is string {
  if (typeof value === 'string') return;
  const type = value === null ? 'null' : typeof value;
  throw new TypeError(
    `${name} needs ${what} as a string, got ${type}. Pass the text itself, and handle a missing answer before you call the matcher.`,
  );
}

/** The parts of a matcher's message for a grade. */
function explainGrade(
  grade: ValueGrade,
  output: Json,
  target: Json | readonly string[],
): Explained {
  const { answer, how, rule, explanation, confidence } = grade;
  const stated = typeof confidence === 'string' ? showText(confidence) : confidence;
  return {
    received: toTextOrNull(answer),
    expected: toExpected(target),
    lines: [
      `Answer:   ${showAnswer(answer, how)}${stated === null ? '' : `, confidence ${stated}`}`,
      `Rule:     ${rule}, ${explanation}`,
      `Output:   ${showJson(output)}`,
    ],
  };
}

/** Several accepted answers in one text. */
function toExpected(target: Json | readonly string[]): string {
  return isTexts(target) ? `any of: ${target.join(' | ')}` : toText(target);
}

function isTexts(target: Json | readonly string[]): target is readonly string[] {
  return Array.isArray(target) && target.every((each) => typeof each === 'string');
}

/** The message of a test whose grade is not correct, for suites without a matcher. */
export function describeGrade(
  suite: string,
  grade: ValueGrade,
  output: Json,
  target: Json,
): string {
  const { lines } = explainGrade(grade, output, target);
  const head = [
    `${suite}: ${grade.state.replace('_', ' ')}`,
    ...(target === '' ? [] : [`Expected: ${showValue(target)}`]),
    `Received: ${grade.answer === null ? 'no answer' : showValue(grade.answer)}`,
  ];
  return toMessage(head, lines);
}

function toMessage(head: readonly string[], lines: readonly string[]): string {
  const reasons = lines.map((line) => escapeControls(cut(line, 2000)));
  return disarmCommands([...head, '', ...reasons].join('\n'));
}

/** The answer that was found, and how. */
function showAnswer(answer: Json, how: string): string {
  return answer === null ? 'none found' : `${showJson(answer)} (${how})`;
}

function showJson(value: Json): string {
  return typeof value === 'string' ? showText(value) : showValue(value);
}

/** A text in quotes on one line. A long text is cut to its end, where agents put the answer. */
export function showText(text: string): string {
  const end = text.length > 160 ? `…${text.slice(-160).toWellFormed()}` : text;
  return `"${escapeControls(end.replace(/["\\]/g, '\\$&'))}"`;
}

/** The texts may contain control characters, and Vitest prints messages as they are. */
function show(text: string): string {
  return escapeControls(cut(text, 300));
}

/** An expected answer; of a list any one is accepted. */
type Target = string | number | readonly (string | number)[];

/** The matchers, as `expect` has them. */
interface VivaMatchers<R> {
  /** Passes if a trace has calls of these tools, in this order unless `order` says otherwise. */
  toHaveCalledTools(tools: ExpectedCalls, options?: CalledToolsOptions): R;
  /**
   * Passes if the answer in an agent's output matches the expected answer by GAIA's official
   * rule.
   */
  toMatchGaiaAnswer(target: Target, options?: GaiaMatcherOptions): R;
  /**
   * Passes if the answer in an agent's output has the value of the expected answer, as
   * mathematics. `await` it.
   */
  toMatchMath(target: Target, options?: MathMatcherOptions): Promise<R>;
  /**
   * Passes if the answer in an agent's output is the expected number, exactly or within a
   * tolerance.
   */
  toMatchNumber(target: Target, options?: NumberMatcherOptions): R;
  /**
   * Passes if the options chosen in an agent's output are exactly those of the expected answer,
   * in any order.
   */
  toMatchMcqAnswer(target: string | readonly string[], options?: McqMatcherOptions): R;
  /**
   * Passes if judges (models of EVAL_JUDGE) say that a text meets a criterion. `await` it in the
   * score of a suite.
   */
  toPassJudge(criterion: string, options?: JudgeOptions): Promise<R>;
}

// `Matchers` of Vitest 4 has other type parameters than that of Vitest 5. Both extend Chai's types.
declare global {
  namespace Chai {
    interface Assertion extends VivaMatchers<void> {}
    // biome-ignore lint/suspicious/noExplicitAny: a matcher inside a value stands for any value.
    interface ExpectStatic extends VivaMatchers<any> {}
  }
}

type Graded = {
  /** The grade of the received text if it exists already. The other options are then ignored. */
  readonly grade?: Grade;
};

type GaiaMatcherOptions = GradeGaiaOptions & Graded;

type MathMatcherOptions = GradeMathOptions & Graded;

type McqMatcherOptions = ChoiceQuestion & GradeMcqOptions & Graded;

type NumberMatcherOptions = GradeNumberOptions & Graded;

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
