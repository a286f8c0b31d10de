import { inspect } from 'node:util';

/** A message beyond this is cut: it is written several times, to the row, the cache and the report. */
const MAX_MESSAGE = 20_000;
const MAX_STACK = 20_000;

/** Causes below this are left out: a chain may be endless. */
const MAX_CAUSES = 5;

const UNREADABLE = 'a value that cannot be looked at was thrown';

/** A copy, made of texts alone, of whatever was thrown: an agent may throw what throws again when it is looked at. */
export function toPlainError(thrown: unknown, depth = 0): Error {
  return attempt(() => copyThrown(thrown, depth)) ?? setTexts(new Error(UNREADABLE), '', '');
}

/** "TypeError: it is broken", or what was thrown in the place of an error. */
export function describeThrown(thrown: unknown): string {
  const { name, message } = toPlainError(thrown);
  return name === '' ? message : `${name}: ${message}`;
}

/** An error and its causes, as far as a chain is followed. */
export function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  for (let next = error; typeof next === 'object' && next !== null && causes.length < MAX_CAUSES; ) {
    causes.push(next);
    next = Object.hasOwn(next, 'cause') ? Reflect.get(next, 'cause') : null;
  }
  return causes;
}

/** The message of an error, or what was thrown in its place. For what our own code or a library throws. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The result of `look`; undefined if it throws. */
export function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** A copy of an error with each of its texts changed: its name, message and stack, and those of its causes. */
export function mapError({ name, message, stack = '', cause }: Error, change: (text: string) => string): Error {
  const error = new Error(change(message), cause instanceof Error ? { cause: mapError(cause, change) } : undefined);
  return setTexts(error, change(name), change(stack));
}

function copyThrown(thrown: unknown, depth: number): Error {
  if (!(thrown instanceof Error)) return setTexts(new Error(show(thrown)), '', '');
  const { name, message, stack, cause } = thrown;
  const hasCause = depth < MAX_CAUSES && cause instanceof Error;
  const options = hasCause ? { cause: toPlainError(cause, depth + 1) } : {};
  return setTexts(new Error(String(message).slice(0, MAX_MESSAGE), options), String(name), String(stack ?? ''));
}

function show(value: unknown): string {
  return inspect(value, { depth: 1, maxStringLength: MAX_MESSAGE, customInspect: false }).slice(0, MAX_MESSAGE);
}

function setTexts(error: Error, name: string, stack: string): Error {
  error.name = name;
  error.stack = stack.slice(0, MAX_STACK);
  return error;
}
