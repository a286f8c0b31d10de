import { cut, disarmCommands, escapeControls, quote } from '../text/show.ts';
import type { Grade } from '../types.ts';
import type { GaiaMatcherOptions } from './to-match-gaia-answer.ts';
import type { SemanticMatcherOptions } from './to-match-gaia-answer-semantically.ts';
import type { McqMatcherOptions } from './to-match-mcq-answer.ts';

/** The part of a runner's matcher state that the matchers here use; Vitest and Jest both have it. */
export type MatcherState = {
  readonly isNot: boolean;
  readonly utils: {
    matcherHint(name: string, received?: string, expected?: string, options?: { isNot?: boolean }): string;
    printExpected(value: unknown): string;
    printReceived(value: unknown): string;
  };
};

export type MatcherResult = {
  readonly pass: boolean;
  /** Holds expected and received itself: given as `actual` and `expected` a runner would print them again. */
  message(): string;
};

/** What a matcher compared. */
type Explained = {
  readonly received: string | null;
  readonly expected: string;
  /** How the received value was found, the rule, and why it does or does not match: one line each. */
  readonly lines: readonly string[];
};

/**
 * A matcher's result in the grammar of the built-in ones: hint, expected, received, then the reasons. `explain` is called
 * for a message alone: most assertions pass, and need none.
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
      '',
    ];
    return disarmCommands([...head, ...lines.map((line) => escapeControls(cut(line, 2000)))].join('\n'));
  };
  return { pass, message };
}

/** Throws when a matcher was given something that is no text, under `.not` too: a mistake must not read as a verdict. */
export function requireText(name: string, what: string, value: unknown): asserts value is string {
  if (typeof value === 'string') return;
  const type = value === null ? 'null' : typeof value;
  throw new TypeError(
    `${name} needs ${what} as a string, got ${type}. Pass the text itself; handle a missing answer before the matcher.`,
  );
}

/** What the message of a matcher says of a grade. */
export function explainGrade(grade: Grade, output: string, target: string): Explained {
  const { answer, how, rule, explanation, confidence } = grade;
  const stated = typeof confidence === 'string' ? showText(confidence) : confidence;
  return {
    received: answer,
    expected: target,
    lines: [
      `Answer:   ${showAnswer(answer, how)}${stated === null ? '' : `, confidence ${stated}`}`,
      `Rule:     ${rule}, ${explanation}`,
      `Output:   ${showText(output)}`,
    ],
  };
}

/** The message of a test whose grade is not correct, where no matcher words one. */
export function describeGrade(suite: string, grade: Grade, output: string, target: string): string {
  const { received, lines } = explainGrade(grade, output, target);
  const shown = received === null ? 'no answer' : quote(received);
  const head = [
    `${suite}: ${grade.state.replace('_', ' ')}`,
    ...(target === '' ? [] : [`Expected: ${quote(target)}`]),
    `Received: ${shown}`,
  ];
  return disarmCommands([...head, '', ...lines.map((line) => escapeControls(cut(line, 2000)))].join('\n'));
}

/** The answer that was found, and how. */
export function showAnswer(answer: string | null, how: string): string {
  return answer === null ? 'none found' : `${showText(answer)} (${how})`;
}

/** A text in quotes on one line, its end when it is long: agents put the answer there. */
export function showText(text: string): string {
  const end = text.length > 160 ? `…${text.slice(-160).toWellFormed()}` : text;
  return `"${escapeControls(end.replace(/["\\]/g, '\\$&'))}"`;
}

/** What is compared may hold control characters, and a runner prints it as it is. */
function show(text: string): string {
  return escapeControls(cut(text, 300));
}

declare module 'vitest' {
  interface Matchers<R, T> {
    /** Passes when the answer found in an agent's output matches GAIA's expected answer by the official rule. */
    toMatchGaiaAnswer(target: string, options?: GaiaMatcherOptions): R;
    /** Passes when the answer means about what the expected answer means, by a model of embeddings; `await` it. */
    toMatchGaiaAnswerSemantically(target: string, options: SemanticMatcherOptions): Promise<R>;
    /** Passes when the options chosen in an agent's output are exactly the target's, in any order. */
    toMatchMcqAnswer(target: string, options?: McqMatcherOptions): R;
  }
}
