import { showApart } from '../words/differences.ts';
import type { ValueGrade } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import {
  cut,
  disarmCommands,
  escapeControls,
  showValue,
  toText,
  toTextOrNull,
} from '../words/show.ts';

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

export function explainGrade(
  grade: ValueGrade,
  output: Json,
  target: Json | readonly string[],
): Explained {
  const { answer, how, rule, explanation, confidence } = grade;
  const found = answer === null ? 'none found' : `${showJson(answer)} (${how})`;
  const stated = typeof confidence === 'string' ? showText(confidence) : confidence;
  return {
    received: toTextOrNull(answer),
    expected: toExpected(target),
    lines: [
      `Answer:   ${found}${stated === null ? '' : `, confidence ${stated}`}`,
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

/**
 * The message of a test whose grade is not correct, for suites without a matcher. What differs between
 * two values is shown below it.
 */
export function describeGrade(
  suite: string,
  grade: ValueGrade,
  output: Json,
  target: Json,
): string {
  const { answer, how } = grade;
  const [found, reason, given] = explainGrade(grade, output, target).lines;
  const isWhole = how === 'whole output' && answer !== null;
  const isShownBelow = isShownAsDiff(grade, target);
  const isTold = answer !== null && target !== '' && !isShownBelow;
  const [received, expected] = isTold ? showApart(answer, target) : [showAnswer(answer), target];
  const head = [
    `${suite}: ${grade.state.replace('_', ' ')}`,
    ...(target === '' || isShownBelow
      ? []
      : [`Expected: ${isTold ? expected : showValue(target)}`]),
    ...(isShownBelow ? [] : [`Received: ${received}`]),
  ];
  const lines = [...(isWhole ? [] : [found]), reason, ...(isWhole ? [] : [given])];
  return toMessage(
    head,
    lines.flatMap((line) => line ?? []),
  );
}

/** Whether Vitest shows how an answer differs from what it had to equal: in values, and in lines. */
export function isShownAsDiff({ rule, answer }: ValueGrade, target: Json): boolean {
  const hasLines = typeof answer === 'string' && typeof target === 'string' && /\n/.test(target);
  return rule === 'equality' && (typeof target !== 'string' || hasLines);
}

function showAnswer(answer: Json): string {
  return answer === null ? 'no answer' : showValue(answer);
}

function toMessage(head: readonly string[], lines: readonly string[]): string {
  const reasons = lines.map((line) => escapeControls(cut(line, 2000)));
  return disarmCommands([...head, '', ...reasons].join('\n'));
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
