import { mapError } from '../text/map-error.ts';

/** Marks, for the main process, an error that was found before anything was asked. */
export const REFUSED = 'Refused';

/** What is wrong, as Vitest is to print it: a mistake in settings or files has no place in viva's code. */
export function refusal(message: string, cause?: Error): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.name = REFUSED;
  // Equal stacks Vitest prints once for all suites.
  error.stack = `${REFUSED}: ${message}`;
  return error;
}

/**
 * Does what comes before the first call: what it throws is a refusal. An error of another class, such as a TypeError, is
 * a fault of code and keeps its place.
 */
export async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error) || isFault(error)) throw error;
    throw refusal(error.message, causeOf(error));
  }
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

function isFault(error: Error): boolean {
  return FAULTS.some((type) => error instanceof type);
}

/** What code of the user's threw shows where; of what viva read itself, and of what is not there, the message says all. */
function causeOf({ cause }: Error): Error | undefined {
  if (!(cause instanceof Error) || /^Cannot find (?:package|module) /.test(cause.message)) return undefined;
  const frames = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && !isForeign(line));
  if (frames.length === 0) return undefined;
  const head = `${cause.name}: ${cause.message}`;
  const shown = mapError(cause, (text) => text);
  shown.stack = [head, ...frames].join('\n');
  return shown;
}

const OWN = new URL('../', import.meta.url);

function isForeign(frame: string): boolean {
  return /node:|node_modules/.test(frame) || frame.includes(OWN.href) || frame.includes(OWN.pathname);
}
