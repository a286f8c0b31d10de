import { field, isFields, listField } from './record.ts';

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
export function readSpans(given: unknown): readonly OtelSpan[] {
  const spans = toList(given).flatMap((each) => listSpans(each).flatMap((span) => toSpan(span)));
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
  const own: unknown = isOfSdk ? Reflect.apply(spanContext, span, []) : span;
  const [traceId, id] = [field(own, 'traceId'), field(own, 'spanId')];
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
  return [String(attribute['key']), toPlain(attribute['value'], depth)];
}

/** Protobuf's JSON writes whole numbers as texts. */
function toPlain(value: unknown, depth: number): unknown {
  if (!isFields(value) || depth > MAX_DEPTH) return null;
  const [[type, held] = []] = Object.entries(value);
  if (type === 'intValue' || type === 'doubleValue') return Number(held);
  if (type === 'arrayValue')
    return listField(held, 'values').map((each) => toPlain(each, depth + 1));
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

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
