import { describe, expect, test } from 'vitest';
import type { Tool } from '../tools/tool.ts';
import type { TokenCounts } from '../words/answer.ts';
import { converse, type ModelReply, type ToolCall, Transcript } from './converse.ts';
import { toSent } from './returned-answer.ts';

const counts: TokenCounts = {
  input_tokens: 10,
  output_tokens: 2,
  cached_tokens: 4,
  reasoning_tokens: 1,
  cache_write_tokens: 3,
};
const reply: ModelReply = {
  text: 'x',
  incompleteReason: null,
  reasoning: null,
  calls: [],
  stop: 'stop',
  usage: counts,
  model: null,
};

/**
 * Replies with the given number of tool calls, then a reply without any. Returns the results that
 * the model got.
 */
async function callMany(count: number, tool: Tool, signal = new AbortController().signal) {
  const calls = Array.from(
    { length: count },
    (_, id): ToolCall => ({ id: String(id), name: 'wait', arguments: '{}', input: {} }),
  );
  const replies = [{ ...reply, text: null, calls }, reply];
  const outputs: string[] = [];
  const conversation = {
    ask: async () => replies.shift() ?? reply,
    addResults: (results: readonly { readonly result: { readonly output: string } }[]) => {
      outputs.push(...results.map(({ result }) => result.output));
    },
  };
  const asked = {
    model: 'm',
    messages: [],
    stream: false,
    server: 'h',
    shown: [],
    received: () => null,
    repeat: <T>(send: () => Promise<T>) => send(),
    onStep: () => {},
    onToken: () => {},
  };
  const context = { signal, attachments: [] };
  await converse(conversation, {
    ...asked,
    transcript: new Transcript('m', null, toSent('', [])),
    tools: [tool],
    context,
    maxSteps: 5,
  });
  return outputs;
}

function makeTool(run: () => Promise<string>): Tool {
  return { name: 'wait', description: 'Waits.', schema: { type: 'object' }, run };
}

test('runs eight calls of a reply at a time', async () => {
  let [running, most] = [0, 0];
  const tool = makeTool(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return 'ok';
  });
  const outputs = await callMany(200, tool);
  expect({ most, outputs }).toEqual({ most: 8, outputs: Array(200).fill('ok') });
});

test('runs no call that waits once the sample is over', async () => {
  const over = new AbortController();
  let ran = 0;
  const tool = makeTool(async () => {
    ran += 1;
    over.abort(new Error('the deadline'));
    return 'late';
  });
  await expect(callMany(50, tool, over.signal)).rejects.toThrow('the deadline');
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toBeLessThanOrEqual(8);
});

function transcribe(
  replies: readonly ModelReply[],
  price: ((counts: TokenCounts) => number) | null = null,
) {
  const transcript = new Transcript('m', price, toSent('6 * 7?', ['calculate']));
  for (const each of replies) transcript.add(each);
  return transcript.toAnswer(0);
}

describe('Transcript', () => {
  test('does not know the cost when a request was not counted, or no price is known', () => {
    expect(transcribe([reply, { ...reply, usage: null }], () => 1)).not.toHaveProperty('costUsd');
    expect(transcribe([reply])).not.toHaveProperty('costUsd');
    expect(transcribe([], () => 1)).not.toHaveProperty('costUsd');
  });

  test('tells when the first token came, without the waiting before it', () => {
    const transcript = new Transcript('m', null, toSent('6 * 7?', []));
    expect(transcript.toAnswer(0)).not.toHaveProperty('firstTokenMs');
    transcript.addToken(1e9);
    transcript.addToken(-1e9);
    expect(transcript.toAnswer(0)).toMatchObject({ firstTokenMs: 0 });
  });

  test('tells what was sent, and the cost and time of each reply', () => {
    const answer = transcribe([reply, { ...reply, usage: null }], () => 0.25);
    expect(answer.sent).toEqual({
      messages: [{ role: 'user', text: '6 * 7?' }],
      tools: ['calculate'],
    });
    expect(answer.trace).toMatchObject([
      { cost_usd: 0.25, at_ms: expect.any(Number) },
      { usage: null },
    ]);
    expect(answer.trace?.[1]).not.toHaveProperty('cost_usd');
  });

  test('names the files that a tool showed, with their size', () => {
    const call = { id: 'c', name: 'read_attachment', arguments: '{}', input: {} };
    const transcript = new Transcript('m', null, toSent('', []));
    transcript.add({ ...reply, calls: [call] });
    const media = [
      { kind: 'image' as const, mediaType: 'image/png', name: 'a.png', base64: 'AAAA' },
    ];
    transcript.addResult(call, { output: 'a picture', media, failed: false });
    const { trace } = transcript.toProgress(0);
    expect(trace).toMatchObject([
      { tool_calls: [{ result: 'a picture', files: [{ name: 'a.png', bytes: 3 }] }] },
    ]);
    expect(JSON.stringify(trace)).not.toContain('AAAA');
  });

  test('cuts the trace, not the answer, and keeps it JSON', () => {
    const call = { id: 'c', name: 'calculate', arguments: 'x'.repeat(100_000), input: {} };
    const text = `${'a'.repeat(50_000)}\uD800${'b'.repeat(50_000)}`;
    const answer = transcribe([{ ...reply, text, calls: [call] }]);
    expect(answer.output).toBe(text);
    expect(JSON.stringify(answer.trace).length).toBeLessThan(30_000);
    expect(answer.trace?.[0]?.text).toContain('[... 80001 characters left out ...]');
    expect(JSON.parse(JSON.stringify(answer.trace))).toEqual(answer.trace);
  });
});
