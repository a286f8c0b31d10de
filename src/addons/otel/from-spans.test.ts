import { expect, test } from 'vitest';
import { fromSpans } from './index.ts';

type Attributes = Readonly<Record<string, unknown>>;
type Written = readonly [id: string, parent: string, fromMs: number, toMs: number, Attributes];

const text = (content: string) => ({ type: 'text', content });
const USED = {
  'gen_ai.usage.input_tokens': 1000,
  'gen_ai.usage.output_tokens': 100,
  'gen_ai.usage.cache_read.input_tokens': 400,
};
const MODEL = { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-5-mini' };
const CALL = { type: 'tool_call', id: 'c1', name: 'add', arguments: { a: 1 } };

/** An agent that calls a tool and then answers, by the conventions. */
const AGENT: readonly Written[] = [
  ['a', '', 0, 900, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 9999 }],
  ['step', 'a', 10, 400, { 'gen_ai.operation.name': 'agent_step' }],
  [
    'm1',
    'step',
    10,
    300,
    {
      ...{ 'gen_ai.operation.name': 'chat', ...MODEL, ...USED },
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'reasoning', content: 'hm' }, CALL] },
      ]),
    },
  ],
  [
    't1',
    'step',
    310,
    350,
    {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'add' },
      ...{ 'gen_ai.tool.call.id': 'c1', 'gen_ai.tool.call.result': '3', 'error.type': 'Timeout' },
    },
  ],
  [
    'm2',
    'a',
    500,
    800,
    {
      ...{ 'gen_ai.operation.name': 'chat', ...MODEL, ...USED },
      'gen_ai.output.messages': [{ role: 'assistant', parts: [text('It is '), text('3.')] }],
    },
  ],
];

/** What the AI SDK before 7 wrote in place of these. */
const OLD: Readonly<Record<string, Attributes>> = {
  a: { 'ai.operationId': 'ai.generateText', 'ai.response.text': 'It is 3.' },
  m1: {
    ...{ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.response.reasoning': 'hm' },
    ...{ ...USED, ...MODEL, 'ai.response.finishReason': 'tool_calls' },
    'ai.response.toolCalls': JSON.stringify([
      { toolCallId: 'c1', toolName: 'add', input: { a: 1 } },
    ]),
  },
  t1: {
    ...{ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'add', 'ai.toolCall.id': 'c1' },
    ...{ 'ai.toolCall.result': '3', 'error.type': 'Timeout' },
  },
  m2: {
    ...{ 'ai.operationId': 'ai.generateText.doGenerate', ...USED, ...MODEL },
    'ai.response.text': 'It is 3.',
  },
};
const OLDER = AGENT.map(([id, parent, from, to]): Written => [id, parent, from, to, OLD[id] ?? {}]);

const START = 1_795_824_958;

function ofSdk(spans: readonly Written[]) {
  const time = (ms: number) => [START, ms * 1_000_000];
  return spans.map(([spanId, parent, from, to, attributes]) => ({
    spanContext: () => ({ traceId: 't', spanId }),
    parentSpanContext: parent === '' ? undefined : { spanId: parent },
    startTime: time(from),
    endTime: time(to),
    status: { code: 0 },
    attributes,
  }));
}

function toOtlp(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toOtlp) } };
  return { kvlistValue: { values: toList(value as object) } };
}

function toList(fields: object) {
  return Object.entries(fields).map(([key, value]) => ({ key, value: toOtlp(value) }));
}

function ofOtlp(spans: readonly Written[]) {
  const nanos = (ms: number) => `${START}${String(ms).padStart(3, '0')}000000`;
  const list = spans.map(([spanId, parentSpanId, from, to, attributes]) => ({
    ...{ traceId: 't', spanId, parentSpanId, startTimeUnixNano: nanos(from) },
    ...{ endTimeUnixNano: nanos(to), attributes: toList(attributes) },
  }));
  // Children end, and are exported, before their parents.
  return { resourceSpans: [{ scopeSpans: [{ spans: list.toReversed() }] }] };
}

test.each([
  ['spans of the JS SDK', ofSdk(AGENT)],
  ['a request of OTLP', ofOtlp(AGENT)],
  ['spans of the AI SDK before 7', ofSdk(OLDER)],
])('makes an answer from %s', async (_, spans) => {
  const usage = { input_tokens: 1000, output_tokens: 100, cached_tokens: 400, reasoning_tokens: 0 };
  expect(await fromSpans(spans)).toEqual({
    output: 'It is 3.',
    model: 'gpt-5-mini',
    steps: 2,
    usage: { input_tokens: 2000, output_tokens: 200, cached_tokens: 800, reasoning_tokens: 0 },
    // 0.6 of $0.25 for plain and 0.4 of $0.025 for cached input, and $2 for output, for a million.
    costUsd: expect.closeTo(2 * (0.00015 + 0.00001 + 0.0002), 8),
    costEstimated: true,
    trace: [
      {
        ...{ text: null, reasoning: 'hm', stop: 'tool_calls', usage, at_ms: 300 },
        tool_calls: [{ name: 'add', arguments: '{"a":1}', result: '3', failed: true, at_ms: 350 }],
      },
      { text: 'It is 3.', reasoning: null, stop: null, usage, at_ms: 800, tool_calls: [] },
    ],
  });
});

const chat = (id: string, parent: string, more: Attributes): Written => [
  ...([id, parent, 0, 10] as const),
  { 'gen_ai.operation.name': 'chat', ...more },
];

test.each<[string, readonly Written[], object]>([
  [
    'counts the call inside another one alone',
    [chat('router', '', USED), chat('m', 'router', USED)],
    { steps: 1, usage: { input_tokens: 1000 } },
  ],
  [
    'has no sum where a call has no tokens',
    [chat('m', '', USED), chat('n', '', {})],
    { steps: 2, usage: undefined },
  ],
  [
    'takes the cost that spans state',
    [chat('m', '', { 'gen_ai.usage.cost': 0.5 })],
    { costUsd: 0.5, costEstimated: undefined },
  ],
  [
    'adds cached tokens that are counted apart',
    [chat('m', '', { ...USED, 'gen_ai.usage.input_tokens': 10 })],
    { usage: { input_tokens: 410 } },
  ],
  [
    'has no output without texts',
    AGENT.map(
      ([id, parent, from, to, { 'gen_ai.output.messages': _, ...more }]) =>
        [id, parent, from, to, more] as const,
    ),
    { output: null, steps: 2, trace: [{ tool_calls: [{ name: 'add', result: '3' }] }, {}] },
  ],
  [
    'survives spans that are around each other',
    [chat('a', 'b', USED), chat('b', 'a', USED)],
    { steps: 0 },
  ],
])('%s', async (_, spans, expected) => {
  const said = await fromSpans(ofSdk(spans));
  expect({ usage: undefined, costEstimated: undefined, ...said }).toMatchObject(expected);
});

test('refuses spans that are not of generative AI', async () => {
  const http: Written = ['a', '', 0, 1, { 'http.method': 'GET' }];
  await expect(fromSpans([null, 3, {}, ...ofSdk([http])])).rejects.toThrow('fromSpans got no span');
});
