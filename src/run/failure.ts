import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { isFile } from '../data/files/read-file.ts';
import { RecordError } from '../data/files/record.ts';
import type { Outcome } from '../words/answer.ts';
import type { SampleResult } from '../words/row.ts';
import type { Message, Sample } from '../words/sample.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { redactMessage } from '../words/secrets.ts';
import {
  cut,
  cutLong,
  cutMiddle,
  disarmCommands,
  escapeLine,
  escapeLines,
  showPath,
  showValue,
  toText,
} from '../words/show.ts';
import { describeThrown, mapError, toPlainError } from '../words/thrown.ts';
import { plainly, told } from '../words/told.ts';
import { WriteError } from '../words/write-error.ts';
import { REFUSED } from './provided-run.ts';
import { withPage } from './refusal-pages.ts';
import { showFailed } from './shown-difference.ts';
import { showTurns } from './shown-turns.ts';

/** An error about settings or files that Vitest prints without a place in viva's code. */
export function refusal(message: string, cause?: Error): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.name = REFUSED;
  // Vitest prints equal stacks once for all suites.
  error.stack = `${REFUSED}: ${message}`;
  return error;
}

/**
 * Runs the set-up. Errors become refusals without a stack; TypeErrors and the like have one. Keys
 * and CI commands are removed.
 */
export async function refusing<T>(secrets: readonly string[], act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const error = hideInError(thrown, secrets);
    const isFault = !(thrown instanceof Error) || FAULTS.some((type) => thrown instanceof type);
    const message = thrown instanceof WriteError ? thrown.or(ELSEWHERE) : error.message;
    const cause = findUserCause(error);
    const shown = cause === undefined ? withPage(message, error.name) : message;
    throw mapError(isFault ? error : refusal(shown, cause), disarmCommands);
  }
}

/** The set-up writes to the run folder. */
const ELSEWHERE = 'set EVAL_DIR to another folder';

/**
 * A copy of what was thrown, with its causes and without keys. Vitest would print other fields too,
 * so they are left out.
 */
export function hideInError(thrown: unknown, secrets: readonly string[]): Error {
  return mapError(toPlainError(thrown), (text) => redactMessage(text, secrets));
}

/** The error of a trial without a grade to assert on. */
export function toFailure(
  outcome: Outcome,
  { output, reason, target, explanation }: SampleResult,
): Error {
  if (outcome.outcome === 'failed') return toPrintable(outcome.error);
  const end =
    target === null ? 'No expected answer is known, so it is not graded.' : 'It counts as wrong.';
  const what = output === null ? `No output to grade: ${reason}` : escapeLines(explanation);
  const isMisfit = output !== null && reason === 'schema';
  const shown = isMisfit ? `\nOutput: ${escapeLines(cutLong(toText(output, 2), 2000))}` : '';
  return new Error(`${what.replace(/\.$/, '')}. ${end}${shown}`);
}

/** How a failed trial is shown. */
type FailureView = Readonly<{
  isHidden: boolean;
  /** Whether the user defined the suite, and so may say that it is public. */
  isOwnSuite: boolean;
  /**
   * Whether the whole question is shown, as in the Vitest UI; a terminal shows its beginning and
   * end in one line.
   */
  isWhole: boolean;
  /** What was said, of a conversation. */
  messages?: readonly Message[] | undefined;
}>;

/**
 * The error of a failed trial for Vitest: with expected answer and question, or without both if
 * hidden.
 */
export function toShownFailure(
  error: unknown,
  sample: Sample,
  row: SampleResult,
  view: FailureView,
): unknown {
  if (view.isHidden) return toHiddenFailure(row, view.isOwnSuite);
  if (!(error instanceof Error)) return error;
  const errors: readonly Error[] = error instanceof AggregateError ? error.errors : [error];
  const asked = showAsked(sample, view, errors);
  for (const [index, each] of errors.entries()) {
    if (error instanceof AggregateError || 'expected' in each) showFailed(each);
    if (index > 0) continue;
    if (row.output === null && sample.target !== null && sample.target !== '')
      each.message += `\nExpected: ${showValue(sample.target)}`;
    each.message += asked;
  }
  const frames = row.error === null ? [] : userFrames(error);
  // Vitest takes 3 to 9 ms for the source map of a frame, and compares each stack with all earlier
  // ones to print equal failures once. Failures with a question never are equal: without a stack
  // they are not compared.
  for (const each of errors)
    each.stack = frames.length > 0 ? [`${each.name}: ${each.message}`, ...frames].join('\n') : '';
  return errors.length === 1 ? errors[0] : error;
}

/** The question, or the turns of a conversation that the failures are about. */
function showAsked(
  sample: Sample,
  { isWhole, messages = [] }: FailureView,
  errors: readonly Error[],
): string {
  if (messages.length > 0) return `\n${showTurns(messages, errors, isWhole)}`;
  return isWhole ? showQuestion(sample) : `\nQuestion: ${showInLine(sample)}`;
}

type ScoreView = Readonly<{
  isHidden: boolean;
  file: string;
  secrets: readonly string[];
}>;

/** What a suite's own score threw, with its place in the suite; if hidden, the place alone. */
export function toScoreFailure(thrown: unknown, { isHidden, file, secrets }: ScoreView): Error {
  const error = hideInError(thrown, secrets);
  const frames = userFrames(error);
  const hint = 'Set EVAL_SHOW_GATED=1 to see how.';
  if (isHidden && thrown instanceof RecordError)
    return withStack(new Error(`${thrown.idsOnly} ${hint}`), []);
  if (isHidden && !(thrown instanceof ScoreFault && !thrown.quotes)) {
    const place = findPlace(error) ?? showPath(file);
    return withStack(new Error(`The score of this suite failed at ${place}. ${hint}`), []);
  }
  if (error.name === '') error.name = 'Error';
  if (GLOBAL.test(error.message))
    error.message +=
      '. Evals have no globals: import it from "vitest", or take the expect that a score gets.';
  if (frames.length === 0 && !error.message.startsWith(showPath(file)))
    error.message = `${showPath(file)}: ${error.message}`;
  return withStack(error, frames);
}

/** What `globals: true` of a project's own tests makes of names of Vitest. */
const GLOBAL = /^(?:expect|vi|vitest|assert|chai) is not defined$/;

function withStack(error: Error, frames: readonly string[]): Error {
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}

/**
 * Attaches the files of a failed case, which the Vitest UI can open. There a page or an SVG would
 * run its scripts with the rights of the UI, so all but plain pictures are opened as text.
 */
export async function attachFiles(
  { annotate }: Pick<TestContext, 'annotate'>,
  attachments: Sample['attachments'],
): Promise<void> {
  const type = 'attachment';
  for (const { name, path } of attachments) {
    try {
      const stats = statSync(path);
      // Vitest opens what it is given, and would wait for ever for a pipe.
      const isFit = stats.isFile() && stats.size <= MAX_BYTES;
      if (!isFit) await annotate(`${escapeLine(name)} (too large, or no file: not attached)`, type);
      else await annotate(escapeLine(name), type, { path, contentType: typeOf(name) });
    } catch {
      // A missing file or a full disk must not hide the failure of the case.
    }
  }
}

function typeOf(name: string): string {
  const picture = /\.(png|jpe?g|gif|webp|bmp|avif)$/i.exec(name)?.[1]?.toLowerCase();
  return picture === undefined ? 'text/plain' : `image/${picture === 'jpg' ? 'jpeg' : picture}`;
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/**
 * The cause with its place, if the user's code threw it, such as a module that fails while it is
 * loaded.
 */
function findUserCause({ cause, stack = '' }: Error): Error | undefined {
  // The message names a missing package, and its cause has no other place.
  if (!(cause instanceof Error) || /^Cannot find (?:package|module) /.test(cause.message))
    return undefined;
  const placeOf = (frame: string) => /(?<![^\s()])[^\s()]+:\d+:\d+/.exec(frame)?.[0] ?? frame;
  const isNamed = (place: string) => stack.includes(place) || stack.includes(showPath(place));
  const frames = userFrames(cause).filter((frame) => !isNamed(placeOf(frame)));
  if (frames.length === 0) return undefined;
  cause.stack = [`${cause.name}: ${cause.message}`, ...frames].join('\n');
  return cause;
}

/** Causes below this are left out. */
const MAX_CAUSES = 5;

/**
 * An agent's error with its causes, escaped and without other fields. A cause that its message
 * repeats is left out.
 */
function toPrintable(error: Error, depth = 0): Error {
  const cause =
    error.cause instanceof Error && depth < MAX_CAUSES
      ? toPrintable(error.cause, depth + 1)
      : undefined;
  const message = escapeLines(error.message);
  const isRepeated = cause !== undefined && describeThrown(cause) === message;
  const next = isRepeated ? cause.cause : cause;
  const printable = new Error(message, next === undefined ? undefined : { cause: next });
  printable.name = escapeLines(String(error.name));
  const frames = userFrames(isRepeated ? cause : error);
  printable.stack = [
    `${printable.name}: ${message}`,
    ...frames.map((frame) => escapeLines(frame)),
  ].join('\n');
  return printable;
}

function toHiddenFailure({ state, reason }: SampleResult, isOwnSuite: boolean): Error {
  const why = reason === null ? '' : ` (${reason})`;
  const orPublic = isOwnSuite
    ? ', or public: true in the suite if everybody may read its records'
    : '';
  const error = new Error(
    `${state}${why}. Set EVAL_SHOW_GATED=1 to show questions, expected answers and answers in CI${orPublic}.`,
  );
  error.stack = `Error: ${error.message}`;
  return error;
}

/** The question may come after a long context. */
function showInLine({ input }: Sample): string {
  const line = escapeLine(cutMiddle(toText(input).replaceAll(/\s+/g, ' ').trim(), 200));
  return typeof input === 'string' ? `"${line}"` : line;
}

function showQuestion({ input, choices = {} }: Sample): string {
  const options = Object.entries(choices).map(
    ([label, option]) => `${escapeLine(label)}: ${escapeLine(option)}`,
  );
  const question = [
    '',
    '',
    'Question:',
    ...escapeLines(toText(input, 2).replaceAll(/\r\n?/g, '\n')).split('\n'),
  ];
  const lines = options.length === 0 ? question : [...question, '', ...options];
  return lines.join('\n');
}

/** Vitest copies attachments, so larger files are only named. */
const MAX_BYTES = 20_000_000;

/** The frames of a stack in the user's code: a module, or a suite of their own. */
function userFrames({ stack = '' }: Error): readonly string[] {
  return framesOf(stack).filter((line) => !isOwnFrame(line) && !isLibraryFrame(line));
}

/**
 * The place in the user's code that threw, such as "evals/a.eval.ts:5:9"; null if no frame names a
 * file of the user.
 */
function findPlace(error: Error): string | null {
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
 * An error of a suite's function, thrown or rejected. Errors of viva in it already say what is
 * wrong.
 */
export function toFunctionError(
  thrown: unknown,
  name: string,
  file: string,
  forSample = told``,
): unknown {
  const error = toPlainError(thrown);
  if (thrown instanceof RecordError || isThrownByViva(error)) return thrown;
  const place = findPlace(error);
  return new RecordError({
    file,
    field: name,
    problem:
      place === null ? told`failed${forSample}` : told`failed${forSample} at ${plainly(place)}`,
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
