import { describe, expect, test } from 'vitest';
import { askAgent } from '../../test/agents/ask-agent.ts';
import { startScriptedServer } from '../../test/agents/scripted-server.ts';

function stream(chunks: readonly object[]) {
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

function chunk(delta: object, finishReason: string | null = null) {
  return { id: 'c', model: 'streamed', choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function piece(index: number | undefined, id: string | undefined, name: string | undefined, args: string) {
  return chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
}

async function ask(...script: readonly (readonly object[])[]) {
  const server = await startScriptedServer(script.map(stream));
  const answer = await askAgent(`openai-chat:m?base_url=${server.url}/v1&stream=on`);
  return { answer, requests: server.requests };
}

const done = [chunk({ content: 'do' }), chunk({ content: 'ne' }, 'stop')];

describe('a streamed chat reply', () => {
  test('is put together from its pieces', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const thought = [chunk({ role: 'assistant', reasoning_content: 'hm ' }), chunk({ reasoning_content: 'so' })];
    const call = [piece(0, 'c1', 'calculate', '{"code"'), piece(0, undefined, undefined, ':"6*7"}')];
    const { answer, requests } = await ask(
      [...thought, ...call, chunk({}, 'tool_calls'), { choices: [], usage }],
      done,
    );
    expect(requests[1]?.body.messages.slice(1)).toMatchObject([
      { reasoning_content: 'hm so', tool_calls: [{ id: 'c1', function: { arguments: '{"code":"6*7"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '= 42' },
    ]);
    expect(answer).toMatchObject({ text: 'done', model: 'streamed', steps: 2, usage: { input_tokens: 5 } });
  });

  test.each([
    ['by index', 0, 1],
    ['by id alone', 0, 0],
    ['by id, without an index', undefined, undefined],
  ])('keeps calls apart %s', async (_, first, second) => {
    const calls = [piece(first, 'a', 'calculate', '{"code":"1"}'), piece(second, 'b', 'calculate', '{"code":"2"}')];
    const { requests } = await ask([...calls, chunk({}, 'tool_calls')], done);
    expect(requests[1]?.body.messages.slice(-2)).toMatchObject([
      { tool_call_id: 'a', content: '= 1' },
      { tool_call_id: 'b', content: '= 2' },
    ]);
  });

  test('needs no finish reason and no usage of a server that knows none', async () => {
    const plain = (content: string) => ({ id: 'c', model: 'streamed', choices: [{ index: 0, delta: { content } }] });
    const { answer } = await ask([plain('do'), plain('ne')]);
    expect(answer).toMatchObject({ text: 'done' });
    expect(answer).not.toHaveProperty('usage');
  });

  test('that never begins is a failure of the network', async () => {
    await expect(ask([])).rejects.toMatchObject({ kind: 'network' });
  });

  test('that ends without a finish reason and its mark is a failure of the network, and no half answer', async () => {
    const { body, headers } = stream([chunk({ content: 'it is 4' })]);
    const server = await startScriptedServer([{ headers, body: body.replace('data: [DONE]\n\n', '') }]);
    const asking = askAgent(`openai-chat:m?base_url=${server.url}/v1&stream=on`);
    await expect(asking).rejects.toMatchObject({ kind: 'network', message: expect.stringContaining('[DONE]') });
  });

  test.each([null, ''])('whose finish reason stays %j is unfinished, whatever mark follows', async (reason) => {
    const asking = ask([chunk({ content: 'it is' }, reason), chunk({ content: ' 4' }, reason)]);
    await expect(asking).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('no finish reason'),
    });
  });

  test.each([
    ['by its finish reason', 'server', chunk({}, 'error')],
    ['in a choice', 'rate_limit', { choices: [{ delta: {}, error: { code: 429, message: 'gone' } }] }],
    [
      'in an event',
      'server',
      { error: { code: 502, message: 'gone' }, choices: [{ delta: {}, finish_reason: 'error' }] },
    ],
    ['in words', 'server', { error: 'gone' }],
  ])('that states an error of the provider %s is no half answer', async (_, kind, last) => {
    await expect(ask([chunk({ content: 'it is 4' }), last])).rejects.toMatchObject({ kind });
  });

  test('of an empty text is an answer of nothing, as it is when it comes whole', async () => {
    const { answer } = await ask([chunk({ role: 'assistant', content: '' }), chunk({}, 'stop')]);
    expect(answer).toMatchObject({ text: null, reason: 'empty' });
  });
});
