import { fileURLToPath } from 'node:url';
import { isFile, RecordError } from '../records/record.ts';
import { cut, describeThrown, showPath, toPlainError } from '../text/show.ts';

/** The frames of a stack in the user's code: a module, or a suite of their own. */
export function userFrames({ stack = '' }: Error): readonly string[] {
  return framesOf(stack).filter((line) => !isOwnFrame(line) && !isLibraryFrame(line));
}

/**
 * The place in the user's code that threw, such as "evals/a.eval.ts:5:9"; null if no frame names a
 * file of the user.
 */
export function findPlace(error: Error): string | null {
  for (const frame of userFrames(error)) {
    const where = frame.includes('(')
      ? frame.slice(frame.lastIndexOf('(') + 1)
      : frame.replace(/^\s+at (async )?/, '');
    const [, path = '', at] = /^(?:file:\/\/)?(.*):(\d+:\d+)\)?$/.exec(where) ?? [];
    // Lines of a message may look like frames. Only names of existing files are used.
    if (isFile(path)) return `${showPath(path)}:${at}`;
  }
  return null;
}

/**
 * Calls a function of a suite. What it throws names the function, the suite's file and the place.
 */
export function calling<T>(name: string, file: string, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw toFunctionError(thrown, name, file);
  }
}

/**
 * An error of a suite's function, thrown or rejected. Errors of viva in it already say what is
 * wrong.
 */
export function toFunctionError(thrown: unknown, name: string, file: string): unknown {
  const error = toPlainError(thrown);
  if (thrown instanceof RecordError || isThrownByViva(error)) return thrown;
  const place = findPlace(error);
  return new RecordError({
    file,
    field: name,
    problem: `failed${place === null ? '' : ` at ${place}`}`,
    detail: cut(describeThrown(thrown), MAX_DETAIL),
    remedy: 'Correct the function.',
  });
}

const MAX_DETAIL = 500;

function isThrownByViva({ stack = '' }: Error): boolean {
  const first = framesOf(stack).find((line) => isOwnFrame(line) || !isLibraryFrame(line));
  return first !== undefined && isOwnFrame(first);
}

function framesOf(stack: string): readonly string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

const OWN_CODE = new URL('..', import.meta.url);
const OWN_PLACES = [OWN_CODE.href, fileURLToPath(OWN_CODE)];

function isOwnFrame(line: string): boolean {
  return OWN_PLACES.some((place) => line.includes(place));
}

function isLibraryFrame(line: string): boolean {
  return ['node_modules', 'node:', '<anonymous>'].some((part) => line.includes(part));
}
