/** A span in short: times in ms, attributes by name; lists and objects become JSON. */
export type ShortSpan = Readonly<{
  trace?: string;
  id: string;
  parent?: string;
  from?: number;
  to?: number;
  error?: string;
  attributes: Readonly<Record<string, unknown>>;
}>;

const START = 1_795_824_958;

/** A line as the collector's file exporter writes it. */
export function toOtlpLine(...spans: readonly ShortSpan[]): string {
  const nanos = (ms: number) => `${START}${String(ms).padStart(3, '0')}000000`;
  const list = spans.map(({ trace = 't1', id, parent = '', from = 0, to = 900, ...span }) => ({
    traceId: trace,
    spanId: id,
    parentSpanId: parent,
    name: id,
    kind: 3,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(to),
    attributes: Object.entries(span.attributes).map(([key, value]) => ({
      key,
      value: toValue(value),
    })),
    status: span.error === undefined ? {} : { code: 2, message: span.error },
  }));
  // Children end, and are exported, before their parents.
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: list.toReversed() }] }] });
}

function toValue(value: unknown): object {
  if (typeof value === 'number') return { intValue: String(value) };
  return { stringValue: typeof value === 'string' ? value : JSON.stringify(value) };
}

type Part = string | { readonly type: string; readonly [field: string]: unknown };

/** A message of the conventions: parts of text, or as given. */
export function toMessage(role: string, ...parts: readonly Part[]): object {
  const toPart = (part: Part) =>
    typeof part === 'string' ? { type: 'text', content: part } : part;
  return { role, parts: parts.map(toPart) };
}

/** The attributes of a call of a model or an agent. */
export function toCall(
  asked: readonly object[],
  replied: readonly object[],
  operation = 'chat',
): Readonly<Record<string, unknown>> {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.request.model': 'gpt-5-mini',
    'gen_ai.provider.name': 'openai',
    ...(asked.length > 0 && { 'gen_ai.input.messages': asked }),
    ...(replied.length > 0 && { 'gen_ai.output.messages': replied }),
  };
}
