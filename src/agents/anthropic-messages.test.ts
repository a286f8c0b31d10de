import { describe, expect, test } from 'vitest';
import { askAgent } from '../../test/agents/ask-agent.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import { cpuTime } from '../../test/cpu-time.ts';
import { mendToolInput } from './anthropic-messages.ts';

type Block = { readonly text: string } | { readonly id: string; readonly pieces: readonly string[] };

/** A streamed reply of the Messages API with these texts and calls, in events whose lines end as given. */
function stream(blocks: readonly Block[], stop: string, end = '\n'): Reply {
  const usage = { input_tokens: 50, output_tokens: 10 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage };
  const events = [
    { type: 'message_start', message },
    ...blocks.flatMap(toEvents),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ];
  const body = events.map((event) => `event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`).join('');
  return { body, headers: { 'content-type': 'text/event-stream; charset=utf-8' } };
}

function toEvents(block: Block, index: number): readonly { readonly type: string }[] {
  const isText = 'text' in block;
  const start = isText ? { type: 'text', text: '' } : { type: 'tool_use', id: block.id, name: 'calculate', input: {} };
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

async function ask(script: readonly Reply[]) {
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
  ])('with %s as arguments is told to the model, which may try again', async (_, pieces, message) => {
    const calls = stream([{ text: 'Let me see.' }, { id: 'c1', pieces }], 'tool_use');
    const { answer, requests } = await ask([calls, stream([{ text: 'FINAL ANSWER: 42' }], 'end_turn')]);
    const [, assistant, results] = requests[1]?.body.messages ?? [];
    expect(assistant.content[1].input).toBeTypeOf('object');
    expect(results.content).toMatchObject([{ is_error: true, content: expect.stringMatching(message) }]);
    expect(answer).toMatchObject({
      text: 'FINAL ANSWER: 42',
      usage: { input_tokens: 100 },
      trace: [{ text: 'Let me see.', tool_calls: [{ arguments: pieces.join('') || '{}', failed: true }] }, {}],
    });
  });

  test.each(['\n', '\r\n'])('runs beside one that is malformed, with lines that end in %j', async (end) => {
    const blocks = [
      { id: 'c1', pieces: ['{"code"', ':"6*', '7"}'] },
      { id: 'c2', pieces: ['{'] },
    ];
    const { answer } = await ask([stream(blocks, 'tool_use', end), stream([{ text: 'x' }], 'end_turn', end)]);
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([
      { arguments: '{"code":"6*7"}', result: '= 42', failed: false },
      { arguments: '{', failed: true },
    ]);
  });

  test('that a limit cuts short is not run', async () => {
    const { answer, requests } = await ask([stream([{ text: 'so' }, { id: 'c1', pieces: ['{"co'] }], 'max_tokens')]);
    expect(requests).toHaveLength(1);
    expect(answer).toMatchObject({ text: 'so', cutShort: 'max_tokens' });
  });
});

test('events are the same however the stream is cut', async () => {
  const reply = stream([{ text: 'Grüße 🌍' }, { id: 'c1', pieces: ['{"a":', '1', '}x'] }], 'tool_use');
  const bytes = new TextEncoder().encode('body' in reply ? String(reply.body) : '');
  const read = async (size: number) => {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    );
    const headers = { 'content-type': 'text/event-stream' };
    const send = mendToolInput(async () => new Response(ReadableStream.from(parts), { headers }));
    return (await send('http://127.0.0.1')).text();
  };
  const whole = await read(bytes.length);
  expect(whole).toContain('malformed_arguments');
  expect(whole).toContain('Grüße 🌍');
  for (const size of [1, 2, 3, 7, 64]) expect(await read(size)).toBe(whole);
});

test('a long event takes no more than its length, in however many pieces it comes', async () => {
  const piece = new TextEncoder().encode('x'.repeat(1000));
  const pieces = Array.from({ length: 8000 }, () => piece);
  const headers = { 'content-type': 'text/event-stream' };
  const send = mendToolInput(async () => new Response(ReadableStream.from(pieces), { headers }));
  const start = cpuTime();
  expect((await (await send('http://127.0.0.1')).text()).length).toBe(8_000_000);
  expect(cpuTime() - start).toBeLessThan(3_000);
});
