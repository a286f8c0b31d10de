import { fileURLToPath } from 'node:url';
import type { TrialMeta } from '../store/sample-log.ts';
import { escapeLine, escapeLines } from '../text/show.ts';
import type { Answer, CutShort, Grade, Progress, Sample, SampleResult } from '../types.ts';
import type { Asked } from './ask.ts';

/** How a suite judges outputs. `verbatim` means that the output is the bare answer: nothing is extracted from it. */
export type Scoring = {
  /** Finds the answer in an output; used where no truth is known. */
  extract(output: string, sample: Sample): { readonly answer: string | null; readonly how: string };
  grade(output: string | null, target: string, sample: Sample, options: { readonly verbatim: boolean }): Grade;
};

/** The row of samples.jsonl for what came of asking. */
export function toResult(sample: Sample, trial: TrialMeta, asked: Asked, scoring: Scoring): SampleResult {
  const head = { ...identity(sample, trial), ...facts(asked) };
  if (asked.outcome === 'failed') return { ...head, ...failure(asked) };
  return { ...head, ...judge(sample, asked.answer, scoring), latency_ms: asked.latencyMs };
}

const NOTHING = { output: null, answer: null, how: null, rules: null, latency_ms: null, error: null } as const;

function identity(sample: Sample, { run: _run, ...trial }: TrialMeta) {
  return { version: 1, ...trial, target: toOwnLabels(sample.target, sample), ...choiceFacts(sample) } as const;
}

function facts(asked: Asked) {
  const spent: Progress = asked.outcome === 'answered' ? asked.answer : asked.error.progress;
  return {
    model: spent.model ?? null,
    waited_ms: spent.waitedMs ?? 0,
    usage: spent.usage ?? null,
    cost_usd: spent.cost ?? null,
    ...(spent.costEstimated === true ? { cost_estimated: true as const } : {}),
    cached: asked.cached,
    attempts: asked.attempts,
    steps: spent.steps ?? null,
    ...(asked.slots === undefined ? {} : { slots: asked.slots }),
    confidence: null,
    started_at: asked.startedAt,
    answered_at: asked.answeredAt,
  };
}

function failure({ error, latencyMs }: Asked & { outcome: 'failed' }) {
  const { kind, message, status, requestId } = error;
  return {
    ...NOTHING,
    state: kind === 'timed_out' ? 'timed_out' : 'errored',
    reason: kind,
    explanation: message,
    latency_ms: latencyMs,
    error: { kind, message, status, request_id: requestId },
  } as const;
}

function judge(sample: Sample, answer: Answer, scoring: Scoring) {
  if (answer.text === null) return unanswered(answer.reason ?? 'missing', null);
  const { cutShort = null } = answer;
  if (sample.target === null) return ungraded(answer.text, cutShort, sample, scoring);
  const {
    state,
    reason,
    answer: extracted,
    how,
    rules,
    explanation,
    confidence,
    partial,
  } = scoring.grade(answer.text, sample.target, sample, { verbatim: answer.verbatim === true });
  const presented = presentedFact(sample, extracted);
  const facts = { confidence, ...presented, ...(partial === undefined ? {} : { partial }) };
  const labels = sample.presentation === undefined ? '' : ' (labels as presented)';
  const cut = cutShort === null ? '' : ` (the output was cut short: ${cutShort})`;
  const common = { output: answer.text, how, rules, explanation: explanation + labels + cut, ...facts, error: null };
  if (state === 'no_answer') return { ...common, state, reason: cutShort ?? reason ?? 'empty', answer: null } as const;
  return { ...common, state, reason: cutShort, answer: toOwnLabels(extracted, sample) } as const;
}

function ungraded(text: string, cutShort: CutShort | null, sample: Sample, scoring: Scoring) {
  const { answer, how } = scoring.extract(text, sample);
  if (answer === null || answer.trim() === '') return unanswered(cutShort ?? 'empty', text);
  const explanation = 'No truth is known for this sample.';
  const own = toOwnLabels(answer, sample);
  return {
    state: 'ungraded',
    reason: cutShort,
    output: text,
    answer: own,
    how,
    rules: null,
    explanation,
    error: null,
  } as const;
}

function unanswered(reason: string, output: string | null) {
  const explanation = `No answer: ${reason}.`;
  return {
    state: 'no_answer',
    reason,
    output,
    answer: null,
    how: 'none',
    rules: null,
    explanation,
    error: null,
  } as const;
}

/** What a row says of a multiple-choice question beside its answer; nothing of other questions. */
export function choiceFacts(sample: Sample): Pick<SampleResult, 'options' | 'multiple' | 'presented'> {
  const { choices, multiple } = sample;
  if (choices === undefined) return {};
  return { options: Object.keys(choices).length, multiple: multiple ?? null, ...presentedFact(sample, null) };
}

/** Labels as the dataset has them, for labels ("A,D") under which options were presented in another order. */
export function toOwnLabels<Labels extends string | null>(labels: Labels, { presentation }: Sample): Labels | string {
  if (labels === null || presentation === undefined) return labels;
  const ownLabels = new Map(Object.entries(presentation.ownLabels));
  const order = [...ownLabels.keys()];
  const own = labels.split(',').map((label) => ownLabels.get(label) ?? label);
  return own.sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(',');
}

/** Where the right and the chosen options stood when they were presented in another order. */
export function presentedFact(sample: Sample, answer: string | null): Pick<SampleResult, 'presented'> {
  const { presentation, target } = sample;
  if (presentation === undefined || target === null) return {};
  const order = Object.keys(presentation.ownLabels);
  const places = (labels: string) =>
    labels
      .split(',')
      .map((label) => order.indexOf(label) + 1)
      .filter((place) => place > 0);
  const { seed } = presentation;
  return { presented: { seed, target: places(target), answer: answer === null ? null : places(answer) } };
}

/**
 * The error of a trial that has nothing to assert on: what the agent threw, or that there is no output. Null when
 * there is an output to give to the matcher.
 */
export function toFailure(asked: Asked, result: SampleResult): Error | null {
  if (asked.outcome === 'failed') return toShown(asked.error, 0);
  if (result.output !== null) return null;
  return new Error(`No output to grade: ${result.reason}. It counts as wrong.`);
}

/** What stands in for a failure's message where gated records must not be shown. */
export function hideGated(result: SampleResult): Error {
  const reason = result.reason === null ? '' : ` (${result.reason})`;
  const error = new Error(
    `${result.state}${reason}. Set EVAL_SHOW_GATED=1 to show questions, truths and answers in CI.`,
  );
  error.stack = `Error: ${error.message}`;
  return error;
}

/**
 * A failed trial has no place in the code but where its agent threw, and Vitest spends 3 to 9 ms of its main process on
 * each stack frame's source map: all other frames are cut, so that thousands of failures cost nothing.
 */
export function cutFrames(error: unknown, result: Pick<SampleResult, 'error'>, isUnrecorded: boolean): unknown {
  if (!(error instanceof Error)) return error;
  const frames = result.error === null ? [] : agentFrames(error);
  // Vitest compares each stack with all earlier ones, to print equal failures once. Those that hold their question never
  // are equal: 25,000 of them would take many seconds, and without any stack they are compared with nothing.
  if (frames.length === 0 && !isUnrecorded) error.stack = '';
  else error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}

const OWN_CODE = fileURLToPath(new URL('..', import.meta.url));

/** Where the agent's own code threw. */
function agentFrames({ stack = '' }: Error): readonly string[] {
  const isOthers = (line: string) =>
    [OWN_CODE, 'node_modules', 'node:', '<anonymous>'].some((part) => line.includes(part));
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !isOthers(line));
}

/** Causes below this are left out: a chain may be endless. */
const MAX_CAUSES = 5;

/**
 * An error of an agent as it may be printed: its words with control characters written out, the same for its causes,
 * and none of its other fields, which a runner would print as they are. A cause that its message repeats gives its place
 * alone.
 */
function toShown(error: Error, depth: number): Error {
  const cause = error.cause instanceof Error && depth < MAX_CAUSES ? toShown(error.cause, depth + 1) : undefined;
  const message = escapeLines(error.message);
  const isRepeated = cause !== undefined && `${cause.name}: ${cause.message}` === message;
  const next = isRepeated ? cause.cause : cause;
  const shown = new Error(message, next === undefined ? undefined : { cause: next });
  shown.name = escapeLines(String(error.name));
  const frames = agentFrames(isRepeated ? cause : error);
  shown.stack = [`${shown.name}: ${message}`, ...frames.map((frame) => escapeLines(frame))].join('\n');
  return shown;
}

/** What the panel of the Vitest UI holds beside its list of tests on a common screen: it wraps no error. */
const COLUMNS = 94;

/** Adds the expected answer to a failure without an output; a matcher says it of an output. */
export function showTarget(error: unknown, { target }: Pick<Sample, 'target'>): void {
  if (error instanceof Error && target !== null) error.message += `\nExpected: "${escapeLine(target)}"`;
}

/** Adds the first line of the question to the message of a failed case. */
export function showFirstLine(error: unknown, { input }: Pick<Sample, 'input'>): void {
  if (!(error instanceof Error)) return;
  const [first = ''] = input.trimStart().split('\n', 1);
  error.message = `${error.message}\nQuestion: "${escapeLine(first.trimEnd())}"`;
}

/** Adds the question and its options, in lines, to the message of a failed case: nothing else is shown in lines there. */
export function showQuestion(error: unknown, { input, choices = {} }: Pick<Sample, 'input' | 'choices'>): void {
  if (!(error instanceof Error)) return;
  const text = escapeLines(input);
  const options = Object.entries(choices).map(([label, option]) => `${escapeLine(label)}: ${escapeLine(option)}`);
  const lines = ['', 'Question:', ...text.split('\n'), ...(options.length === 0 ? [] : ['', ...options])];
  error.message = [error.message, ...lines.flatMap(wrap)].join('\n');
}

/** Only long lines: a short one may be a row of a table. */
function wrap(line: string): readonly string[] {
  if (line.length <= COLUMNS) return [line];
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
