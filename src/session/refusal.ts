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

/**
 * The cause, with no more than the frames that lead to where it was thrown in the user's code: a module that fails while
 * it is loaded. Of all other causes the message says enough.
 */
function causeOf({ cause, stack = '' }: Error): Error | undefined {
  if (!(cause instanceof Error) || /^Cannot find (?:package|module) /.test(cause.message)) return undefined;
  const frames = (cause.stack ?? '').split('\n').filter((line) => isOfUser(line) && !stack.includes(placeOf(line)));
  if (frames.length === 0) return undefined;
  const shown = mapError(cause, (text) => text);
  shown.stack = [`${cause.name}: ${cause.message}`, ...frames].join('\n');
  return shown;
}

/** Neither Node's, nor a package's, nor ours. */
function isOfUser(line: string): boolean {
  if (!/^\s+at /.test(line) || /node:|node_modules/.test(line)) return false;
  return !line.includes(OWN.href) && !line.includes(OWN.pathname);
}

function placeOf(frame: string): string {
  return frame.split(/[\s()]+/).findLast((part) => /:\d+:\d+$/.test(part)) ?? frame;
}

/** The folder of viva's sources. */
const OWN = new URL('../', import.meta.url);
