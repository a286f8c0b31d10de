import { hash } from 'node:crypto';
import { resultKey } from '../../store/trial-meta.ts';
import type { Usage } from '../../words/answer.ts';
import { type SampleResult, STATES } from '../../words/row.ts';
import {
  type ExportedRun,
  type ExportedTrial,
  type ExportedVariant,
  type Reply,
  type Span,
  type ToolCall,
  toStopReason,
} from './exported-run.ts';

/** A span before it has the form of OTLP. */
type Part = Span &
  Readonly<{
    /** Its place below the span of the trial, whose own is []. */
    path: readonly number[];
    name: string;
    kind: number;
    fields: Fields;
    events?: readonly Fields[];
    /** Why it failed; null if it did not. */
    failure: string | null;
  }>;

type Fields = Readonly<Record<string, Value>>;

/** A bigint is a whole number, a number always a double. Null and undefined are left out. */
type Value = string | bigint | number | boolean | readonly string[] | null | undefined;

/** Numbers of OTLP. */
const KIND = { internal: 1, client: 3 };
const FAILED = 2;

/**
 * The spans of a run as JSON of OTLP, a trace for each trial: `invoke_agent` with the verdict as
 * the event `gen_ai.evaluation.result`, and below it `chat` and `execute_tool`. Names and
 * attributes are those of OpenTelemetry's conventions for generative AI.
 */
export function* listSpans(run: ExportedRun): Generator<object, void> {
  for (const variant of run.variants) {
    for (const trial of variant.listTrials()) {
      const steps = listStepParts(trial);
      const key = [run.name, resultKey(trial.row), trial.row.prompt_hash];
      yield toSpan(key, toAgentPart(run, variant, trial, steps));
      yield* steps.map((part) => toSpan(key, part));
    }
  }
}

/** Ids in hex, the same each time that a run is exported; times in nanoseconds as texts. */
function toSpan(trial: readonly unknown[], part: Part) {
  const { path, name, kind, from, to, failure } = part;
  const digest = (key: readonly unknown[], length: number) =>
    hash('sha256', JSON.stringify(key)).slice(0, length);
  return {
    traceId: digest(trial, 32),
    spanId: digest([...trial, ...path], 16),
    parentSpanId: path.length === 0 ? undefined : digest(trial, 16),
    name,
    kind,
    startTimeUnixNano: toNanos(from),
    endTimeUnixNano: toNanos(to),
    attributes: toAttributes(part.fields),
    events: part.events?.map((event) => ({
      name: 'gen_ai.evaluation.result',
      timeUnixNano: toNanos(to),
      attributes: toAttributes(event),
    })),
    status: failure === null ? undefined : { code: FAILED, message: failure },
  };
}

function toAgentPart(
  run: ExportedRun,
  variant: ExportedVariant,
  trial: ExportedTrial,
  steps: readonly Part[],
): Part {
  const { row, startedAt, endedAt } = trial;
  return {
    path: [],
    name: `invoke_agent ${row.agent}`,
    kind: KIND.internal,
    from: startedAt,
    to: steps.reduce((latest, { to }) => Math.max(latest, to), endedAt),
    fields: { ...toAgentFields(trial), ...toVivaFields(row), 'viva.run': run.name },
    events: listScores(row, variant.scorer),
    failure: row.error?.message ?? null,
  };
}

function toAgentFields({ row, sent, between, turns }: ExportedTrial): Fields {
  // Viewers add up the tokens of all spans of a trace.
  const isCounted = turns.some((turn) => turn.role === 'assistant' && turn.usage !== null);
  const later = between.map(({ role, content }) => ({ role, text: content }));
  const inputs = [...sent, ...later].map(({ role, text }) => ({ role, parts: [toTextPart(text)] }));
  const reply = { stop: row.reason, calls: [] };
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': row.agent,
    ...modelFields(row),
    ...(isCounted ? {} : usageFields(row.usage)),
    'gen_ai.input.messages': inputs.length === 0 ? null : JSON.stringify(inputs),
    'gen_ai.output.messages':
      row.output === null ? null : toOutputMessages([toTextPart(row.output)], reply),
    'error.type': row.error === null ? null : row.reason,
  };
}

function toVivaFields(row: ExportedTrial['row']): Fields {
  return {
    'viva.suite': row.suite,
    'viva.dataset': row.dataset,
    'viva.prompt': row.prompt,
    'viva.group': row.group,
    'viva.cluster': row.cluster,
    'viva.sample.id': row.id,
    'viva.trial': BigInt(row.trial),
    'viva.state': row.state,
    'viva.reason': row.reason,
    'viva.target': row.target,
    'viva.answer': row.answer,
    'viva.cached': row.cached,
    'viva.latency_ms': row.latency_ms,
    'viva.cost_usd': row.cost_usd,
  };
}

/** The verdict and the named scores. What is not graded has a label without a value. */
function listScores(
  { state, explanation, scores = {} }: ExportedTrial['row'],
  scorer: string,
): readonly Fields[] {
  const toScore = (name: string, value: number | null): Fields => ({
    'gen_ai.evaluation.name': name,
    'gen_ai.evaluation.score.value': value,
  });
  const { verdict } = STATES[state];
  const graded = toScore(scorer, verdict === null ? null : Number(verdict === 'right'));
  const label = {
    'gen_ai.evaluation.score.label': state,
    'gen_ai.evaluation.explanation': explanation || null,
  };
  return [
    { ...graded, ...label },
    ...Object.entries(scores).flatMap(([name, value]) =>
      value === null ? [] : [toScore(`${scorer}: ${name}`, Number(value))],
    ),
  ];
}

function listStepParts({ row, turns }: ExportedTrial): readonly Part[] {
  return turns.flatMap((turn, index) => {
    if (turn.role !== 'assistant') return [];
    const calls = turn.calls.map((call, place) => toToolPart([index, place], call));
    return [toChatPart([index], turn, row), ...calls];
  });
}

function toChatPart(path: Part['path'], reply: Reply, row: ExportedTrial['row']): Part {
  const { text, reasoning, calls, stop, usage, cost_usd, from, to } = reply;
  const parts = [
    ...(reasoning ? [{ type: 'reasoning', content: reasoning }] : []),
    ...(text ? [toTextPart(text)] : []),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, arguments: input })),
  ];
  const fields: Fields = {
    'gen_ai.operation.name': 'chat',
    ...modelFields(row),
    ...usageFields(usage),
    'gen_ai.response.finish_reasons': stop === null ? null : [stop],
    'gen_ai.output.messages': parts.length === 0 ? null : toOutputMessages(parts, reply),
    'viva.cost_usd': cost_usd,
  };
  const name = `chat ${row.model ?? row.agent}`;
  return { path, name, kind: KIND.client, from, to, fields, failure: null };
}

function toToolPart(path: Part['path'], call: ToolCall): Part {
  const { id, name, input, result, failed, from, to } = call;
  const fields: Fields = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': JSON.stringify(input),
    'gen_ai.tool.call.result': result || null,
    'error.type': failed ? 'tool_error' : null,
  };
  const failure = failed ? '' : null;
  return { path, name: `execute_tool ${name}`, kind: KIND.internal, from, to, fields, failure };
}

function modelFields({ agent, model }: Pick<SampleResult, 'agent' | 'model'>): Fields {
  const [, provider = '_OTHER', asked = model] =
    /^(openai|anthropic)(?:-chat)?:([^?]+)/.exec(agent) ?? [];
  return {
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': asked,
    'gen_ai.response.model': model,
  };
}

function usageFields(usage: Usage | null): Fields {
  if (usage === null) return {};
  const count = (tokens: number) => BigInt(Math.round(tokens));
  return {
    'gen_ai.usage.input_tokens': count(usage.input_tokens),
    'gen_ai.usage.output_tokens': count(usage.output_tokens),
    'gen_ai.usage.cache_read.input_tokens': count(usage.cached_tokens),
    'gen_ai.usage.reasoning.output_tokens': count(usage.reasoning_tokens),
  };
}

function toTextPart(content: string) {
  return { type: 'text', content };
}

/** A reply as the JSON of a list of one message. */
function toOutputMessages(parts: readonly object[], reply: Pick<Reply, 'stop' | 'calls'>): string {
  const finish_reason = FINISH_REASONS[toStopReason(reply)];
  return JSON.stringify([{ role: 'assistant', parts, finish_reason }]);
}

/** The conventions' own words, which each output message needs. */
const FINISH_REASONS = {
  stop: 'stop',
  tool_calls: 'tool_call',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content_filter',
};

function toAttributes(fields: Fields) {
  return Object.entries(fields).flatMap(([key, value]) => {
    return value === null || value === undefined ? [] : [{ key, value: toAnyValue(value) }];
  });
}

function toAnyValue(value: NonNullable<Value>): object {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number') return { doubleValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return { arrayValue: { values: value.map(toAnyValue) } };
}

function toNanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
