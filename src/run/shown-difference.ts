import { stripVTControlCharacters } from 'node:util';
import { describeDifferences, showApart } from '../words/differences.ts';
import { cut, disarmCommands, escapeControls, escapeLines, tryOrUndefined } from '../words/show.ts';
import { cutToDiffering } from './differing-lines.ts';

/** What an assertion compared; undefined where it says neither. */
type Compared = Readonly<{ actual?: unknown; expected?: unknown }>;

function comparedBy(error: Error & Compared): Compared {
  return { actual: error.actual, expected: error.expected };
}

/**
 * What an assertion says in one line, without its diff: where two objects differ, and of two long
 * texts the part that differs.
 */
export function describeFailed(error: Error): string {
  const line = stripVTControlCharacters(error.message).split('\n')[0] ?? '';
  const { actual, expected } = comparedBy(error);
  const told = tellApart(line, { actual, expected });
  const where = CUT_VALUE.test(line) ? describeDifferences(actual, expected) : null;
  return where === null ? told : `${told}: ${where}`;
}

/** How chai shows a long object, `{ …(4) }`. */
const CUT_VALUE = /…\(\d+\)/;

/**
 * Makes a failed assertion fit for a terminal: its texts are escaped, and Vitest shows what differs
 * and a few lines around it.
 */
export function showFailed(error: Error): void {
  const { actual, expected } = comparedBy(error);
  const [line = '', ...lines] = error.message.split('\n');
  const message = [tellApart(line, { actual, expected }), ...lines].join('\n');
  error.message = escapeUncoloured(message);
  if (actual === undefined && expected === undefined) return;
  const shown = toShown(actual, expected);
  Object.assign(error, shown ?? { actual: undefined, expected: undefined });
  Object.assign(error, { diffOptions: { expand: false } });
  const where = shown === null ? describeDifferences(actual, expected, MOST_LISTED) : null;
  if (where !== null) error.message += `\n${escapeLines(where, MOST_MESSAGE)}`;
}

/** What Vitest compares; null where that would be too much. */
function toShown(actual: unknown, expected: unknown): Compared | null {
  if (typeof actual === 'string' && typeof expected === 'string') {
    const [one, other] = cutToDiffering(actual, expected, MOST_COMPARED);
    return { actual: escapeTexts(one), expected: escapeTexts(other) };
  }
  if (sizeOf([actual, expected]) >= MOST_COMPARED) return null;
  return { actual: escapeTexts(actual), expected: escapeTexts(expected) };
}

/** Matchers colour their messages. */
function escapeUncoloured(message: string): string {
  const parts = cut(message, MOST_MESSAGE).split(COLOUR);
  const escaped = parts.map((part, index) => (index % 2 === 1 ? part : toEscapedLines(part)));
  return disarmCommands(escaped.join(''));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const COLOUR = /(\u001B\[(?:[127]|2[27]|3[1-39]|90)m)/;

function toEscapedLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

const MOST_MESSAGE = 5000;

/** Vitest takes seconds, and prints a line for each field, where longer values differ. */
const MOST_COMPARED = 20_000;

const MOST_LISTED = 20;

function sizeOf(values: readonly unknown[]): number {
  return tryOrUndefined(() => JSON.stringify(values).length) ?? 0;
}

/** A copy of a JSON value with escaped texts. Vitest prints texts inside values as they are. */
function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeLines(value, MOST_COMPARED);
  if (typeof value !== 'object' || value === null) return value;
  const json = tryOrUndefined(() => JSON.stringify(value));
  // It escapes all control characters but those of C1, and what hides text.
  const isPlain = json === undefined || !/\\[^"\\n]|[\p{Cc}\p{Cf}]/u.test(json);
  if (isPlain) return value;
  const escaped = (_: string, each: unknown) =>
    typeof each === 'string' ? toEscapedLines(each) : each;
  return tryOrUndefined((): unknown => JSON.parse(json, escaped)) ?? value;
}

/** Replaces two cut texts that look alike by what differs in them. */
function tellApart(line: string, { actual, expected }: Compared): string {
  if (typeof actual !== 'string' || typeof expected !== 'string') return line;
  const [one, other, ...more] = line.match(/'[^'\n]*…'/g) ?? [];
  if (one === undefined || one !== other || more.length > 0) return line;
  const [shownActual, shownExpected] = showApart(actual, expected);
  return line.replace(one, () => shownActual).replace(other, () => shownExpected);
}
