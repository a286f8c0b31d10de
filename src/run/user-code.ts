import { RecordError } from '../data/files/record.ts';
import { endInTime } from '../processes/end-in-time.ts';
import { isFields } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import { quote, showPath } from '../words/show.ts';
import { called, type Told, told } from '../words/told.ts';
import { toFunctionError } from './failure.ts';

/*
 * The border to the functions of suites: each gets copies of its own, so that nothing that it changes
 * there, or later in what it returned, changes what another sees, a row or the cache.
 */

/** A function of a suite, for messages; `file` is that of the suite. */
export type SuiteFunction = Readonly<{ name: string; suite: string; file: string }>;

/** One that returns at once; `sample` is the id of what it is called for, where messages name it. */
type SyncFunction = Pick<SuiteFunction, 'name' | 'file'> & {
  readonly sample?: string | undefined;
};

/** Calls a function with copies of the arguments, and returns a copy of what it returns. */
function callWithCopies<Args extends readonly unknown[], Result>(
  call: (...args: Args) => Result,
  ...args: Args
): Result {
  return ownCopy(call(...ownCopy(args)));
}

/**
 * Calls a function of a suite that returns at once. What it throws names the function, the suite's
 * file and the place.
 */
export function callOfSuite<Args extends readonly unknown[], Result>(
  of: SyncFunction,
  call: (...args: Args) => Result,
  ...args: Args
): Result {
  const { name, file, sample } = of;
  const returned = naming(of, () => callWithCopies(call, ...args));
  if (!isThenable(returned)) return returned;
  Promise.resolve(returned).catch(() => {});
  throw new RecordError({
    file,
    field: name,
    problem: told`returned a promise${forSample(sample)}, and nothing waits for one`,
    remedy: 'Return the value itself. The function in "data" may be async.',
  });
}

/**
 * Calls a function of a suite that may be async. Rejects as `callOfSuite` throws, and if the function
 * takes longer than `limitMs` milliseconds; see `endInTime`.
 */
export async function awaitOfSuite<Args extends readonly unknown[], Result>(
  of: SuiteFunction,
  [limitMs, isExcused]: readonly [limitMs: number, isExcused?: () => boolean],
  call: (...args: Args) => Result | PromiseLike<Result>,
  ...args: Args
): Promise<Result> {
  const { name, file } = of;
  const returned = naming({ name, file }, () => callWithCopies(call, ...args));
  if (!isThenable(returned)) return returned;
  const settled = Promise.resolve(returned)
    .then(ownCopy<Result>)
    .catch((thrown: unknown) => {
      throw toFunctionError(thrown, name, file);
    });
  return endInTime(settled, limitMs, describeLate(of, limitMs), isExcused);
}

/** "own.eval.ts: "score" of suite own has not ended after 120 s: ..." */
export function describeLate(
  { name, suite, file }: SuiteFunction,
  limitMs: number,
  remedy = 'Await only what ends.',
): string {
  const late = `${quote(name)} of suite ${suite} has not ended after ${limitMs / 1000} s`;
  return `${showPath(file)}: ${late}. ${remedy}`;
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isFields(value) && 'then' in value && typeof value['then'] === 'function';
}

function forSample(id: string | undefined): Told {
  return id === undefined ? told`` : told` for ${called(id)}`;
}

function naming<T>({ name, file, sample }: SyncFunction, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw toFunctionError(thrown, name, file, forSample(sample));
  }
}
