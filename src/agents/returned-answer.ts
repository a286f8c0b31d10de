import { toJson } from '../data/files/json.ts';
import { readRegular } from '../data/files/read-file.ts';
import {
  AgentError,
  type Answer,
  ERROR_KINDS,
  type Progress,
  type Sent,
  type TraceFile,
  type TraceStep,
  type Usage,
} from '../words/answer.ts';
import type { Trace } from '../words/conversation.ts';
import { field, isFields, listField, omitNullish } from '../words/fields.ts';
import type { Json, Message, Note } from '../words/sample.ts';
import { cut, cutLong, quote, showValue, toNotes, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { Fields, isCount } from './fields.ts';
import { listMisnamed, type Misnamed } from './misnamed.ts';

/**
 * Checks the value that a user's agent returned: a string, or an object with `output` (any JSON
 * value; null: no answer) and optionally `reason`, `verbatim`, `model`, `usage`, `costUsd`,
 * `costEstimated`, `steps`, `waitedMs`, `firstTokenMs`, `trace`; null counts as absent, other
 * fields are ignored. Throws the error in `error: {kind, message, status?}`, and an AgentError
 * "bad_response" for anything else, and for money, tokens and times under other names.
 */
export function parseAnswer(value: unknown): Answer {
  const [misnamed] = isFields(value) ? listMisnamed(value, 'answer') : [];
  if (!isFields(value) || misnamed === undefined) return readReturned(value);
  const problem = describeMisnamed(misnamed, IN_ANSWER);
  const error = findError(value);
  if (error === null) throw badResponse(problem);
  const message = `${field(error, 'message') ?? 'The agent gave no reason.'} (${problem})`;
  return readReturned({ ...value, error: { ...error, message } });
}

function describeMisnamed({ name, remedy }: Misnamed, where: string): string {
  return `${quote(cut(name, MOST_CHARACTERS))} ${where} is not read: ${remedy}.`;
}

/**
 * Reads what an agent reports during a call, like an answer without its output: what can be read, null
 * for nothing, and what is malformed or misnamed, null for nothing.
 */
export function readProgress(value: unknown): Readonly<{
  progress: Progress | null;
  problem: string | null;
}> {
  const where = 'in what the agent reported';
  const [misnamed] = isFields(value) ? listMisnamed(value, 'answer') : [];
  const named = misnamed ? describeMisnamed(misnamed, where) : null;
  try {
    if (!isFields(value)) throw new TypeError(`it must be an object, got ${showValue(value)}.`);
    const { output: _, ...progress } = readReturned({ ...value, output: null, error: null });
    return { progress, problem: named };
  } catch (error) {
    const told = messageOf(error).replace(` ${REMEDY}`, '').replace(` ${IN_ANSWER}`, '');
    return { progress: null, problem: named ?? `A mistake ${where}: ${told}` };
  }
}

/** As `parseAnswer`, but fields of other names are ignored. */
function readReturned(value: unknown): Answer {
  if (typeof value === 'string') return { output: value };
  if (!isFields(value)) {
    throw badResponse(
      `The answer must be a string or an object with "output", got ${showValue(value)}.`,
    );
  }
  const { trace } = value;
  const error = findError(value);
  if (error === null && value['output'] === undefined) {
    const names = Object.keys(value)
      .slice(0, MOST_NAMES)
      .map((name) => quote(cut(name)));
    const fields = names.length === 0 ? 'no field' : names.join(', ');
    throw badResponse(`The answer has no "output", but ${fields}.`);
  }
  const output = error === null ? readOutput(value['output']) : null;
  const fields = new Fields(value, mistyped);
  const usage = fields.usage();
  const cost = fields.count('costUsd', MAX_COST);
  // An output with 0 tokens and a cost of 0 means that the agent did not count.
  const isUncounted =
    cost === 0 && output && usage !== undefined && usage.input_tokens + usage.output_tokens === 0;
  const progress = omitNullish({
    model: fields.text('model'),
    usage,
    costUsd: isUncounted ? undefined : cost,
    costEstimated: fields.read('costEstimated', 'true', (value): value is true => value === true),
    steps: fields.count('steps'),
    waitedMs: fields.count('waitedMs'),
    firstTokenMs: fields.count('firstTokenMs'),
    trace: parseSteps(trace),
  });
  if (error !== null) throw toReturnedError(error, progress);
  const verbatim = fields.read('verbatim', 'true or false', (value) => typeof value === 'boolean');
  const reason = output === null ? fields.text('reason') : undefined;
  return { output, ...progress, ...omitNullish({ verbatim, reason }) };
}

function readOutput(output: unknown): Json {
  try {
    return toJson(output);
  } catch (error) {
    throw mistyped('output', `a JSON value (${messageOf(error)})`, output);
  }
}

/** The error in an object that has no output. */
export function findError({ error, output = null }: Readonly<Record<string, unknown>>) {
  return isFields(error) && output === null ? error : null;
}

export function unknownKind(kind: unknown): AgentError {
  const problem = `"kind" of the agent's error must be one of ${ERROR_KINDS.join(', ')}, got ${showValue(kind)}.`;
  return new AgentError('bad_response', problem);
}

/** Collects the unknown fields of answers or predictions for the report. */
export class UnknownFields {
  readonly #names = new Set<string>();
  readonly #mistakes = new Set<string>();
  readonly #known: readonly string[];
  readonly #isKnown: (name: string) => boolean;

  /** `known` are the names to tell the user, all of them unless `isKnown` knows others. */
  constructor(known = ANSWER_FIELDS, isKnown = (name: string) => known.includes(name)) {
    this.#known = known;
    this.#isKnown = isKnown;
  }

  look(returned: unknown): void {
    if (!isFields(returned)) return;
    for (const name of Object.keys(returned)) {
      if (this.#names.size >= MOST_NAMES) return;
      if (!this.#isKnown(name)) this.#names.add(cut(name, MOST_CHARACTERS));
    }
  }

  /** Keeps what is wrong with a report during a call: the answer itself may be right, and was paid. */
  addMistake(problem: string): void {
    if (this.#mistakes.size < MOST_NAMES) this.#mistakes.add(problem);
  }

  /** A sentence for the report. A name may quote a hidden question. */
  describe(hidden = false): readonly Note[] {
    const mistakes = hidden && this.#mistakes.size > 0 ? [HIDDEN_MISTAKE] : [...this.#mistakes];
    return [...this.#describeNames(hidden), ...toNotes('unread', mistakes)];
  }

  #describeNames(hidden: boolean): readonly Note[] {
    if (this.#names.size === 0) return [];
    const names = [...this.#names].map((name) => quote(name)).join(', ');
    const shown = hidden ? `${this.#names.size}. Set EVAL_SHOW_GATED=1 to see their names` : names;
    const remedy = `Known: ${this.#known.join(', ')}.`;
    const text = `unknown fields in its answers were ignored: ${shown}. ${remedy}`;
    return toNotes('unknown fields', [text]);
  }
}

const HIDDEN_MISTAKE = 'A mistake in what the agent reported. Set EVAL_SHOW_GATED=1 to see it.';

/** The highest cost in US dollars. A higher one is a mistake and would end every budget. */
const MAX_COST = 1_000_000;

function toReturnedError(error: object, progress: Progress): AgentError {
  const stated: unknown = Reflect.get(error, 'kind');
  const kind = ERROR_KINDS.find((each) => each === stated);
  if (kind === undefined) return unknownKind(stated);
  const fields = new Fields(error, mistyped);
  const message = fields.text('message') ?? 'The agent gave no reason.';
  return new AgentError(kind, message, { status: fields.count('status') ?? null, progress });
}

function mistyped(name: string, allowed: string, received: unknown): AgentError {
  return badResponse(`"${name}" ${IN_ANSWER} must be ${allowed}, got ${showValue(received)}.`);
}

/** Of an agent or a simulated user, which the row names. */
const IN_ANSWER = 'in the answer';

/** What an answer may be. */
const REMEDY =
  'Return the string itself, or {output: ..., usage?: {input_tokens, output_tokens}, costUsd?: dollars, steps?: number, model?: "..."}.';

function badResponse(problem: string): AgentError {
  return new AgentError('bad_response', `${problem} ${REMEDY}`);
}

const ANSWER_FIELDS =
  'output reason verbatim model usage costUsd costEstimated steps waitedMs firstTokenMs trace error'.split(
    ' ',
  );

/** The most names to report: an agent may invent any number. */
const MOST_NAMES = 5;

const MOST_CHARACTERS = 60;

/**
 * Reads the steps of a trace, which a user's agent reported: objects with
 * `text`, `reasoning`, `tool_calls` (`name`, `arguments`, `result`, `failed`, `at_ms`), `stop`,
 * `role`, `at_ms`, `usage` and `cost_usd`, all optional. Malformed parts are left out, since a
 * trace only explains an answer. Undefined if it is not a list.
 */
export function parseSteps(steps: unknown): readonly TraceStep[] | undefined {
  return Array.isArray(steps) ? steps.slice(0, MAX_STEPS).map(parseStep) : undefined;
}

/** Reads what an agent was sent, as a trace has it; undefined if it is not an object. */
function parseSent(sent: unknown): Sent | undefined {
  if (!isFields(sent)) return undefined;
  const messages = listField(sent, 'messages').map((message) => ({
    role: field(message, 'role') === 'system' ? ('system' as const) : ('user' as const),
    text: readTraceText(message, 'text') ?? '',
    ...readFiles(message),
  }));
  return { messages, tools: listField(sent, 'tools').filter((name) => typeof name === 'string') };
}

/** The messages of a conversation; undefined if there are none. */
function parseMessages(messages: unknown): readonly Message[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  return messages.map((message) => ({
    role: field(message, 'role') === 'user' ? ('user' as const) : ('assistant' as const),
    content: String(field(message, 'content') ?? ''),
  }));
}

/**
 * The trace in a file of a run folder; null if there is none, if it is longer than `longest` bytes,
 * or is not a trace.
 */
export function readTrace(file: string, longest = Number.POSITIVE_INFINITY): WrittenTrace | null {
  const bytes = tryOrUndefined(() => readRegular(file));
  if (bytes === undefined || bytes.length > longest) return null;
  const trace: unknown = tryOrUndefined(() => JSON.parse(bytes.toString('utf8')));
  const steps = isFields(trace) ? parseSteps(trace['steps']) : undefined;
  if (!isFields(trace) || steps === undefined) return null;
  return {
    sent: parseSent(trace['sent']),
    steps,
    ...omitNullish({ messages: parseMessages(trace['messages']) }),
    output: typeof trace['output'] === 'string' ? trace['output'] : null,
  };
}

/** A trace with the output that it led to. Watch mode leaves those of earlier outputs. */
type WrittenTrace = Trace & { readonly output: string | null };

/**
 * What an agent is sent first, for its trace. `files` are those that it is given with the prompt.
 */
export function toSent(
  prompt: string,
  tools: readonly string[],
  files: readonly TraceFile[] = [],
): Sent {
  const message = { role: 'user' as const, text: cutLong(prompt, MAX_TEXT) };
  return { messages: [files.length === 0 ? message : { ...message, files }], tools };
}

const MAX_STEPS = 200;

export const MAX_TEXT = 20_000;

function parseStep(step: unknown): TraceStep {
  return {
    ...omitNullish({ role: readTraceText(step, 'role') }),
    text: readTraceText(step, 'text'),
    reasoning: readTraceText(step, 'reasoning'),
    tool_calls: listField(step, 'tool_calls').slice(0, MAX_STEPS).map(parseCall),
    stop: readTraceText(step, 'stop'),
    usage: readUsage(step),
    ...omitNullish({ at_ms: readCount(step, 'at_ms'), cost_usd: readCount(step, 'cost_usd') }),
  };
}

function parseCall(call: unknown): TraceStep['tool_calls'][number] {
  return {
    name: readTraceText(call, 'name') ?? '',
    arguments: readTraceText(call, 'arguments') ?? '',
    result: readTraceText(call, 'result'),
    failed: field(call, 'failed') === true,
    ...omitNullish({ at_ms: readCount(call, 'at_ms') }),
    ...readFiles(call),
  };
}

/** Arguments and results are often objects, so they are shown as JSON. */
function readTraceText(value: unknown, name: string): string | null {
  const found = field(value, name) ?? null;
  if (found === null) return null;
  return cutLong(
    typeof found === 'string' ? found : (tryOrUndefined(() => JSON.stringify(found)) ?? ''),
    MAX_TEXT,
  );
}

function readCount(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return isCount(found) ? found : undefined;
}

function readUsage(step: unknown): Usage | null {
  const refuse = (name: string) => new TypeError(name);
  return (
    tryOrUndefined(() => (isFields(step) ? new Fields(step, refuse).usage() : undefined)) ?? null
  );
}

function readFiles(value: unknown): { readonly files?: readonly TraceFile[] } {
  const files = listField(value, 'files').flatMap((file) => {
    const [name, bytes] = [readTraceText(file, 'name'), readCount(file, 'bytes')];
    return name === null || bytes === undefined ? [] : [{ name, bytes }];
  });
  return files.length === 0 ? {} : { files };
}
