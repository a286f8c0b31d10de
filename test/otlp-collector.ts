import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Fields, findProblems, type Shape } from './find-problems.ts';
import { startServer } from './loopback-server.ts';

/** A reply of a collector. */
type Reply = Readonly<{
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

type Attributes = Readonly<Record<string, unknown>>;

/** A span with its attributes by name. */
export type ReceivedSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  start: bigint;
  end: bigint;
  attributes: Attributes;
  events: readonly Readonly<{ name: string; attributes: Attributes }>[];
  status?: unknown;
}>;

/**
 * A collector that refuses what is not protobuf's JSON of an ExportTraceServiceRequest. It answers
 * with `replies` first. What it received: each request, and the spans of those that it took.
 */
export async function startCollector(replies: readonly Reply[] = []) {
  const headers: IncomingHttpHeaders[] = [];
  const [paths, bodies]: [string[], string[]] = [[], []];
  const received = { paths, headers, bodies, spans: [] as ReceivedSpan[] };
  const left = [...replies];
  const url = await startServer(async (request, response) => {
    const body = await text(request);
    paths.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    bodies.push(body);
    const { status = 200, headers: own = {}, body: reply = '{}' } = left.shift() ?? {};
    const spans = status === 200 ? attemptParse(body) : [];
    if (typeof spans === 'string')
      return response.writeHead(400).end(JSON.stringify({ message: spans }));
    received.spans.push(...spans);
    return response.writeHead(status, { 'content-type': 'application/json', ...own }).end(reply);
  });
  return { url, received };
}

function attemptParse(body: string): readonly ReceivedSpan[] | string {
  try {
    return parseRequest(JSON.parse(body));
  } catch (error) {
    return String(error);
  }
}

const NANOS = /^\d{19}$/;
const VALUE: Shape = {
  'stringValue?': 'string',
  'intValue?': /^-?\d+$/,
  'doubleValue?': 'number',
  'boolValue?': 'boolean',
  'arrayValue?': { values: [{ stringValue: 'string' }] },
};
const ATTRIBUTES: Shape = [{ key: /^[a-z][\w.]+$/, value: VALUE }];

/** The form: opentelemetry-proto, trace/v1/trace.proto, in proto3's JSON. */
const REQUEST: Shape = {
  resourceSpans: [
    {
      resource: { attributes: ATTRIBUTES },
      scopeSpans: [
        {
          scope: { name: 'string', version: 'string' },
          spans: [
            {
              traceId: /^[0-9a-f]{32}$/,
              spanId: /^[0-9a-f]{16}$/,
              name: /./,
              kind: 'number',
              'parentSpanId?': /^[0-9a-f]{16}$/,
              attributes: ATTRIBUTES,
              startTimeUnixNano: NANOS,
              endTimeUnixNano: NANOS,
              'events?': [{ name: 'string', timeUnixNano: NANOS, attributes: ATTRIBUTES }],
              'status?': { code: 'number', message: 'string' },
            },
          ],
        },
      ],
    },
  ],
};

/**
 * The messages of a span, as the conventions for generative AI declare them:
 * gen-ai-input-messages.json and gen-ai-output-messages.json of semantic-conventions.
 */
const PART: Shape = (value): Fields =>
  (value as Attributes | null)?.['type'] === 'tool_call'
    ? { type: 'string', id: 'string', name: 'string', arguments: { '*': 'any' } }
    : { type: 'string', content: 'string' };
const MESSAGE: Fields = { role: /^(system|user|assistant|tool)$/, parts: [PART] };
const TEXTS: Fields = {
  'gen_ai.input.messages': [MESSAGE],
  'gen_ai.output.messages': [
    { ...MESSAGE, finish_reason: /^(stop|length|content_filter|tool_call|error)$/ },
  ],
  'gen_ai.tool.call.arguments': { '*': 'any' },
};

function check(shape: Shape, value: unknown, path: string): void {
  const [problem] = findProblems(shape, value, path);
  if (problem !== undefined) throw new Error(problem);
}

function parseRequest(request: unknown): readonly ReceivedSpan[] {
  check(REQUEST, request, 'request');
  // biome-ignore lint/suspicious/noExplicitAny: checked above.
  return (request as any).resourceSpans.flatMap(({ resource, scopeSpans }: any) => {
    if (readAttributes(resource.attributes)['service.name'] !== 'viva')
      throw new Error('no service');
    // biome-ignore lint/suspicious/noExplicitAny: checked above.
    return scopeSpans.flatMap(({ spans }: any) => spans.map(readSpan));
  });
}

// biome-ignore lint/suspicious/noExplicitAny: checked by `parseRequest`.
function readSpan({ startTimeUnixNano, endTimeUnixNano, ...span }: any): ReceivedSpan {
  const [start, end] = [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)];
  if (end < start) throw new Error('ends before its start');
  const attributes = readAttributes(span.attributes);
  for (const [name, shape] of Object.entries(TEXTS)) {
    if (name in attributes) check(shape, JSON.parse(String(attributes[name])), name);
  }
  // biome-ignore lint/suspicious/noExplicitAny: checked by `parseRequest`.
  const events = (span.events ?? []).map(({ name, attributes: own }: any) => {
    return { name, attributes: readAttributes(own) };
  });
  return { ...span, start, end, attributes, events };
}

function readAttributes(list: readonly { key: string; value: Attributes }[]): Attributes {
  const entries = list.map(({ key, value }) => [key, readValue(value)] as const);
  if (new Set(list.map(({ key }) => key)).size < list.length) throw new Error('an attribute twice');
  return Object.fromEntries(entries);
}

function readValue(value: Attributes): unknown {
  const [[type, held] = ['', null], ...others] = Object.entries(value);
  if (type === '' || others.length > 0) throw new Error('not one value');
  if (type === 'intValue') return BigInt(String(held));
  return type === 'arrayValue' ? (held as { values: Attributes[] }).values.map(readValue) : held;
}
