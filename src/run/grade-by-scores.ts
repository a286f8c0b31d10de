import { stripVTControlCharacters } from 'node:util';
import { toProviderError } from '../agents/model-error.ts';
import { askingFor, isAsking, NoVerdict } from '../judge/judge.ts';
import { isComparing } from '../matchers/grade-math.ts';
import { Stopwatch } from '../processes/stopwatch.ts';
import { namedScores } from '../store/field-checks.ts';
import { isFields, omitNullish } from '../words/fields.ts';
import type { JudgeVerdicts, NamedScores, ValueGrade } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { cut, quote, showValue } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import type { EvalDefinition, ScoreInput, ScorerResult, Scoring, Verdict } from './definition.ts';

type Scores = NonNullable<EvalDefinition['scores']>;

/** The grade of an output, the failed assertion if there is one, and what judges said. */
export type Graded = ValueGrade &
  Readonly<{
    thrown?: Error;
    judge?: JudgeVerdicts;
    /** Why a judge's verdict is missing: the output is then neither right nor wrong. */
    undecided?: string;
  }>;

/** What one score returned for an answer. */
type NamedResult = Readonly<{
  name: string;
  value: boolean | number | null;
  /** Why, in one line; absent where the value says it. */
  why?: string;
  /** Whether judges reached no verdict. */
  isOpen?: boolean;
}>;

/**
 * Grades an answer by all scores of a suite at once. It is right if no score is false, or if `pass`
 * says so. Rejects with what a score throws, unless that is an assertion.
 */
export async function gradeByScores(
  base: Omit<ValueGrade, 'correct' | 'state' | 'reason' | 'explanation'>,
  scores: Scores,
  pass: EvalDefinition['pass'],
  input: ScoreInput,
  limitMs: number,
): Promise<Graded> {
  const ends = await Promise.allSettled(
    Object.entries(scores).map(([name, score]) =>
      askingFor(name, async () => {
        const end = await callScore(name, score, input, limitMs).catch(toNoVerdict);
        return toNamedResult(name, end, pass !== undefined);
      }),
    ),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const all = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const open = all.find(({ isOpen }) => isOpen);
  const isFalse = all.some(({ value }) => value === false);
  const isUndecided = open !== undefined && (pass !== undefined || !isFalse);
  const correct = !isUndecided && decide(values, pass);
  return {
    ...base,
    correct,
    state: correct ? 'correct' : 'incorrect',
    reason: null,
    explanation: all.map(describe).join('; '),
    scores: values,
    ...(isUndecided && { undecided: 'judge' }),
  };
}

/** A provider that fails says nothing of the answer, as a judge that fails. */
function toNoVerdict(error: unknown): { readonly thrown: NoVerdict } {
  const failed = toProviderError(error);
  if (failed === null) throw error;
  return { thrown: new NoVerdict(`failed: ${failed.message}`) };
}

/** Whether the values of all scores make an answer right. */
function decide(values: NamedScores, pass: EvalDefinition['pass']): boolean {
  if (pass === undefined) {
    const deciding = Object.values(values).filter((value) => typeof value === 'boolean');
    if (deciding.length > 0) return deciding.every((value) => value);
    throw new TypeError(
      `None of the scores is true or false: ${showValue(values)}. Say with "pass" which answers are right.`,
    );
  }
  const passed: unknown = pass(refusingOthers(values));
  if (typeof passed === 'boolean') return passed;
  throw new TypeError(`"pass" must return true or false, got ${showValue(passed)}.`);
}

/** The values. Reading a misspelt name throws: it would make every answer wrong. */
function refusingOthers(values: NamedScores): NamedScores {
  return new Proxy(values, {
    get: (all, name) => {
      if (typeof name === 'symbol' || Object.hasOwn(all, name)) return Reflect.get(all, name);
      const known = Object.keys(all).join(', ');
      throw new TypeError(
        `"pass" reads ${quote(name)}, which is not a score. The scores are ${known}.`,
      );
    },
  });
}

function toNamedResult(
  name: string,
  { given, thrown }: Awaited<ReturnType<typeof callScore>>,
  isPassing: boolean,
): NamedResult {
  if (thrown instanceof NoVerdict)
    return { name, value: null, why: firstLine(thrown), isOpen: true };
  if (thrown !== undefined) return { name, value: false, why: firstLine(thrown) };
  if (isAssertionEnd(given)) return { name, value: true };
  if (given === null || typeof given === 'boolean') return { name, value: given };
  if (isScorerResult(given)) {
    const why = rationaleOf(given);
    // "null >= 0.6" is false: without a verdict of its scorer no answer is wrong.
    if (given.score === null)
      return { name, value: null, isOpen: isPassing, ...omitNullish({ why }) };
    return { ...omitNullish({ why }), ...toNamedResult(name, { given: given.score }, isPassing) };
  }
  if (typeof given === 'number' && Number.isFinite(given)) {
    const value = Math.min(1, Math.max(0, given));
    return { name, value, ...(value !== given && { why: `for ${given}, outside 0 to 1` }) };
  }
  if (isVerdict(given)) {
    const { state, explanation: why } = given;
    return { name, value: state === 'correct', why };
  }
  const allowed = 'true, false, a number from 0 to 1 or null';
  throw new TypeError(`${quote(name)} must return ${allowed}, got ${showValue(given)}.`);
}

/** "total is false (expected 12 to be 13)", "closeness is 0.92" */
function describe({ name, value, why }: NamedResult): string {
  const shown = typeof value === 'number' ? Number(value.toFixed(3)) : value;
  return `${name} is ${shown ?? 'not known'}${why === undefined ? '' : ` (${cut(why, 300)})`}`;
}

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

/** A named score of a scorer. Its type says which outputs the scorer reads. */
type ScorerScore<Output> = (input: {
  readonly output: Output;
  readonly input: unknown;
  readonly target: unknown;
}) => ScorerResult | Promise<ScorerResult>;

/** The fields of a scorer's argument that viva does not pass. */
type Options<Args> = Omit<Args, 'input' | 'output' | 'expected'>;

/**
 * One of the `scores` of `defineEval`, from a function of the form that autoevals has: it gets
 * `{ input, output, expected, ...options }`: the output without thoughts, and the target. Its
 * number informs; `pass` says which numbers are right.
 *
 * @example
 * scores: { factual: scorer(Factuality, { model: 'gpt-5-mini' }) },
 * pass: ({ factual }) => factual >= 0.6,
 */
export function scorer<Args extends { readonly output?: unknown }>(
  score: (args: Args) => ScorerResult | Promise<ScorerResult>,
  ...[options]: object extends Options<Args> ? [Options<Args>?] : [Options<Args>]
): ScorerScore<Args['output']> {
  if (typeof score !== 'function')
    throw new TypeError(`scorer needs a function, such as Factuality, got ${showValue(score)}.`);
  return ({ input, output: given, target }) => {
    const output = typeof given === 'string' ? withoutThoughts(given) : given;
    return Reflect.apply(score, undefined, [{ ...options, input, output, expected: target }]);
  };
}

function isScorerResult(value: unknown): value is ScorerResult {
  if (!isFields(value)) return false;
  const { score, metadata } = value;
  return (score === null || typeof score === 'number') && (metadata == null || isFields(metadata));
}

/** The words of a scorer. */
function rationaleOf({ metadata = {} }: ScorerResult): string | undefined {
  const said = metadata['rationale'] ?? metadata['reason'];
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : undefined;
}
