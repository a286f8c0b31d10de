import type { Usage } from '../../words/answer.ts';
import { field, isFields, listField } from '../../words/fields.ts';
import { tryOrUndefined } from '../../words/show.ts';

/** A message that a model was sent or gave. */
type GenAiMessage = Readonly<{
  role: string;
  /** Its parts of text; null without one. */
  text: string | null;
  reasoning: string | null;
  calls: readonly GenAiCall[];
  /** Results of tools by the id of their call. */
  results: ReadonlyMap<string, string>;
  stop: string | null;
}>;

/** A call of a tool. `arguments` are JSON. */
export type GenAiCall = Readonly<{ id: string; name: string; arguments: string }>;

/** What a span is about; null if it is not a call of an agent, model or tool. */
export function operationOf({ attributes }: OtelSpan): 'agent' | 'model' | 'tool' | null {
  const name = attributes['gen_ai.operation.name'] ?? attributes['ai.operationId'];
  const found = OPERATIONS.find(([pattern]) => typeof name === 'string' && pattern.test(name));
  return found?.[1] ?? null;
}

/** The conventions' names, and those of the AI SDK before 7. */
const OPERATIONS = [
  [/^(?:chat|text_completion|generate_content|ai\.\w+\.do(?:Generate|Stream))$/, 'model'],
  [/^(?:execute_tool|ai\.toolCall)$/, 'tool'],
  [/^(?:invoke_agent|ai\.(?:generate|stream)(?:Text|Object))$/, 'agent'],
] as const;

/** What a span of an agent or a model was sent. */
export function readAsked({ attributes }: OtelSpan): readonly GenAiMessage[] {
  const instructions = parseAttribute(attributes['gen_ai.system_instructions']);
  const system = instructions === null ? [] : [toMessage({ role: 'system', parts: instructions })];
  const sent = first(attributes, 'gen_ai.input.messages', 'ai.prompt.messages', 'ai.prompt');
  const list = parseAttribute(sent);
  const messages = isFields(list) ? toList(list['messages'] ?? list['prompt']) : toList(list);
  return [...system, ...messages.map(toMessage)];
}

/** What a span of an agent or a model got: its last message. */
export function readReply({ attributes }: OtelSpan): GenAiMessage {
  const last = toList(parseAttribute(attributes['gen_ai.output.messages'])).map(toMessage).at(-1);
  const stop = toList(
    first(attributes, 'gen_ai.response.finish_reasons', 'ai.response.finishReason'),
  );
  const content = toList(parseAttribute(attributes['ai.response.toolCalls'])).map((call) =>
    isFields(call) ? { ...call, type: 'tool-call' } : call,
  );
  const text = textOrJson(first(attributes, 'ai.response.text', 'ai.response.object')) || null;
  const reasoning = textOrJson(attributes['ai.response.reasoning']);
  const reply = last ?? { ...toMessage({ role: 'assistant', content }), text, reasoning };
  return { ...reply, stop: textOrJson(stop[0]) ?? reply.stop };
}

/** The call that a tool's span is of, and what came of it. */
export function readToolCall({ attributes, failed }: OtelSpan) {
  return {
    id: textOrJson(first(attributes, 'gen_ai.tool.call.id', 'ai.toolCall.id')) ?? '',
    name: textOrJson(first(attributes, 'gen_ai.tool.name', 'ai.toolCall.name')) ?? '',
    arguments:
      textOrJson(first(attributes, 'gen_ai.tool.call.arguments', 'ai.toolCall.args')) ?? '',
    result: textOrJson(first(attributes, 'gen_ai.tool.call.result', 'ai.toolCall.result')),
    failed: failed || (attributes['error.type'] ?? null) !== null,
  };
}

export function modelOf({ attributes }: OtelSpan): string | null {
  return textOrJson(
    first(attributes, 'gen_ai.response.model', 'gen_ai.request.model', 'ai.model.id'),
  );
}

/** The provider by its name in the conventions: "openai", "azure.ai.openai", "aws.bedrock". */
export function providerOf({ attributes }: OtelSpan): string | null {
  return textOrJson(first(attributes, 'gen_ai.provider.name', 'gen_ai.system'));
}

/** The cost in US dollars, where an instrumentation states it: the conventions have none. */
export function costOf({ attributes }: OtelSpan): number | null {
  return toCount(first(attributes, 'viva.cost_usd', 'gen_ai.usage.cost', 'operation.cost'));
}

/** The tokens of a span, and those of the input that were written to a cache. */
export function tokensOf({ attributes }: OtelSpan): [usage: Usage, cacheWrites: number] | null {
  const count = (...names: readonly string[]) =>
    toCount(first(attributes, ...names.map((name) => `gen_ai.usage.${name}`)));
  const input = count('input_tokens', 'prompt_tokens');
  const output = count('output_tokens', 'completion_tokens');
  if (input === null || output === null) return null;
  const cached = count('cache_read.input_tokens', 'cached_input_tokens') ?? 0;
  const writes = count('cache_creation.input_tokens') ?? 0;
  const reasoning = count('reasoning.output_tokens', 'reasoning_tokens') ?? 0;
  const usage = {
    // Some instrumentations count the cached tokens apart, against the conventions.
    input_tokens: cached > input ? input + cached + writes : input,
    output_tokens: output,
    cached_tokens: cached,
    reasoning_tokens: reasoning,
  };
  return [usage, writes];
}

/** The conventions call the parts of a message `parts`, the AI SDK `content`. */
function toMessage(message: unknown): GenAiMessage {
  const { role, parts, content, finish_reason } = isFields(message) ? message : {};
  const list = toList(parts ?? content).map((part) =>
    isFields(part) ? part : { type: 'text', content: part },
  );
  const textOf = (type: string) => {
    const texts = list.filter((part) => part['type'] === type);
    const text = texts.map((part) => textOrJson(part['content'] ?? part['text']) ?? '').join('');
    return text === '' ? null : text;
  };
  return {
    role: textOrJson(role) ?? 'user',
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: list
      .filter(({ type }) => type === 'tool_call' || type === 'tool-call')
      .map(readCallPart),
    results: new Map(list.flatMap(readResultPart)),
    stop: textOrJson(finish_reason),
  };
}

function readCallPart(part: Readonly<Record<string, unknown>>): GenAiCall {
  return {
    id: textOrJson(first(part, 'id', 'toolCallId')) ?? '',
    name: textOrJson(first(part, 'name', 'toolName')) ?? '',
    arguments: textOrJson(first(part, 'arguments', 'input', 'args')) ?? '',
  };
}

function readResultPart(part: Readonly<Record<string, unknown>>): readonly [string, string][] {
  if (part['type'] !== 'tool_call_response' && part['type'] !== 'tool-result') return [];
  const output = first(part, 'response', 'result', 'output');
  const isTyped = part['type'] === 'tool-result' && isFields(output) && 'value' in output;
  const text = textOrJson(isTyped ? output['value'] : output);
  return text === null ? [] : [[textOrJson(first(part, 'id', 'toolCallId')) ?? '', text]];
}

function first(fields: Readonly<Record<string, unknown>>, ...names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => (value ?? null) !== null) ?? null;
}

/** Attributes may contain JSON as a text. */
function parseAttribute(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  const parsed: unknown = tryOrUndefined(() => JSON.parse(value));
  return typeof parsed === 'object' ? parsed : value;
}

/** Null for nothing, and for what JSON does not have. */
function textOrJson(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return (value ?? null) === null ? null : (tryOrUndefined(() => JSON.stringify(value)) ?? null);
}

function toCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return (value ?? null) === null ? [] : [value];
}

/** A finished span, whoever wrote it. Times are in ms since 1970. */
export type OtelSpan = Readonly<{
  traceId: string;
  id: string;
  /** The id of the span around it; null for the outermost. */
  parent: string | null;
  name: string;
  from: number;
  to: number;
  attributes: Readonly<Record<string, unknown>>;
  failed: boolean;
  /** What its status says, such as the message of an error; "" if nothing. */
  message: string;
}>;

/**
 * The spans in a value, by the time of their start: a span of OpenTelemetry's JS SDK (ReadableSpan)
 * or of OTLP's JSON, an OTLP request ({resourceSpans}), or a list of these. What is none is left out.
 */
export function readSpans(value: unknown): readonly OtelSpan[] {
  const spans = toList(value).flatMap((each) => listSpans(each).flatMap((span) => toSpan(span)));
  return spans.toSorted((a, b) => a.from - b.from);
}

/** The spans of each trace, the first trace first. */
export function groupByTrace(spans: readonly OtelSpan[]): readonly (readonly OtelSpan[])[] {
  return [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
}

function listSpans(value: unknown): readonly unknown[] {
  if (!isFields(value) || !('resourceSpans' in value)) return [value];
  const scopes = listField(value, 'resourceSpans').flatMap((each) => listField(each, 'scopeSpans'));
  return scopes.flatMap((scope) => listField(scope, 'spans'));
}

function toSpan(span: unknown): readonly OtelSpan[] {
  if (!isFields(span)) return [];
  const { spanContext } = span;
  const isOfSdk = typeof spanContext === 'function';
  const ids: unknown = isOfSdk ? Reflect.apply(spanContext, span, []) : span;
  const [traceId, id] = [field(ids, 'traceId'), field(ids, 'spanId')];
  if (typeof traceId !== 'string' || typeof id !== 'string') return [];
  const parent = field(span['parentSpanContext'], 'spanId') ?? span['parentSpanId'];
  const from = isOfSdk ? fromHrTime(span['startTime']) : fromNanos(span['startTimeUnixNano']);
  const to = isOfSdk ? fromHrTime(span['endTime']) : fromNanos(span['endTimeUnixNano']);
  const { code, message = '' } = isFields(span['status']) ? span['status'] : {};
  return [
    {
      traceId,
      id,
      parent: typeof parent === 'string' && parent !== '' ? parent : null,
      name: String(span['name'] ?? ''),
      from,
      to: Math.max(from, to),
      attributes: toAttributes(span['attributes']),
      failed: code === 2 || code === 'STATUS_CODE_ERROR',
      message: String(message),
    },
  ];
}

/** The SDK has attributes by name, OTLP a list of keys and typed values. */
function toAttributes(attributes: unknown): OtelSpan['attributes'] {
  if (!Array.isArray(attributes)) return isFields(attributes) ? attributes : {};
  return Object.fromEntries(attributes.map(toEntry));
}

function toEntry(attribute: unknown, depth = 0): readonly [string, unknown] {
  if (!isFields(attribute)) return ['', null];
  return [String(attribute['key']), fromOtlpValue(attribute['value'], depth)];
}

/** Protobuf's JSON writes whole numbers as texts. */
function fromOtlpValue(value: unknown, depth: number): unknown {
  if (!isFields(value) || depth > MAX_DEPTH) return null;
  const [[type, held] = []] = Object.entries(value);
  if (type === 'intValue' || type === 'doubleValue') return Number(held);
  if (type === 'arrayValue')
    return listField(held, 'values').map((each) => fromOtlpValue(each, depth + 1));
  if (type !== 'kvlistValue') return held ?? null;
  return Object.fromEntries(listField(held, 'values').map((each) => toEntry(each, depth + 1)));
}

const MAX_DEPTH = 50;

/** Seconds and nanoseconds. */
function fromHrTime(time: unknown): number {
  const [seconds, nanos] = toList(time).map(Number);
  return toTime((seconds ?? 0) * 1000 + (nanos ?? 0) / 1_000_000);
}

function fromNanos(time: unknown): number {
  return toTime(Number(time) / 1_000_000);
}

function toTime(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}
