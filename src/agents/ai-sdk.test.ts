import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, Output, streamText, ToolLoopAgent, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { chat } from '../../test/agents/replies.ts';
import { startServer } from '../../test/loopback-server.ts';
import type { Progress } from '../words/answer.ts';
import { STEP, toAsked, UNLIMITED } from '../words/types.fixture.ts';
import { aiSdk } from './ai-sdk.ts';
import { createOwnAgent } from './module.ts';

const SPENT = {
  inputTokens: { total: 1000, noCache: 600, cacheRead: 400, cacheWrite: 0 },
  outputTokens: { total: 100, text: 60, reasoning: 40 },
};
const USAGE = { input_tokens: 1000, output_tokens: 100, cached_tokens: 400, reasoning_tokens: 40 };
const COST = 0.00015 + 0.00001 + 0.0002;
const CALL = { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'add', input: '{"a":1}' };

/** A model that thinks and calls a tool, and then says `said`. It pauses before a stream's first text. */
function makeModel(said: string, isFirst = true, modelId = 'gpt-5-mini') {
  let asked = isFirst ? 0 : 1;
  const next = () => {
    const isCall = asked++ === 0;
    const unified = isCall ? ('tool-calls' as const) : ('stop' as const);
    const type = isCall ? ('reasoning' as const) : ('text' as const);
    const text = { type, text: isCall ? 'hm' : said };
    return { text, isCall, finishReason: { unified, raw: unified } };
  };
  const response = { id: 'r', modelId };
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    doGenerate: async () => {
      const { text, isCall, finishReason } = next();
      const content = isCall ? [text, CALL] : [text];
      return { content, finishReason, usage: SPENT, warnings: [], response };
    },
    doStream: async () => {
      const { text, isCall, finishReason } = next();
      const type = text.type;
      const parts = [
        { type: 'stream-start' as const, warnings: [] },
        { type: 'response-metadata' as const, ...response },
        { type: `${type}-start` as const, id: '1' },
        { type: `${type}-delta` as const, id: '1', delta: text.text },
        { type: `${type}-end` as const, id: '1' },
        ...(isCall ? [CALL] : []),
        { type: 'finish' as const, finishReason, usage: SPENT },
      ];
      return { stream: convertArrayToReadableStream(parts) };
    },
  });
}

const broken = tool({
  inputSchema: z.object({ a: z.number() }),
  execute: async (): Promise<string> => {
    throw new Error('no sum');
  },
});

function ask(agent: unknown, onProgress: (progress: Progress) => void = () => {}) {
  const own = createOwnAgent(agent, null, 's', import.meta.filename);
  return own.answer(toAsked('What is 1+2?'), { ...UNLIMITED, onProgress });
}

const many = { tools: { add: broken }, stopWhen: isStepCount(5) };
const loop = () => new ToolLoopAgent({ model: makeModel('3'), ...many });

test.each([
  [
    'generateText',
    aiSdk(({ prompt }, options) =>
      generateText({ model: makeModel('3'), ...many, prompt, ...options }),
    ),
  ],
  [
    'streamText',
    aiSdk(({ messages }, options) =>
      streamText({ model: makeModel('3'), ...many, messages, ...options }),
    ),
  ],
  ['agent.generate', aiSdk(({ prompt }, options) => loop().generate({ prompt, ...options }))],
  ['agent.stream', aiSdk(({ messages }, options) => loop().stream({ messages, ...options }))],
])('takes text, steps, failed tools, tokens and cost from %s', async (name, agent) => {
  const seen: Progress[] = [];
  const { trace, firstTokenMs, ...said } = await ask(agent, (progress) => seen.push(progress));
  expect(said).toMatchObject({
    ...{ output: '3', model: 'gpt-5-mini', steps: 2, usage: { input_tokens: 2000 } },
    ...{ costUsd: expect.closeTo(2 * COST, 8), costEstimated: true },
  });
  const call = { name: 'add', arguments: '{"a":1}', result: 'Error: no sum', failed: true };
  const each = { ...STEP, usage: USAGE, at_ms: expect.any(Number) };
  expect(trace).toEqual([
    { ...each, reasoning: 'hm', tool_calls: [call], stop: 'tool-calls' },
    { ...each, text: '3', stop: 'stop' },
  ]);
  expect(firstTokenMs).toEqual(/stream/.test(name) ? expect.any(Number) : undefined);
  expect(seen[0]).toMatchObject({ steps: 1, usage: USAGE, costUsd: expect.closeTo(COST, 8) });
});

const sum = Output.object({ schema: z.object({ sum: z.number() }) });
const asObject = (said: string) =>
  aiSdk(({ prompt }, options) =>
    generateText({ model: makeModel(said, false), output: sum, prompt, ...options }),
  );

test('returns an object, and no answer where the model returns a different one', async () => {
  expect(await ask(asObject('{"sum":3}'))).toMatchObject({ output: { sum: 3 }, steps: 1 });
  expect(await ask(asObject('{"sum":"three"}'))).toMatchObject({
    ...{ output: null, reason: 'schema', usage: USAGE, costUsd: expect.closeTo(COST, 8) },
    trace: [{ text: '{"sum":"three"}' }],
  });
});

const OF_5 = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 400, reasoningTokens: 40 };

test.each<[string, string, object, boolean]>([
  // As ai 5.0.277 and ai 6.0.326 give them.
  ['5 by its metadata', 'gpt-5-mini', { providerMetadata: { openai: { responseId: 'r' } } }, true],
  ['5 without metadata by its maker', 'gpt-5-mini', { providerMetadata: undefined }, true],
  ['5 of a server without prices', 'gpt-5-mini', { providerMetadata: { 'made-up': {} } }, false],
  ['5 of an unknown model', 'made-up-1', {}, false],
  ['6', 'gpt-5-mini', { model: { provider: 'openai.chat', modelId: 'gpt-5-mini' } }, true],
  ['6 of a server without prices', 'gpt-5-mini', { model: { provider: 'made-up.chat' } }, false],
])('prices a step of AI SDK %s', async (_, modelId, of, isPriced) => {
  const content = [{ type: 'text', text: '3' }];
  const step = { content, finishReason: 'stop', usage: OF_5, response: { modelId }, ...of };
  const { costUsd, usage } = await ask(aiSdk(() => ({ text: '3', steps: [step] })));
  expect(usage).toEqual(USAGE);
  expect(costUsd).toEqual(isPriced ? expect.closeTo(COST, 8) : undefined);
});

test('has no cost without a price, and uses the price that the user gives', async () => {
  const model = makeModel('3', false, 'mine-1');
  const prices = { 'mine-1': { input: 1, output: 10 } };
  const call = ({ prompt }: { prompt: string }) => generateText({ model, prompt });
  expect(await ask(aiSdk(call))).not.toHaveProperty('costUsd');
  expect(await ask(aiSdk(call, { prices }))).toMatchObject({ costUsd: expect.closeTo(0.002, 8) });
});

test('blames the provider for the error of a stream', async () => {
  const doStream = async () => {
    throw Object.assign(new Error('slow down'), { statusCode: 429 });
  };
  const model = new MockLanguageModelV4({ doStream });
  const agent = aiSdk(({ prompt }, options) =>
    streamText({ model, prompt, onError: () => {}, ...options }),
  );
  await expect(ask(agent)).rejects.toMatchObject({ kind: 'rate_limit', status: 429 });
});

test("reads calls, tokens and a busy server from a provider's package", async () => {
  let isBusy = false;
  const replies = [chat.calls([{ id: 'c1', name: 'add', args: '{"a":1}' }]), chat.text('3')];
  const baseURL = await startServer((_, response) => {
    const { body } = (isBusy ? undefined : replies.shift()) ?? { body: {} };
    response.writeHead(isBusy ? 429 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const model = createOpenAICompatible({ name: 'made-up', baseURL })('scripted-model');
  const agent = aiSdk(({ prompt }, options) =>
    generateText({ model, ...many, prompt, maxRetries: 0, ...options }),
  );
  const usage = { input_tokens: 200, cached_tokens: 80, output_tokens: 20, reasoning_tokens: 8 };
  expect(await ask(agent)).toMatchObject({
    ...{ output: '3', model: 'scripted-model-2026', steps: 2, usage },
    trace: [{ tool_calls: [{ name: 'add', result: 'Error: no sum', failed: true }] }, {}],
  });
  isBusy = true;
  await expect(ask(agent)).rejects.toMatchObject({ kind: 'rate_limit', status: 429 });
});
