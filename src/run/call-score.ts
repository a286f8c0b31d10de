import { stripVTControlCharacters } from 'node:util';
import { isAsking, NoVerdict } from '../judge/judge.ts';
import { isComparing } from '../matchers/grade-math.ts';
import { Stopwatch } from '../processes/stopwatch.ts';
import { isFields } from '../records/record.ts';
import { namedScores } from '../store/field-checks.ts';
import { quote } from '../text/show.ts';
import type { Json } from '../types.ts';
import type { ScoreInput, Scoring, Verdict } from './eval-definition.ts';

/**
 * What a score returned, or the assertion that it threw. Rejects with anything else that it throws,
 * and if it takes longer than `limitMs`.
 */
export async function callScore<Result>(
  name: string,
  score: Scoring<Json, Json, Json, Result>,
  input: ScoreInput,
  limitMs: number,
): Promise<Readonly<{ given?: unknown; thrown?: Error }>> {
  try {
    const returned: unknown = score(input);
    const isPending = isFields(returned) && 'then' in returned;
    const given = isPending ? await endInTime(name, returned, limitMs) : returned;
    // A forgotten "return" must not make every answer right.
    if (given !== undefined || /expect|assert/.test(String(score))) return { given };
  } catch (error) {
    if (isAssertion(error) || error instanceof NoVerdict) return { thrown: error };
    throw error;
  }
  throw new TypeError(
    `${quote(name)} returned nothing. Return true or false or a verdict, or assert with expect.`,
  );
}

/** The message of an assertion, without its diff. */
export function firstLine({ message }: Error): string {
  return stripVTControlCharacters(message).split('\n')[0] ?? '';
}

/** A score that never ends would block the run, so it gets as much time as the question. */
async function endInTime(name: string, scored: unknown, limitMs: number): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const problem = `${quote(name)} has not ended after ${limitMs / 1000} s. Await what it starts, or raise "timeoutSeconds".`;
  // Judges and formulas may wait for their queue, and have deadlines of their own.
  const check = () => (isAsking() || isComparing() ? wait() : late.reject(new Error(problem)));
  let callOff = () => {};
  const wait = () => {
    callOff = new Stopwatch().limit(limitMs, check);
  };
  wait();
  return Promise.race([scored, late.promise]).finally(() => callOff());
}

/** Assertions that pass return nothing or themselves. */
export function isAssertionEnd(given: unknown): boolean {
  return given === undefined || (isFields(given) && '__flags' in given);
}

export function isVerdict(value: unknown): value is Verdict {
  if (!isFields(value)) return false;
  const { state, how, rule, explanation, reason, scores = {} } = value;
  const texts = [how, rule, explanation, reason];
  return (
    ['correct', 'incorrect', 'no_answer'].some((known) => known === state) &&
    texts.every((text) => text == null || typeof text === 'string') &&
    namedScores(scores) === null
  );
}

/** Whether `expect`, chai or node:assert threw it. */
function isAssertion(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error.name === 'AssertionError' || ('actual' in error && 'expected' in error);
}
