import { inspect } from 'node:util';

/** A message beyond this is cut: it is written several times, to the row, the cache and the report. */
const MAX_MESSAGE = 20_000;
const MAX_STACK = 20_000;

/** Causes below this are left out: a chain may be endless. */
const MAX_CAUSES = 5;

/**
 * A copy, made of texts alone, of whatever was thrown: code of the user's may throw what throws again when it is looked
 * at, and its failure must not become one of ours.
 */
export function toPlainError(thrown: unknown, depth = 0): Error {
  const isError = attempt(() => thrown instanceof Error) ?? false;
  if (!isError) return rename(new Error(show(thrown)), '', '');
  const cause = read(thrown, 'cause');
  const hasCause = depth < MAX_CAUSES && (attempt(() => cause instanceof Error) ?? false);
  const error = new Error(readText(thrown, 'message').slice(0, MAX_MESSAGE), {
    ...(hasCause ? { cause: toPlainError(cause, depth + 1) } : {}),
  });
  return rename(error, readText(thrown, 'name'), readText(thrown, 'stack').slice(0, MAX_STACK));
}

/** "TypeError: it is broken", or what was thrown in the place of an error. */
export function describeThrown(thrown: unknown): string {
  const { name, message } = toPlainError(thrown);
  return name === '' ? message : `${name}: ${message}`;
}

/** The message of an error, or what was thrown in its place. For what our own code or a library throws. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What comes of looking at something hostile; undefined when that throws. */
export function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function rename(error: Error, name: string, stack: string): Error {
  error.name = name;
  error.stack = stack;
  return error;
}

function show(value: unknown): string {
  const options = { depth: 1, maxStringLength: MAX_MESSAGE, customInspect: false } as const;
  return (attempt(() => inspect(value, options)) ?? UNREADABLE).slice(0, MAX_MESSAGE);
}

const UNREADABLE = 'a value that cannot be looked at was thrown';

function readText(error: unknown, name: string): string {
  const text = read(error, name);
  return typeof text === 'string' ? text : (attempt(() => String(text ?? '')) ?? '');
}

function read(error: unknown, name: string): unknown {
  return attempt(() => (typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined));
}

/** A copy of an error with each of its texts changed: its name, message and stack, and those of its causes. */
export function mapError({ name, message, stack = '', cause }: Error, change: (text: string) => string): Error {
  const error = new Error(change(message), cause instanceof Error ? { cause: mapError(cause, change) } : undefined);
  error.name = change(name);
  error.stack = change(stack);
  return error;
}
