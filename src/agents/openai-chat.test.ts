import { describe, expect, test } from 'vitest';
import { askAgent } from '../../test/agents/ask-agent.ts';
import { chat } from '../../test/agents/replies.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';

/** No tool has this name, so that no process calculates. */
const NAME = 'sum';
const ARGS = '{"a":"6*7"}';
const RESULT = expect.stringContaining('there is no tool "sum"');

async function ask(script: readonly Reply[], parameters = '') {
  const server = await startScriptedServer(script);
  const answering = askAgent(`openai-chat:m?base_url=${server.url}/v1${parameters}`);
  return { answer: await answering, requests: server.requests };
}

describe('openai-chat', () => {
  test('sends its parameters and nothing of its own', async () => {
    const parameters =
      '&temperature=0.2&seed=7&max_tokens=99&reasoning_effort=low&tools=off&max_steps=3&stream=off';
    const { requests } = await ask([chat.text('42')], parameters);
    expect(requests[0]?.path).toBe('/v1/chat/completions');
    expect(requests[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'What is 6 times 7?' }],
      temperature: 0.2,
      seed: 7,
      max_tokens: 99,
      reasoning_effort: 'low',
    });
  });

  test('feeds tool results back and sums the usage', async () => {
    const { answer, requests } = await ask([
      chat.calls([{ name: NAME, args: ARGS }]),
      chat.text('FINAL ANSWER: 42'),
    ]);
    expect(requests[1]?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: [calledSum({})] },
      { role: 'tool', tool_call_id: 'c1', content: RESULT },
    ]);
    expect(answer).toMatchObject({
      output: 'FINAL ANSWER: 42',
      model: 'scripted-model-2026',
      steps: 2,
      usage: { input_tokens: 200, output_tokens: 20, cached_tokens: 80, reasoning_tokens: 8 },
      trace: [{ tool_calls: [{ result: RESULT }], stop: 'tool_calls' }, { stop: 'stop' }],
    });
  });

  test('repeats the reasoning in the field it came in', async () => {
    const tool_calls = [calledSum({})];
    const thinking = chat.message({ content: '', reasoning_content: 'hm', tool_calls });
    const { answer, requests } = await ask([thinking, chat.text('x')]);
    expect(requests[1]?.body.messages[1]).toMatchObject({ reasoning_content: 'hm' });
    expect(answer.trace?.[0]).toMatchObject({ reasoning: 'hm' });
  });

  test.each([
    ['gives no finish reason', chat.message({ tool_calls: [calledSum({})] }, null)],
    ['gives the call no id', chat.message({ tool_calls: [calledSum({ id: undefined })] })],
    [
      'gives arguments as an object',
      chat.message({ tool_calls: [calledSum({}, JSON.parse(ARGS))] }),
    ],
  ])('runs a call although the server %s', async (_, reply) => {
    const { answer, requests } = await ask([reply, chat.text('x')]);
    const [, assistant, result] = requests[1]?.body.messages ?? [];
    const [{ id }] = assistant.tool_calls;
    expect(result).toEqual({ role: 'tool', tool_call_id: id, content: RESULT });
    expect(id).toMatch(/./);
    expect(answer.output).toBe('x');
  });

  test.each([
    ['a list of parts', chat.text([{ type: 'text', text: 'x' }, null, 7]), { output: 'x' }],
    ['an empty text', chat.message({ content: '' }), { output: null, reason: 'empty' }],
    [
      'a refusal',
      chat.message({ content: null, refusal: 'no' }),
      { output: null, reason: 'refusal' },
    ],
    [
      'a filtered text',
      chat.message({ content: 'so' }, 'content_filter'),
      { output: null, reason: 'refusal' },
    ],
    [
      'nothing but thought',
      chat.message({ content: '' }, 'length'),
      { output: null, reason: 'max_tokens' },
    ],
  ])('takes %s as an answer', async (_, reply, expected) => {
    const { answer } = await ask([reply]);
    expect(answer).toMatchObject(expected);
  });
});

function calledSum(changes: object, args: unknown = ARGS) {
  return { id: 'c1', type: 'function', function: { name: NAME, arguments: args }, ...changes };
}

function stream(chunks: readonly object[]) {
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

function chunk(delta: object, finish_reason: string | null = null) {
  return { id: 'c', model: 'streamed', choices: [{ index: 0, delta, finish_reason }] };
}

function piece(index?: number, id?: string, name?: string, args = '{}') {
  return chunk({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
  });
}

async function askStreamed(...script: readonly (readonly object[])[]) {
  const server = await startScriptedServer(script.map(stream));
  const answer = await askAgent(`openai-chat:m?base_url=${server.url}/v1&stream=on`);
  return { answer, requests: server.requests };
}

const done = [chunk({ content: 'do' }), chunk({ content: 'ne' }, 'stop')];

test('tokens of replies that were no answers are counted', async () => {
  const lost = chat.message({ content: 'half' }, 'insufficient_system_resource');
  const server = await startScriptedServer([lost, lost, chat.text('done')]);
  const answer = await askAgent(`openai-chat:m?base_url=${server.url}/v1`);
  expect(answer).toMatchObject({ output: 'done', steps: 1, usage: { input_tokens: 300 } });
});

describe('a streamed chat reply', () => {
  test.each([
    ['whole', '{}', 1],
    ['half', '{"a": 1', 0],
  ])('without a finish reason that ends in a %s call', async (_, args, results) => {
    const { answer, requests } = await askStreamed([piece(0, 'c1', NAME, args)], done);
    expect(answer).toMatchObject({ output: 'done' });
    expect(JSON.stringify(requests.at(-1)?.body).split('"role":"tool"')).toHaveLength(results + 1);
  });

  test('is put together from its pieces', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const thought = [
      chunk({ role: 'assistant', reasoning_content: 'hm ' }),
      chunk({ reasoning_content: 'so' }),
    ];
    const call = [
      piece(0, 'c1', NAME, ARGS.slice(0, 4)),
      piece(0, undefined, undefined, ARGS.slice(4)),
    ];
    const { answer, requests } = await askStreamed(
      [...thought, ...call, chunk({}, 'tool_calls'), { choices: [], usage }],
      done,
    );
    expect(requests[1]?.body.messages.slice(1)).toMatchObject([
      {
        reasoning_content: 'hm so',
        tool_calls: [{ id: 'c1', function: { arguments: ARGS } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: RESULT },
    ]);
    expect(answer).toMatchObject({
      output: 'done',
      model: 'streamed',
      steps: 2,
      usage: { input_tokens: 5 },
    });
  });

  test.each([
    ['by id alone', 0, 0],
    ['by id, without an index', undefined, undefined],
  ])('keeps calls apart %s', async (_, first, second) => {
    const calls = [piece(first, 'a', 'one'), piece(second, 'b', 'two')];
    const { requests } = await askStreamed([...calls, chunk({}, 'tool_calls')], done);
    expect(requests[1]?.body.messages.slice(-2)).toMatchObject([
      { tool_call_id: 'a', content: expect.stringContaining('"one"') },
      { tool_call_id: 'b', content: expect.stringContaining('"two"') },
    ]);
  });
});
