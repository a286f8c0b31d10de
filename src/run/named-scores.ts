import { toProviderError } from '../agents/model-error.ts';
import {
  type AnyJudge,
  askingFor,
  callJudge,
  describeMisplaced,
  isAsking,
  isGraded,
  isJudge,
  NoVerdict,
} from '../judge/judge.ts';
import { isComparing } from '../matchers/grade-math.ts';
import { endInTime } from '../processes/end-in-time.ts';
import { namedScores } from '../store/field-checks.ts';
import { isFields } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import type { JudgeVerdicts, NamedScores, ValueGrade } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { cut, escapeLines, quote, showValue } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { isAssertion } from '../words/thrown.ts';
import type {
  Assessment,
  ScoreInput,
  ScorerResult,
  Scoring,
  SuiteDefinition,
  Verdict,
} from './definition.ts';
import { refusingOthers } from './refusing-others.ts';
import type { ScoreExpect } from './score-expect.ts';
import { describeFailed } from './shown-difference.ts';
import { callOfSuite, describeLate, isThenable, type SuiteFunction } from './user-code.ts';

type Scores = NonNullable<SuiteDefinition['scores']>;

/** The grade of an output, what did not hold, and what judges said. */
export type Graded = ValueGrade &
  Readonly<{
    /** Assertions, and what scores returned with a diff: how a failed test is shown. */
    failed?: readonly Error[];
    judge?: JudgeVerdicts;
    /** Why a judge's verdict is missing: the output is then neither right nor wrong. */
    undecided?: string;
  }>;

/** Makes the assertions of a score; the name of the only one is null. */
export type OpenExpect = (name: string | null) => ScoreExpect;

/** How the scores of an answer are called. */
type ScoreCall = Readonly<{
  of: Omit<SuiteFunction, 'name'>;
  /** How long each may take: as long as the question. */
  limitMs: number;
  /** Each score has an input of its own. */
  toInput: (expect: ScoreExpect | undefined) => ScoreInput;
  /** Absent outside of the test of a case. */
  openExpect?: OpenExpect | undefined;
}>;

/** What is known of an answer before a score has judged it. */
export type Ungraded = Omit<ValueGrade, 'correct' | 'state' | 'reason' | 'explanation'>;

/** What one score returned for an answer. */
type NamedResult = Readonly<{
  name: string;
  value: boolean | number | null;
  /** Why, in one line; absent where the value says it. */
  why?: string | undefined;
  /** Whether judges reached no verdict. */
  isOpen?: boolean;
  /** What did not hold. */
  failed?: readonly Error[] | undefined;
}>;

/**
 * Grades an answer by all scores of a suite at once. It is right if no score is false, or if `pass`
 * says so. Rejects with what a score throws, unless that is an assertion.
 */
export async function gradeByScores(
  base: Ungraded,
  scores: Scores,
  pass: SuiteDefinition['pass'],
  call: ScoreCall,
): Promise<Graded> {
  const ends = await Promise.allSettled(
    Object.entries(scores).map(([name, score]) =>
      askingFor(name, async () => {
        const end = await callScore(name, score, call, name).catch(toNoVerdict);
        // A grade that is missing decides only where "pass" reads it.
        return toNamedResult(name, end, pass !== undefined, isGraded(score));
      }),
    ),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const all = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  return toGrade(base, all, pass, call.of.file);
}

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
    failed: correct || isUndecided ? undefined : listFailed(all),
  };
}

/**
 * What did not hold, false score by false score; undefined where none of them has more than a line to
 * say.
 */
function listFailed(all: readonly NamedResult[]): readonly Error[] | undefined {
  const isFalse = all.filter(({ value }) => value === false);
  if (isFalse.every(({ failed }) => failed === undefined)) return undefined;
  return isFalse.flatMap(({ name, why = 'false', failed = [new Error(why)] }) =>
    failed.map((error) => Object.assign(error, { message: `${name}: ${error.message}` })),
  );
}

/** A provider that fails says nothing of the answer, as a judge that fails. */
function toNoVerdict(error: unknown): ScoreEnd {
  const failed = toProviderError(error);
  if (failed === null) throw error;
  return { failed: [new NoVerdict(`failed: ${failed.message}`)] };
}

/** Whether the values of all scores make an answer right. */
function decide(values: NamedScores, pass: SuiteDefinition['pass'], file: string): boolean {
  if (pass === undefined) {
    const deciding = Object.values(values).filter((value) => typeof value === 'boolean');
    if (deciding.length > 0) return deciding.every((value) => value);
    const name = Object.keys(values)[0] ?? '';
    const read = /^[a-z]\w*$/i.test(name) ? name : `${quote(name)}: value`;
    const example = `pass: ({ ${read} }) => ${read.split(': ').at(-1)} >= 0.8`;
    throw new ScoreFault(
      `None of the scores is true or false: ${showValue(values)}. Say with "pass" which answers are right, as in ${example}`,
    );
  }
  const call = (own: NamedScores) => pass(refusingOthers(own, refuseValue));
  const passed: unknown = callOfSuite({ name: 'pass', file }, call, values);
  if (typeof passed === 'boolean') return passed;
  throw new ScoreFault(`"pass" must return true or false, got ${showValue(passed)}.`, {
    quotes: true,
  });
}

function refuseValue(name: string, names: readonly string[]): Error {
  return new ScoreFault(
    `"pass" reads ${quote(name)}, which is not a score. The scores are ${names.join(', ')}.`,
  );
}

function toNamedResult(
  name: string,
  { returned, failed }: ScoreEnd,
  isPassing: boolean,
  isGrade = false,
): NamedResult {
  if (failed !== undefined) {
    const lacksVerdict = failed.every((error) => error instanceof NoVerdict);
    const isOpen = lacksVerdict && (isPassing || !isGrade);
    return { name, value: lacksVerdict ? null : false, why: explainFailed(failed), isOpen, failed };
  }
  if (isAssertionEnd(returned)) return { name, value: true };
  if (returned === null || typeof returned === 'boolean') return { name, value: returned };
  if (isAssessment(returned)) {
    const { pass, explanation: why } = returned;
    return { name, value: pass, why, failed: toFailed(returned) };
  }
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
  const allowed = '{pass, explanation?, diff?}, true, false, a number from 0 to 1 or null';
  throw new ScoreFault(`${quote(name)} must return ${allowed}, got ${showValue(returned)}.`, {
    quotes: true,
  });
}

/** "total is false (expected 12 to be 13)", "closeness is 0.92" */
function explainScore({ name, value, why }: NamedResult): string {
  const shown = typeof value === 'number' ? Number(value.toFixed(3)) : value;
  return `${name} is ${shown ?? 'not known'}${why === undefined ? '' : ` (${cut(why, 300)})`}`;
}

/** What a score returned, or what did not hold in it. */
export type ScoreEnd = Readonly<{ returned?: unknown; failed?: readonly Error[] }>;

/**
 * Calls a score; `name` is null where it is the only one. Rejects with what it throws, unless that is
 * an assertion, if an assertion was not awaited, and if it takes longer than `limitMs`.
 */
export async function callScore<Result>(
  shownName: string,
  score: Scoring<Json, Json, Json, Result> | AnyJudge,
  { of, limitMs, toInput, openExpect }: ScoreCall,
  name: string | null,
): Promise<ScoreEnd> {
  const own = isJudge(score) ? undefined : openExpect?.(name);
  const call = () => (isJudge(score) ? callJudge(score, toInput(own).output) : score(toInput(own)));
  let returned: unknown;
  try {
    const result: unknown = own === undefined ? call() : own.run(call);
    // Judges and formulas may wait for their queue, and have deadlines of their own.
    const isExcused = () => isAsking() || isComparing();
    const toLate = () => describeLate({ name: shownName, ...of }, limitMs, RAISE);
    // What it goes on to do with its verdict changes no row.
    returned = ownCopy(
      isThenable(result) ? await endInTime(result, limitMs, toLate(), isExcused) : result,
    );
  } catch (error) {
    const soft = own?.stop() ?? [];
    if (!isAssertion(error) && !(error instanceof NoVerdict)) throw error;
    return { failed: [...soft, error] };
  }
  const failed = (await own?.end()) ?? [];
  if (failed.length > 0) return { failed };
  if (isAssertionEnd(returned)) {
    if (own?.hasAsserted === true) return {};
    throw new ScoreFault(`${quote(shownName)} ${NOTHING}`);
  }
  if (isJudge(returned)) throw new ScoreFault(describeMisplaced(returned.criterion));
  return { returned };
}

/** A forgotten "return" must not make every answer right. */
const NOTHING =
  'returned nothing, and asserted nothing with expect. Return true or false; after assertions of node:assert return true.';

/** Why, in one line. */
export function explainFailed(failed: readonly Error[]): string {
  return failed.map(describeFailed).join('; ');
}

const RAISE = 'Await what it starts, or raise "timeoutSeconds".';

/** Assertions that pass return nothing or themselves, and several a list of that. */
export function isAssertionEnd(returned: unknown): boolean {
  // An assertion throws where a word is read that it lacks.
  if (Array.isArray(returned)) return returned.every(isAssertionEnd);
  return returned === undefined || (isFields(returned) && '__flags' in returned);
}

/** A verdict of the user's own score, checked. */
export function isAssessment(value: unknown): value is Assessment {
  if (!isFields(value) || !Object.hasOwn(value, 'pass') || typeof value['pass'] !== 'boolean')
    return false;
  const { explanation, diff } = value;
  const isDiff = diff == null || typeof diff === 'string' || isPair(diff);
  if (isDiff && (explanation == null || typeof explanation === 'string')) return true;
  const wanted = 'explanation?: string, diff?: string | { actual, expected }';
  throw new ScoreFault(`A score that returns "pass" may add ${wanted}; got ${showValue(value)}.`, {
    quotes: true,
  });
}

function isPair(value: unknown): boolean {
  return isFields(value) && 'actual' in value && 'expected' in value;
}

/** How a verdict with a diff is shown; undefined if there is none. */
export function toFailed({ pass, explanation, diff }: Assessment): readonly Error[] | undefined {
  if (pass || diff == null) return undefined;
  const error = new Error(explanation ?? 'your score returned false');
  const shown = typeof diff === 'string' ? { diff: escapeLines(diff, MOST_DIFF) } : diff;
  return [Object.assign(error, shown)];
}

/** Characters of a score's own diff. */
const MOST_DIFF = 5000;

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
 * await defineEval('capitals', {
 *   data: './capitals.jsonl',
 *   scores: { factual: scorer(Factuality, { model: 'gpt-5-mini' }) }, // of autoevals
 *   pass: ({ factual }) => factual >= 0.6,
 * });
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
