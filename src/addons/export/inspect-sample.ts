import { compareNaturally } from '../../figures/groups.ts';
import type { Usage } from '../../words/answer.ts';
import { findModel } from '../../words/audience.ts';
import { omitNullish, pick } from '../../words/fields.ts';
import { type SampleResult, STATES } from '../../words/row.ts';
import {
  type ExportedTrial,
  type ExportedVariant,
  type Reply,
  type Span,
  shorten,
  type ToolCall,
  toStopReason,
} from './exported-run.ts';

/**
 * A trial with the fields of EvalSample in inspect_ai's log/_log.py, and what Inspect lists without
 * opening it (EvalSampleSummary), with texts cut.
 */
export function toEvalSample(trial: ExportedTrial, variant: ExportedVariant, uuid: string) {
  const { row } = trial;
  const score = toScore(row);
  const error = toError(row) ?? undefined;
  const { messages, events, output } = toConversation(trial, uuid, listEnds(row, score, error));
  const listed = {
    ...toListed(trial, variant),
    uuid,
    // Viewers list samples with the first.
    scores: score === null ? {} : { [variant.scorer]: score, ...toNamedScores(row, variant) },
  };
  const limit = isLate(row) ? { type: 'time', limit: listed.working_time } : undefined;
  const sample = {
    ...listed,
    messages,
    output: { ...output, completion: row.output ?? '', usage: toUsage(row.usage) },
    store: {},
    events,
    // Model events name ranges of this list: each would else repeat all that came before it.
    events_data: { messages, calls: [] },
    attachments: {},
    limit,
    error,
  };
  const ends = { limit: limit?.type, error: error?.message };
  const summary = { ...listed, ...ends, completed: true, message_count: messages.length };
  return { sample, summary: shorten(summary, 1000) };
}

function toListed({ row, question, startedAt, endedAt }: ExportedTrial, variant: ExportedVariant) {
  const { usage } = row;
  const working = (row.latency_ms ?? 0) / 1000;
  return {
    id: toInspectId(row.id),
    epoch: row.trial,
    input: variant.isHidden ? '(not exported)' : (question?.input ?? ''),
    // Inspect names options by their place. The target has the dataset's labels, also where options
    // were shuffled.
    choices: question?.choices
      ?.toSorted(([one], [other]) => compareNaturally(one, other))
      .map(([, text]) => text),
    target: row.target ?? '',
    metadata: toMetadata(row),
    model_usage: usage === null ? {} : { [nameModel(row)]: toUsage(usage) },
    started_at: toTime(startedAt),
    completed_at: toTime(endedAt),
    total_time: working + row.waited_ms / 1000,
    working_time: working,
  };
}

/** Ids name files of the archive, and no path may leave the folder into which it is unpacked. */
export function toInspectId(id: string): string {
  return id.replace(/(?<=^|[\\/])\.\.(?=[\\/])/g, '__');
}

export function nameModel({ model, agent }: Pick<SampleResult, 'model' | 'agent'>): string {
  return model ?? findModel(agent) ?? agent;
}

/** Input tokens are those that were not cached (pull request 3341). The total has them all. */
export function toUsage(usage: Usage | null) {
  if (usage === null) return null;
  const { input_tokens, output_tokens, cached_tokens, reasoning_tokens } = usage;
  return {
    input_tokens: Math.max(0, input_tokens - cached_tokens),
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    input_tokens_cache_read: cached_tokens,
    reasoning_tokens,
  };
}

function toMetadata(row: ExportedTrial['row']) {
  const facts = [
    'group',
    'cluster',
    'state',
    'reason',
    'attempts',
    'steps',
    'cached',
    'cost_usd',
  ] as const;
  // What the agent wrote names the labels that it saw, and the score those of the dataset.
  const order_of_options = row.presented?.order;
  return omitNullish({ ...pick(row, ...facts, 'confidence', 'judge', 'pairs'), order_of_options });
}

/** What halted the agent. A deadline is a limit in Inspect, not an error. */
function toError(row: ExportedTrial['row']) {
  if (row.error === null || isLate(row)) return null;
  const message = `${row.error.kind}: ${row.error.message}`;
  return { message, traceback: message, traceback_ansi: message };
}

function isLate({ state }: Pick<SampleResult, 'state'>): boolean {
  return STATES[state].latency === 'deadline';
}

/** "C", "I" and "N" are Inspect's correct, incorrect and no answer. An error has no score. */
function toScore({ state, answer, explanation, reason }: ExportedTrial['row']) {
  const { verdict, isError } = STATES[state];
  if (verdict === null || isError) return null;
  return {
    value: { right: 'C', wrong: 'I', none: 'N' }[verdict],
    ...omitNullish({ answer, explanation: explanation || null }),
    metadata: omitNullish({ state, reason }),
  };
}

/** The named scores that have a value. The scorer has its name for itself. */
function toNamedScores({ scores = {} }: ExportedTrial['row'], { scorer }: ExportedVariant) {
  const valued = Object.entries(scores).filter(([, value]) => value !== null);
  return Object.fromEntries(valued.map(([name, value]) => [toScorerName(name, scorer), { value }]));
}

export function toScorerName(name: string, scorer: string): string {
  return name === scorer ? `${name} (named)` : name;
}

/** The last events of a transcript. */
function listEnds({ target }: ExportedTrial['row'], score: object | null, error?: object) {
  return [
    ...(error === undefined ? [] : [{ event: 'error', error }]),
    ...(score === null ? [] : [{ event: 'score', score, target: target ?? '' }]),
  ];
}

type Message = { readonly role: string; readonly content: unknown; readonly source?: string };

/** What was sent and said: messages for the sample, events for its transcript, the last output. */
function toConversation(trial: ExportedTrial, uuid: string, ends: readonly object[]) {
  const { row, startedAt, endedAt } = trial;
  const messages: object[] = [];
  const events: object[] = [];
  let output = toModelOutput(row, null);
  const add = (message: Message) => {
    const named = { id: `${row.id}-${row.trial}-${messages.length + 1}`, ...message };
    messages.push(named);
    return named;
  };
  const record = (from: number, event: object) => {
    const id = `${uuid}-${events.length + 1}`;
    const at = { timestamp: toTime(from), working_start: (from - startedAt) / 1000 };
    events.push({ uuid: id, ...at, ...event });
  };
  for (const turn of [...trial.sent, ...trial.turns, ...listUntraced(trial)]) {
    if (turn.role !== 'assistant') {
      add({ role: turn.role, content: turn.text, source: 'input' });
      continue;
    }
    const sentCount = messages.length;
    output = toModelOutput(row, turn, add(toReplyMessage(turn, row)));
    record(turn.from, toModelEvent(turn, sentCount, output));
    for (const call of turn.calls) {
      const answer = call.result === null ? null : add(toToolMessage(call));
      record(call.from, toToolEvent(call, answer?.id));
    }
  }
  for (const event of ends) record(endedAt, event);
  return { messages, events, output };
}

/** The output as a reply of its own, if no reply of the trace has it. */
function listUntraced({ row, turns, startedAt, endedAt }: ExportedTrial): readonly Reply[] {
  const { output } = row;
  const replies = turns.filter((turn) => turn.role === 'assistant');
  const last = replies.at(-1);
  const isSaid = replies.some(({ text }) => text?.trim() === output?.trim());
  if (output === null || isSaid) return [];
  return [
    {
      role: 'assistant',
      text: output,
      reasoning: null,
      stop: row.reason,
      usage: replies.some(({ usage }) => usage !== null) ? null : row.usage,
      calls: [],
      from: last?.end ?? startedAt,
      to: endedAt,
      end: endedAt,
    },
  ];
}

function toReplyMessage({ text, reasoning, calls }: Reply, row: ExportedTrial['row']) {
  const content = text ?? '';
  return {
    role: 'assistant',
    content: reasoning
      ? [
          { type: 'reasoning', reasoning },
          { type: 'text', text: content },
        ]
      : content,
    source: 'generate',
    model: nameModel(row),
    tool_calls: calls.length === 0 ? undefined : calls.map(toToolCall),
  };
}

function toToolCall({ id, name, input }: ToolCall) {
  return { id, function: name, arguments: input, type: 'function' };
}

function toToolMessage(call: ToolCall) {
  const { id, name, result } = call;
  const content = result ?? '';
  return { role: 'tool', content, tool_call_id: id, function: name, error: toToolError(call) };
}

function toToolError({ failed, result }: ToolCall) {
  return failed ? { type: 'unknown', message: result ?? '' } : undefined;
}

/** A call of the model, which read the first `sentCount` messages. */
function toModelEvent(turn: Reply, sentCount: number, output: ReturnType<typeof toModelOutput>) {
  return {
    event: 'model',
    model: output.model,
    input: [],
    input_refs: sentCount === 0 ? [] : [[0, sentCount]],
    tools: [],
    tool_choice: 'auto',
    config: {},
    output,
    ...toDuration(turn),
  };
}

function toToolEvent(call: ToolCall, messageId: string | undefined) {
  return {
    event: 'tool',
    ...toToolCall(call),
    result: call.result ?? '',
    error: toToolError(call),
    failed: call.failed,
    message_id: messageId,
    ...toDuration(call),
  };
}

function toModelOutput(row: ExportedTrial['row'], turn: Reply | null, message?: Message) {
  return {
    model: nameModel(row),
    choices: turn === null ? [] : [{ message, stop_reason: toStopReason(turn) }],
    completion: turn?.text ?? '',
    usage: toUsage(turn?.usage ?? null),
  };
}

function toDuration({ from, to }: Span) {
  return { completed: toTime(to), working_time: (to - from) / 1000 };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
