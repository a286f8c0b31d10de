import { inspect } from 'node:util';
import { tryOrUndefined } from './show.ts';

/**
 * The message of an error, or the thrown value if it is not an error. For values that our own code
 * or a library throws.
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A longer message or stack is cut, since it is written several times: to the row, the cache and the report.
 */
const MOST_THROWN = 20_000;

/** Deeper causes are left out: a chain may be endless. */
const MAX_CAUSES = 5;

const UNREADABLE = 'an unreadable value was thrown';

/**
 * Copies a thrown value into an Error with texts only. An agent may throw an object whose getters
 * throw.
 */
export function toPlainError(thrown: unknown, depth = 0): Error {
  return tryOrUndefined(() => copyThrown(thrown, depth)) ?? setTexts(new Error(UNREADABLE), '', '');
}

/** "TypeError: it is broken", or the thrown value if it is not an error. */
export function describeThrown(thrown: unknown): string {
  const { name, message } = toPlainError(thrown);
  if (name === '') return message;
  return message === '' ? `${name} without a message` : `${name}: ${message}`;
}

/** Whether `expect`, chai or node:assert threw it. */
export function isAssertion(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error.name === 'AssertionError' || ('actual' in error && 'expected' in error);
}

/**
 * An error and its causes, up to a limit. The AI SDK keeps the error of its last try in
 * `lastError`.
 */
export function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && causes.length < MAX_CAUSES) {
    causes.push(next);
    next = ownOf(next, 'cause') ?? ownOf(next, 'lastError');
  }
  return causes;
}

/** Copies an error and changes each of its texts: name, message and stack, also of its causes. */
export function mapError(
  { name, message, stack = '', cause }: Error,
  change: (text: string) => string,
): Error {
  const error = new Error(
    change(message),
    cause instanceof Error ? { cause: mapError(cause, change) } : undefined,
  );
  return setTexts(error, change(name), change(stack));
}

function ownOf(error: object, name: string): unknown {
  return Object.hasOwn(error, name) ? Reflect.get(error, name) : null;
}

function copyThrown(thrown: unknown, depth: number): Error {
  if (!(thrown instanceof Error)) return setTexts(new Error(showThrown(thrown)), '', '');
  const { name, message, stack, cause } = thrown;
  const hasCause = depth < MAX_CAUSES && cause instanceof Error;
  const options = hasCause ? { cause: toPlainError(cause, depth + 1) } : {};
  const error = new Error(String(message).slice(0, MOST_THROWN), options);
  return setTexts(error, String(name), String(stack ?? ''));
}

function showThrown(value: unknown): string {
  const options = { depth: 1, maxStringLength: MOST_THROWN, customInspect: false };
  return inspect(value, options).slice(0, MOST_THROWN);
}

function setTexts(error: Error, name: string, stack: string): Error {
  error.name = name;
  error.stack = stack.slice(0, MOST_THROWN);
  return error;
}
