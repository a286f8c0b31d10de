import { isDeepStrictEqual } from 'node:util';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { toJson } from '../data/files/json.ts';
import { recordOf } from '../data/record-of.ts';
import { askingFor } from '../judge/judge.ts';
import { type Answer, NO_TRACE } from '../words/answer.ts';
import { saidIn } from '../words/conversation.ts';
import { describeDifferences } from '../words/differences.ts';
import { isFields, omitNullish } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import type { Json, Sample } from '../words/sample.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { cut, listUp, plural, quote, showValue, toText, tryOrUndefined } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { messageOf } from '../words/thrown.ts';
import { trimUnseen } from '../words/unseen.ts';
import { parseWholeJson } from '../words/whole-json.ts';
import type { ScoreInput, SuiteDefinition } from './definition.ts';
import { findMeant } from './misnamed-input.ts';
import {
  callScore,
  explainFailed,
  type Graded,
  gradeByScore,
  gradeByScores,
  isAssertionEnd,
  isAssessment,
  isNumberScore,
  isVerdict,
  type OpenExpect,
  toFailed,
  type Ungraded,
} from './named-scores.ts';
import { refusingOthers } from './refusing-others.ts';
import type { ScoreExpect } from './score-expect.ts';
import { awaitOfSuite, callOfSuite, type SuiteFunction } from './user-code.ts';

/** What is known of an answer besides its text. */
export type Facts = Pick<
  Answer,
  'trace' | 'steps' | 'usage' | 'costUsd' | 'latencyMs' | 'firstTokenMs' | 'verbatim' | 'messages'
> & {
  /** The work folder of the call; null for an answer that was known before. */
  readonly workdir?: { readonly path: string } | null;
  readonly openExpect?: OpenExpect;
};

/** The answer in an output; null if there is none. */
export type Extracted = Readonly<{ answer: Json; how: string; certain?: boolean }>;

type SuiteScoring = Pick<SuiteDefinition, 'extract' | 'score' | 'scores' | 'pass' | 'matcher'> &
  Readonly<{ file: string }>;

/** What the suite finds in an output. */
export function extractAnswer(
  { extract: find, file }: SuiteScoring,
  output: Json,
  sample: Sample,
): Extracted {
  if (find === undefined) {
    const answer = typeof output === 'string' ? withoutThoughts(output) : output;
    return { answer: trim(answer), how: 'whole output' };
  }
  const found: unknown = callOfSuite({ name: 'extract', file }, find, output, sample) ?? null;
  const how = isFields(found) && 'answer' in found ? found['how'] : undefined;
  if (!isFields(found) || typeof how !== 'string')
    return { answer: trim(toAnswerValue(found)), how: 'extract' };
  const { answer = null, certain } = found;
  return {
    answer: trim(toAnswerValue(answer)),
    how,
    certain: typeof certain === 'boolean' ? certain : undefined,
  };
}

function toAnswerValue(answer: unknown, what = '"extract" must return'): Json {
  try {
    return toJson(answer);
  } catch (error) {
    const problem = `${what} a JSON value or null, got ${showValue(answer)}`;
    throw new TypeError(`${problem} (${messageOf(error)}).`);
  }
}

/** An empty text is no answer. Spaces and characters that do not show are no part of one. */
function trim(answer: Json): Json {
  return typeof answer === 'string' ? trimUnseen(answer) || null : answer;
}

/**
 * Grades an output by the suite's score. Rejects with what the score throws, unless that is an
 * assertion, and if it takes longer than `limitMs`.
 */
export async function gradeOutput(
  scoring: SuiteScoring,
  output: Json,
  target: Json,
  sample: Sample,
  { trace = NO_TRACE, verbatim = false, messages, workdir, openExpect, ...spent }: Facts,
  limitMs: number,
): Promise<Graded> {
  const { score = isEqual, scores, matcher } = scoring;
  const found = findAnswer(scoring, output, sample, verbatim);
  const rule = scores !== undefined ? 'scores' : score === isEqual ? 'equality' : 'score';
  const base = { ...found, rule, rules: null, confidence: null };
  if (found.answer === null && matcher === undefined) {
    const explanation = 'no answer was found in the output';
    return { ...base, correct: false, state: 'no_answer', reason: 'empty', explanation };
  }
  const input = {
    output,
    answer: found.answer ?? '',
    input: sample.input,
    target,
    sample,
    record: recordOf(sample),
    messages: messages ?? [
      { role: 'user', content: toText(sample.input, 2) },
      { role: 'assistant', content: saidIn(output) },
    ],
    trace,
    steps: spent.steps ?? null,
    usage: spent.usage ?? null,
    costUsd: spent.costUsd ?? null,
    latencyMs: spent.latencyMs ?? null,
    firstTokenMs: spent.firstTokenMs ?? null,
    // Of viva's own suites alone.
    ...(matcher !== undefined && { verbatim }),
  };
  if (score === isEqual && sample.accepts === 'any' && Array.isArray(target))
    return gradeByEquality(base, input, target);
  if (score === isEqual && scores === undefined) return gradeByOneTarget(base, input);
  // The scores of viva's own suites change nothing.
  const toOwn = matcher === undefined ? ownCopy<typeof input> : () => input;
  const toInput = (expect?: ScoreExpect) => addToInput(toOwn(input), workdir, expect);
  const call = { of: { suite: sample.suite, file: scoring.file }, limitMs, toInput, openExpect };
  if (scores !== undefined) return gradeByScores(base, scores, scoring.pass, call);
  const ask = () => callScore('score', score, call, null);
  // With "pass" its value has the name "score" in the row.
  const end = await (scoring.pass === undefined ? ask() : askingFor('score', ask));
  if (scoring.pass !== undefined || isNumberScore(end)) return gradeByScore(base, end, scoring);
  const { returned, failed } = end;
  return failed === undefined
    ? toGraded(base, returned)
    : { ...toGraded(base, { state: 'incorrect', explanation: explainFailed(failed) }), failed };
}

/**
 * Adds what is made or found when it is read: the `expect` of the score, and the folder, which copies
 * of the input leave out, since reading it may throw.
 */
function addToInput(
  input: Omit<ScoreInput, 'workdir' | 'expect'>,
  workdir: Facts['workdir'],
  own: ScoreExpect | undefined,
): ScoreInput {
  const toPath = () => {
    if (workdir != null) return workdir.path;
    throw new Error(GONE);
  };
  const toExpect = () => {
    if (own !== undefined) return own.expect;
    throw new Error('"expect" of a score is that of a test, and no test runs.');
  };
  const whole = Object.defineProperties({ ...input } as ScoreInput, {
    expect: { get: toExpect, enumerable: own !== undefined },
    workdir: { get: toPath, enumerable: false },
  });
  return refusingOthers(whole, (name, names) => refuseField(name, names, input.record));
}

function refuseField(name: string, names: readonly string[], record: unknown): Error | null {
  const known = names.filter((each) => each !== 'verbatim');
  const meant = findMeant(name, known, record);
  if (meant === null) return null;
  return new ScoreFault(
    `A score reads ${quote(name)}, which it does not get: write ${meant}. It gets ${listUp(known)}.`,
  );
}

const GONE =
  'This answer was known before, so the work folder of its call is gone. Set "cache: false" in the suite, whose scores read "workdir".';

/** A matcher's grade has its own answer. */
function findAnswer(
  scoring: SuiteScoring,
  output: Json,
  sample: Sample,
  verbatim: boolean,
): Extracted {
  if (verbatim) return { answer: trim(output), how: 'as given' };
  return scoring.matcher === undefined
    ? extractAnswer(scoring, output, sample)
    : { answer: null, how: 'whole output' };
}

type Compared = Pick<ScoreInput, 'answer' | 'target'>;

function gradeByOneTarget(base: Ungraded, input: Compared): Graded {
  const grade = toGraded(base, isEqual(input));
  const where = grade.correct ? null : describeDifferences(input.answer, input.target);
  return where === null ? grade : { ...grade, explanation: `${grade.explanation}: ${where}` };
}

/** Whether an answer equals any one of the accepted ones, or the list of them. */
function gradeByEquality(base: Ungraded, input: Compared, targets: readonly Json[]): Graded {
  const place = targets.findIndex((target) => isEqual({ ...input, target }));
  const accepted = targets[place];
  const several = plural(targets.length, 'accepted answer');
  if (accepted !== undefined)
    return { ...toGraded(base, true), accepted, explanation: `equal to one of ${several}` };
  const grade = toGraded(base, isEqual(input));
  return grade.correct ? grade : { ...grade, explanation: `not equal to any of ${several}` };
}

/** Equal values are. A text also equals the number, true or false that it spells, on either side. */
function isEqual({ answer, target }: Compared): boolean {
  const [one, other] = [readBeside(answer, target), readBeside(target, answer)];
  return isDeepStrictEqual(inOneForm(one), inOneForm(other));
}

/** A value; of a text beside a number, true or false what it spells. */
function readBeside(value: Json, beside: Json): Json {
  if (typeof value !== 'string' || !['number', 'boolean'].includes(typeof beside))
    return trim(value);
  return tryOrUndefined((): Json => JSON.parse(value)) ?? value;
}

/** A letter with an accent may be one character or two. */
function inOneForm(value: Json): Json {
  if (typeof value === 'string') return value.normalize('NFC');
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(inOneForm);
  const fields = Object.entries(value).map(([name, field]) => [
    name.normalize('NFC'),
    inOneForm(field),
  ]);
  return Object.fromEntries(fields);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function toGraded(base: Ungraded, returned: unknown): Graded {
  if (isAssessment(returned)) {
    const { pass, explanation } = returned;
    const verdict = { state: pass ? 'correct' : 'incorrect', explanation };
    return { ...toGraded(base, verdict), failed: toFailed(returned) };
  }
  const holds = returned === true || isAssertionEnd(returned);
  const verdict =
    holds || returned === false ? { state: holds ? 'correct' : 'incorrect' } : returned;
  if (!isVerdict(verdict)) {
    const allowed =
      'true, false, {pass, explanation?, diff?}, a number from 0 to 1 or null where "pass" decides, or as graders of viva do {state: "correct" | "incorrect" | "no_answer", answer?: string, explanation?: string, scores?: {name: true, false, 0 to 1 or null}}';
    throw new ScoreFault(
      `"score" must return ${allowed}, or throw an assertion; got ${showValue(returned)}.`,
      { quotes: true },
    );
  }
  const { state } = verdict;
  const correct = state === 'correct';
  return {
    ...base,
    reason: state === 'no_answer' ? 'empty' : null,
    explanation: explainState(base.rule, correct, returned === false ? 'false' : state),
    ...omitNullish(verdict),
    ...(verdict.answer !== undefined && {
      answer: toAnswerValue(verdict.answer, '"answer" of "score" must be'),
    }),
    state,
    correct,
  };
}

function explainState(rule: string, correct: boolean, returned: string): string {
  if (rule === 'equality') return `${correct ? '' : 'not '}equal to the expected answer`;
  return correct ? 'your score accepts it' : `your score returned ${returned}`;
}

/** An output as scores get it, or why there is none: a reason for its row, and a sentence. */
export type ReadOutput =
  | { readonly value: Json }
  | Readonly<{ reason: 'invalid_json' | 'schema'; problem: string }>;

/**
 * Reads an output as the suite wants it: the value of a text with JSON, if it says so, that fits its
 * schema. Rejects if the schema itself fails, or takes longer than `limitMs`.
 */
export async function readOutput(
  { output: format, schema }: Pick<SuiteDefinition, 'output' | 'schema'>,
  output: Json,
  of: Omit<SuiteFunction, 'name'>,
  limitMs: number,
): Promise<ReadOutput> {
  const value = format === 'json' && typeof output === 'string' ? parseOutput(output) : output;
  if (value === undefined)
    return { reason: 'invalid_json', problem: `the output is not JSON: ${showValue(output)}` };
  if (schema?.output === undefined) return { value };
  const checked = await checkValue({ name: 'schema.output', ...of }, schema.output, value, limitMs);
  if ('value' in checked) return { value: checked.value };
  return { reason: 'schema', problem: `the output does not fit the schema: ${checked.problem}` };
}

/** Undefined if what the model says is not JSON. Tags in the texts of JSON are data. */
function parseOutput(text: string): Json | undefined {
  const value = parseWholeJson(text) ?? parseWholeJson(withoutThoughts(text));
  return value === undefined ? undefined : tryOrUndefined(() => toJson(value));
}

/** A value as a schema returns it, or what is wrong with it: "total: expected a number". */
export async function checkValue(
  of: SuiteFunction,
  schema: StandardSchemaV1,
  value: unknown,
  limitMs: number,
): Promise<{ readonly value: Json } | { readonly problem: string }> {
  const validate = (own: unknown) => schema['~standard'].validate(own);
  const { issues, ...result } = await awaitOfSuite(of, [limitMs], validate, value);
  if (issues !== undefined) return { problem: cut(issues.map(describeIssue).join('; '), 500) };
  try {
    return { value: toJson('value' in result ? result.value : value) };
  } catch (error) {
    return { problem: `it makes no JSON value (${messageOf(error)})` };
  }
}

function describeIssue({ message, path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

/** Whether a value follows the interface of Standard Schema, as zod, valibot and arktype do. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  const standard: unknown = tryOrUndefined(() => Reflect.get(Object(value), '~standard'));
  return typeof tryOrUndefined(() => Reflect.get(Object(standard), 'validate')) === 'function';
}
