import { stripVTControlCharacters } from 'node:util';
import { toProviderError } from '../agents/model-error.ts';
import { askingFor, isAsking, NoVerdict } from '../judge/judge.ts';
import { isComparing } from '../matchers/grade-math.ts';
import { endInTime } from '../processes/end-in-time.ts';
import { namedScores } from '../store/field-checks.ts';
import { isFields } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import type { JudgeVerdicts, NamedScores, ValueGrade } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { cut, quote, showValue } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import type { ScoreInput, ScorerResult, Scoring, SuiteDefinition, Verdict } from './definition.ts';
import { callOfSuite, describeLate, isThenable, type SuiteFunction } from './user-code.ts';

type Scores = NonNullable<SuiteDefinition['scores']>;

/** The grade of an output, the failed assertion if there is one, and what judges said. */
export type Graded = ValueGrade &
  Readonly<{
    thrown?: Error;
    judge?: JudgeVerdicts;
    /** Why a judge's verdict is missing: the output is then neither right nor wrong. */
    undecided?: string;
  }>;

/** Whose score it is, and how long it may take: as long as the question. */
type ScoreLimit = Readonly<{ of: Omit<SuiteFunction, 'name'>; limitMs: number }>;

/** What is known of an answer before a score has judged it. */
export type Ungraded = Omit<ValueGrade, 'correct' | 'state' | 'reason' | 'explanation'>;

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
  base: Ungraded,
  scores: Scores,
  pass: SuiteDefinition['pass'],
  toInput: () => ScoreInput,
  { of, limitMs }: ScoreLimit,
): Promise<Graded> {
  const ends = await Promise.allSettled(
    Object.entries(scores).map(([name, score]) =>
      askingFor(name, async () => {
        const end = await callScore(name, score, toInput(), { of, limitMs }).catch(toNoVerdict);
        return toNamedResult(name, end, pass !== undefined);
      }),
    ),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const all = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  return toGrade(base, all, pass, of.file);
}

/** What a score returned, or the assertion that it threw. */
type ScoreEnd = Awaited<ReturnType<typeof callScore>>;

/** Whether the only score of a suite returned what informs, and does not decide. */
export function isNumberScore({ returned }: ScoreEnd): boolean {
  const isNumber = returned === null || typeof returned === 'number';
  return isNumber || (isScorerResult(returned) && !isVerdict(returned));
}

/** Grades an answer by the only score of a suite as by one of several, which has the name "score". */
export function gradeByScore(
  base: Ungraded,
  end: ScoreEnd,
  { pass, file }: Pick<SuiteDefinition, 'pass'> & { readonly file: string },
): Graded {
  const named = { ...base, rule: 'scores' };
  return toGrade(named, [toNamedResult('score', end, pass !== undefined)], pass, file);
}

/** The grade by the results of all scores. */
function toGrade(
  base: Ungraded,
  all: readonly NamedResult[],
  pass: SuiteDefinition['pass'],
  file: string,
): Graded {
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const open = all.find(({ isOpen }) => isOpen);
  const isFalse = all.some(({ value }) => value === false);
  const isUndecided = open !== undefined && (pass !== undefined || !isFalse);
  const correct = !isUndecided && decide(values, pass, file);
  return {
    ...base,
    correct,
    state: correct ? 'correct' : 'incorrect',
    reason: null,
    explanation: all.map(explainScore).join('; '),
    scores: values,
    undecided: isUndecided ? 'judge' : undefined,
  };
}

/** A provider that fails says nothing of the answer, as a judge that fails. */
function toNoVerdict(error: unknown): { readonly thrown: NoVerdict } {
  const failed = toProviderError(error);
  if (failed === null) throw error;
  return { thrown: new NoVerdict(`failed: ${failed.message}`) };
}

/** Whether the values of all scores make an answer right. */
function decide(values: NamedScores, pass: SuiteDefinition['pass'], file: string): boolean {
  if (pass === undefined) {
    const deciding = Object.values(values).filter((value) => typeof value === 'boolean');
    if (deciding.length > 0) return deciding.every((value) => value);
    const example = `pass: (scores) => scores[${quote(Object.keys(values)[0] ?? '')}] >= 0.8`;
    throw new TypeError(
      `None of the scores is true or false: ${showValue(values)}. Say with "pass" which answers are right, as in ${example}`,
    );
  }
  const call = (own: NamedScores) => pass(refusingOthers(own));
  const passed: unknown = callOfSuite({ name: 'pass', file }, call, values);
  if (typeof passed === 'boolean') return passed;
  throw new TypeError(`"pass" must return true or false, got ${showValue(passed)}.`);
}

/** The values. Reading a misspelt name throws: it would make every answer wrong. */
function refusingOthers(values: NamedScores): NamedScores {
  return new Proxy(values, {
    get: (all, name) => {
      if (typeof name === 'symbol' || Object.hasOwn(all, name)) return Reflect.get(all, name);
      const names = Object.keys(all).join(', ');
      throw new TypeError(
        `"pass" reads ${quote(name)}, which is not a score. The scores are ${names}.`,
      );
    },
  });
}

function toNamedResult(
  name: string,
  { returned, thrown }: ScoreEnd,
  isPassing: boolean,
): NamedResult {
  if (thrown instanceof NoVerdict)
    return { name, value: null, why: firstLine(thrown), isOpen: true };
  if (thrown !== undefined) return { name, value: false, why: firstLine(thrown) };
  if (isAssertionEnd(returned)) return { name, value: true };
  if (returned === null || typeof returned === 'boolean') return { name, value: returned };
  if (isScorerResult(returned)) {
    const why = rationaleOf(returned);
    // "null >= 0.6" is false: without a verdict of its scorer no answer is wrong.
    if (returned.score === null) return { name, value: null, isOpen: isPassing, why };
    return { why, ...toNamedResult(name, { returned: returned.score }, isPassing) };
  }
  if (typeof returned === 'number' && Number.isFinite(returned)) {
    const value = Math.min(1, Math.max(0, returned));
    return value === returned
      ? { name, value }
      : { name, value, why: `for ${returned}, outside 0 to 1` };
  }
  if (isVerdict(returned)) {
    const { state, explanation: why } = returned;
    return { name, value: state === 'correct', why };
  }
  const allowed = 'true, false, a number from 0 to 1 or null';
  throw new TypeError(`${quote(name)} must return ${allowed}, got ${showValue(returned)}.`);
}

/** "total is false (expected 12 to be 13)", "closeness is 0.92" */
function explainScore({ name, value, why }: NamedResult): string {
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
  { of, limitMs }: ScoreLimit,
): Promise<Readonly<{ returned?: unknown; thrown?: Error }>> {
  try {
    const result: unknown = score(input);
    // Judges and formulas may wait for their queue, and have deadlines of their own.
    const isExcused = () => isAsking() || isComparing();
    const late = describeLate({ name, ...of }, limitMs, RAISE);
    // What it goes on to do with its verdict changes no row.
    const returned = ownCopy(
      isThenable(result) ? await endInTime(result, limitMs, late, isExcused) : result,
    );
    // A forgotten "return" must not make every answer right.
    if (returned !== undefined || /expect|assert/.test(String(score))) return { returned };
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

const RAISE = 'Await what it starts, or raise "timeoutSeconds".';

/** Assertions that pass return nothing or themselves. */
export function isAssertionEnd(returned: unknown): boolean {
  return returned === undefined || (isFields(returned) && '__flags' in returned);
}

export function isVerdict(value: unknown): value is Verdict {
  if (!isFields(value)) return false;
  const { state, how, rule, explanation, reason, scores = {} } = value;
  const texts = [how, rule, explanation, reason];
  return (
    ['correct', 'incorrect', 'no_answer'].some((each) => each === state) &&
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
  return ({ input, output: whole, target }) => {
    const output = typeof whole === 'string' ? withoutThoughts(whole) : whole;
    return Reflect.apply(score, undefined, [{ ...options, input, output, expected: target }]);
  };
}

function isScorerResult(value: unknown): value is ScorerResult {
  if (!isFields(value)) return false;
  const { score, metadata } = value;
  return (score === null || typeof score === 'number') && (metadata == null || isFields(metadata));
}

function rationaleOf({ metadata = {} }: ScorerResult): string | undefined {
  const rationale = metadata['rationale'] ?? metadata['reason'];
  return typeof rationale === 'string' ? rationale.trim() || undefined : undefined;
}
