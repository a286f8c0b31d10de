import { describe, expect, test, vi } from 'vitest';
import { askAgent, makeAgent, SECRET } from '../../test/agents/ask-agent.ts';
import { messages } from '../../test/agents/replies.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import { makeFile } from '../../test/make-folder.ts';
import { toAsked, UNLIMITED } from '../words/types.fixture.ts';
import { createAgents, parseAgentSpecs } from './kinds.ts';

async function ask(script: readonly Reply[], parameters = '') {
  const server = await startScriptedServer(script);
  const answering = askAgent(`anthropic:m?base_url=${server.url}${parameters}`);
  return { answer: await answering, requests: server.requests };
}

describe('anthropic', () => {
  test.each([
    ['temperature=0&top_k=5&max_tokens=99', { temperature: 0, top_k: 5, max_tokens: 99 }],
    [
      'thinking=adaptive&effort=high',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    ['thinking_budget=2048', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  ])("sends %s under the API's own names", async (parameters, expected) => {
    const { requests } = await ask([messages.text('42')], `&${parameters}`);
    expect(requests[0]?.body).toMatchObject(expected);
  });

  test('sends tools and the complete history, with thoughts and results, and runs each call once', async () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' };
    const call = { type: 'tool_use', id: 'c1', name: 'sum', input: { a: 6 } };
    const result = 'Error: there is no tool "sum". Tools: calculate, fetch_page.';
    const asked = messages.blocks([thought, call], { stop_reason: 'tool_use' });
    const { answer, requests } = await ask([asked, messages.text('FINAL ANSWER: 42')]);
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({
      path: expect.stringMatching(/^\/v1\/messages/),
      headers: { authorization: `Bearer ${SECRET}` },
      body: {
        model: 'm',
        max_tokens: 16_000,
        tools: [
          { name: 'calculate', input_schema: { type: 'object', required: ['code'] } },
          { name: 'fetch_page' },
        ],
      },
    });
    expect(requests[1]?.body.messages).toMatchObject([
      { role: 'user', content: 'What is 6 times 7?' },
      { role: 'assistant', content: [thought, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: result }] },
    ]);
    expect(answer).toMatchObject({
      output: 'FINAL ANSWER: 42',
      model: 'scripted-model-2026',
      steps: 2,
      usage: { input_tokens: 200, output_tokens: 20, cached_tokens: 80, reasoning_tokens: 8 },
      trace: [
        {
          reasoning: 'hm',
          stop: 'tool_use',
          tool_calls: [{ name: 'sum', arguments: '{"a":6}', result, failed: true }],
        },
        { stop: 'end_turn' },
      ],
    });
  });

  test.each([
    [
      'a refusal',
      messages.text('I', { stop_reason: 'refusal' }),
      { output: null, reason: 'refusal' },
    ],
    [
      'a text cut short',
      messages.text('so far', { stop_reason: 'max_tokens' }),
      { output: 'so far', cutShort: 'max_tokens' },
    ],
    [
      'nothing but thought',
      messages.text('', { stop_reason: 'max_tokens' }),
      { output: null, reason: 'max_tokens' },
    ],
    [
      'a full context window',
      messages.text('', { stop_reason: 'model_context_window_exceeded' }),
      { output: null, reason: 'context_window' },
    ],
  ])('takes %s as an answer', async (_, reply, expected) => {
    const { answer } = await ask([reply]);
    expect(answer).toMatchObject(expected);
  });

  test.each([
    ['streams', 64_000, true],
    ['does not stream', 16_000, false],
  ])('%s a reply of up to %i tokens', async (_, maxTokens, stream) => {
    const server = await startScriptedServer([{ status: 400, body: {} }]);
    await askAgent(`anthropic:m?base_url=${server.url}&max_tokens=${maxTokens}`).catch(() => {});
    expect(server.requests[0]?.body.stream ?? false).toBe(stream);
  });

  test('needs its own key, even if someone is logged in on the machine', async () => {
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

test('a server that refuses the prompt cache is asked without it from then on', async () => {
  const message = 'cache_control: Extra inputs are not permitted';
  const refused = {
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message } },
  };
  const server = await startScriptedServer([refused, messages.text('one'), messages.text('two')]);
  const agent = await makeAgent(`anthropic:m?base_url=${server.url}`);
  const question = toAsked('Which?', {
    attachments: [{ name: 'a.txt', path: makeFile('a.txt', 'x') }],
  });
  for (const output of ['one', 'two'])
    expect(await agent.answer(question, UNLIMITED)).toMatchObject({ output });
  expect(server.requests.map(({ body }) => 'cache_control' in body)).toEqual([true, false, false]);
});
