import { describe, expect, test, vi } from 'vitest';
import { askAgent, SECRET } from '../../test/agents/ask-agent.ts';
import { messages } from '../../test/agents/replies.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import { createAgents } from './index.ts';
import { parseAgentSpecs } from './kinds.ts';

async function ask(script: readonly Reply[], parameters = '') {
  const server = await startScriptedServer(script);
  const answering = askAgent(`anthropic:m?base_url=${server.url}${parameters}`);
  return { answer: await answering, requests: server.requests };
}

describe('anthropic', () => {
  test('asks with the prompt and the tools', async () => {
    const { requests } = await ask([messages.text('42')]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.path).toMatch(/^\/v1\/messages/);
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(requests[0]?.body).toMatchObject({
      model: 'm',
      max_tokens: 16_000,
      messages: [{ role: 'user', content: 'What is 6 times 7?' }],
      tools: [
        { name: 'calculate', input_schema: { type: 'object', required: ['code'] } },
        { name: 'fetch_page' },
      ],
    });
  });

  test.each([
    ['temperature=0&top_k=5&max_tokens=99', { temperature: 0, top_k: 5, max_tokens: 99 }],
    [
      'thinking=adaptive&effort=high',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    ['thinking_budget=2048', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  ])('sends %s under the names of the API', async (parameters, expected) => {
    const { requests } = await ask([messages.text('42')], `&${parameters}`);
    expect(requests[0]?.body).toMatchObject(expected);
  });

  test('sends the whole history, with thoughts and tool results, and runs each call once', async () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' };
    const call = { type: 'tool_use', id: 'c1', name: 'calculate', input: { code: '6*7' } };
    const asked = messages.blocks([thought, call], { stop_reason: 'tool_use' });
    const { answer, requests } = await ask([asked, messages.text('FINAL ANSWER: 42')]);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body).not.toHaveProperty('thread');
    expect(requests[1]?.body.messages).toMatchObject([
      { role: 'user', content: 'What is 6 times 7?' },
      { role: 'assistant', content: [thought, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '= 42' }] },
    ]);
    expect(answer).toMatchObject({
      text: 'FINAL ANSWER: 42',
      model: 'scripted-model-2026',
      steps: 2,
      usage: { input_tokens: 200, output_tokens: 20, cached_tokens: 80, reasoning_tokens: 8 },
      trace: [
        {
          reasoning: 'hm',
          stop: 'tool_use',
          tool_calls: [
            { name: 'calculate', arguments: '{"code":"6*7"}', result: '= 42', failed: false },
          ],
        },
        { stop: 'end_turn' },
      ],
    });
  });

  test('goes on after a pause', async () => {
    const paused = messages.blocks([{ type: 'text', text: 'wait' }], { stop_reason: 'pause_turn' });
    const { answer, requests } = await ask([paused, messages.text('done')]);
    expect(requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'assistant' });
    expect(answer).toMatchObject({ text: 'done', steps: 2 });
  });

  test.each([
    [
      'a refusal',
      messages.text('I', { stop_reason: 'refusal' }),
      { text: null, reason: 'refusal' },
    ],
    ['no content', messages.text(''), { text: null, reason: 'empty' }],
    [
      'a text cut short',
      messages.text('so far', { stop_reason: 'max_tokens' }),
      { text: 'so far', cutShort: 'max_tokens' },
    ],
    [
      'nothing but thought',
      messages.text('', { stop_reason: 'max_tokens' }),
      { text: null, reason: 'max_tokens' },
    ],
    [
      'a full context window',
      messages.text('', { stop_reason: 'model_context_window_exceeded' }),
      { text: null, reason: 'context_window' },
    ],
    ['missing usage', messages.text('x', { usage: undefined }), { text: 'x', steps: 1 }],
  ])('takes %s as an answer', async (_, reply, expected) => {
    const { answer } = await ask([reply]);
    expect(answer).toMatchObject(expected);
  });

  test('is not an answer while its stop reason is null', async () => {
    await expect(ask([messages.text('42', { stop_reason: null })])).rejects.toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining(
        'The message is unfinished: its "stop_reason" is null: {"id":"msg_1"',
      ),
    });
  });

  test('stops at its step limit when the model only pauses', async () => {
    const asking = ask([messages.text('x', { stop_reason: 'pause_turn' })], '&max_steps=3');
    await expect(asking).rejects.toMatchObject({ kind: 'step_limit', progress: { steps: 3 } });
  });

  test.each([
    ['streams', 64_000, true],
    ['does not stream', 16_000, false],
  ])('%s a reply of up to %i tokens', async (_, maxTokens, stream) => {
    const server = await startScriptedServer([{ status: 400, body: {} }]);
    await askAgent(`anthropic:m?base_url=${server.url}&max_tokens=${maxTokens}`).catch(() => {});
    expect(server.requests[0]?.body.stream ?? false).toBe(stream);
  });

  test('wants a key of its own, whoever is logged in on the machine', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', undefined);
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', undefined);
    const [spec] = parseAgentSpecs('anthropic:m?base_url=http://127.0.0.1:9') ?? [];
    const [agent] =
      spec === undefined ? [] : await createAgents(spec, { suite: 's', ids: [], predictions: '' });
    expect(agent?.notReadyReason).toBe(
      'No API key for Anthropic was found. Set ANTHROPIC_API_KEY.',
    );
  });
});

type Block =
  | { readonly text: string }
  | { readonly id: string; readonly pieces: readonly string[] };

/**
 * A streamed reply of the Messages API with these texts and calls, in events with the given line
 * ends.
 */
function stream(blocks: readonly Block[], stop: string, end = '\n'): Reply {
  const usage = { input_tokens: 50, output_tokens: 10 };
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage,
  };
  const events = [
    { type: 'message_start', message },
    ...blocks.flatMap(toEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ];
  const body = events
    .map((event) => `event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`)
    .join('');
  return { body, headers: { 'content-type': 'text/event-stream; charset=utf-8' } };
}

function toEvents(block: Block, index: number): readonly { readonly type: string }[] {
  const isText = 'text' in block;
  const start = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: block.id, name: 'calculate', input: {} };
  const deltas = isText
    ? [{ type: 'text_delta', text: block.text }]
    : block.pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  const events = [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  return events;
}

async function askStreamed(script: readonly Reply[]) {
  const server = await startScriptedServer(script);
  const answer = await askAgent(`anthropic:m?stream=on&base_url=${server.url}`);
  return { answer, requests: server.requests };
}

describe('a streamed call', () => {
  test.each([
    ['JSON that breaks off', ['{"code":', ' "6*7'], /^Error: the arguments are not valid JSON/],
    ['no JSON', ['6*7'], /^Error: the arguments are not valid JSON/],
    ['a list', ['[1]'], /^Error: the arguments must be a JSON object/],
    ['nothing', [], /^Error: "code" must be a text/],
  ])(
    'with %s as arguments is told to the model, which may try again',
    async (_, pieces, message) => {
      const calls = stream([{ text: 'Let me see.' }, { id: 'c1', pieces }], 'tool_use');
      const { answer, requests } = await askStreamed([
        calls,
        stream([{ text: 'FINAL ANSWER: 42' }], 'end_turn'),
      ]);
      const [, assistant, results] = requests[1]?.body.messages ?? [];
      expect(assistant.content[1].input).toBeTypeOf('object');
      expect(results.content).toMatchObject([
        { is_error: true, content: expect.stringMatching(message) },
      ]);
      expect(answer).toMatchObject({
        text: 'FINAL ANSWER: 42',
        usage: { input_tokens: 100 },
        trace: [
          {
            text: 'Let me see.',
            tool_calls: [{ arguments: pieces.join('') || '{}', failed: true }],
          },
          {},
        ],
      });
    },
  );

  test.each(['\n', '\r\n'])(
    'runs beside one that is malformed, with lines that end in %j',
    async (end) => {
      const blocks = [
        { id: 'c1', pieces: ['{"code"', ':"6*', '7"}'] },
        { id: 'c2', pieces: ['{'] },
      ];
      const { answer } = await askStreamed([
        stream(blocks, 'tool_use', end),
        stream([{ text: 'x' }], 'end_turn', end),
      ]);
      expect(answer.trace?.[0]?.tool_calls).toMatchObject([
        { arguments: '{"code":"6*7"}', result: '= 42', failed: false },
        { arguments: '{', failed: true },
      ]);
    },
  );

  test('that a limit cuts short is not run', async () => {
    const { answer, requests } = await askStreamed([
      stream([{ text: 'so' }, { id: 'c1', pieces: ['{"co'] }], 'max_tokens'),
    ]);
    expect(requests).toHaveLength(1);
    expect(answer).toMatchObject({ text: 'so', cutShort: 'max_tokens' });
  });
});
