import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { AI_WIRES, KEY } from '../../test/agents/ai-wires.ts';
import { type AskOptions, askAgent, makeAgent } from '../../test/agents/ask-agent.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import { VERDICT } from '../judge/reply-form.ts';
import { isFields } from '../words/fields.ts';
import { toAsked, UNLIMITED } from '../words/types.fixture.ts';

function setKeys(): void {
  vi.stubEnv('GOOGLE_GENERATIVE_AI_API_KEY', KEY);
  vi.stubEnv('MISTRAL_API_KEY', KEY);
}

const cases = AI_WIRES.flatMap((wire) =>
  [false, true].map((streamed) => ({ ...wire, wire, streamed })),
);

describe.each(cases)('ai:$provider, streamed: $streamed', ({ provider, base, wire, streamed }) => {
  /** Asks a server that refuses what the provider's own would. */
  async function ask(script: (attempt: number) => Reply, options: AskOptions = {}) {
    setKeys();
    const server = await startScriptedServer((request) => {
      const message = wire.isStreamed(request) === streamed ? wire.findProblem(request) : 'stream';
      return message === null ? script(server.requests.length) : { status: 400, body: { message } };
    });
    const stream = streamed ? 'on' : 'off';
    const spec = `ai:${provider}/m?base_url=${base(server.url)}&stream=${stream}`;
    const outcome: unknown = await askAgent(spec, options).catch((error: unknown) => error);
    return { outcome, requests: server.requests };
  }

  test('answers with tools, files, usage, and the reasoning and signatures sent back', async () => {
    const path = 'test/fixtures/attachments/red.png';
    const call = { name: 'read_attachment', args: { name: 'red.png' } };
    const { outcome, requests } = await ask(
      (attempt) => wire.say(attempt === 1 ? { call } : { text: 'red' }, streamed),
      { attachments: [{ name: 'red.png', path }] },
    );
    const shown = 'red.png: png picture';
    const result = expect.stringContaining(shown);
    expect(outcome).toMatchObject({
      output: 'red',
      steps: 2,
      model: provider === 'google' ? 'm' : 'scripted-model-2026',
      usage: { input_tokens: 200, output_tokens: 20, cached_tokens: 80 },
      trace: [
        {
          ...(streamed && { reasoning: 'hm' }),
          tool_calls: [
            { name: call.name, arguments: JSON.stringify(call.args), result, failed: false },
          ],
        },
        { text: 'red' },
      ],
    });
    if (streamed) expect(outcome).toHaveProperty('firstTokenMs', expect.any(Number));
    const sent = JSON.stringify(requests[1]?.body);
    expect(sent).toContain(shown);
    expect(sent.split(readFileSync(path, 'base64'))).toHaveLength(2);
    const place = {
      google: '"inlineData":{',
      mistral: '"image_url":"data:',
      'mistral-v3': '"image_url":"data:',
      'openai-compatible': '"url":"data:',
    };
    expect(sent).toContain(Reflect.get(place, provider));
  });

  const busy = { status: 429, body: { message: 'slow down' }, headers: { 'retry-after-ms': '1' } };

  test.each([
    ['status 429', busy, 'rate_limit', 'slow down'],
    ['status 200', wire.fail('no worker', streamed), 'server', 'no worker'],
  ])('is an error where a reply with %s states one', async (_, reply, kind, message) => {
    const { outcome, requests } = await ask(() => reply);
    expect(outcome).toMatchObject({ kind, message: expect.stringContaining(message) });
    expect(requests).toHaveLength(5);
  });
});

describe('a history', () => {
  /** What is sent after a reply with these calls and this text. */
  async function sentAfter(content: string, calls: readonly object[]) {
    const message = { role: 'assistant', content, tool_calls: calls };
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const wire = AI_WIRES.find(({ provider }) => provider === 'openai-compatible');
    const last = wire?.say({ text: '42' }, false) ?? { body: {} };
    const { url, requests } = await startScriptedServer([{ body }, last]);
    const { output } = await askAgent(`ai:openai-compatible/m?base_url=${url}/v1`);
    expect(output).toBe('42');
    const [, said, ...results] = requests[1]?.body.messages ?? [];
    return { said, results };
  }

  const call = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  });

  test('has an id of its own for each call, and one result', async () => {
    const code = '{"code":"6 * 7"}';
    const calls = ['same', 'same', ''].map((id) => call(id, 'calculate', code));
    const { said, results } = await sentAfter('', calls);
    const ids = said.tool_calls.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain('');
    expect(results.map((each: object) => Reflect.get(each, 'tool_call_id'))).toEqual(ids);
  });

  test.each([
    ['no JSON', 'calculate', '{"code":', 'not valid JSON'],
    ['no object', 'calculate', '["6 * 7"]', 'must be a JSON object'],
    ['an unknown tool', 'guess', '{}', 'there is no tool "guess"'],
  ])('has an object as arguments and the error of a call with %s', async (_, name, args, error) => {
    const { said, results } = await sentAfter(' ', [call('a', name, args)]);
    expect(isFields(JSON.parse(said.tool_calls[0].function.arguments))).toBe(true);
    expect(said.content ?? '').toBe('');
    expect(results).toMatchObject([{ content: expect.stringContaining(error) }]);
  });
});

test('judges see the files of a question', async () => {
  const { url, requests } = await startScriptedServer([{ status: 400, body: {} }]);
  const agent = await makeAgent(`ai:openai-compatible/m?base_url=${url}/v1`, {
    format: VERDICT.format,
  });
  const attachments = [{ name: 'red.png', path: 'test/fixtures/attachments/red.png' }];
  await Promise.resolve(agent.answer(toAsked('?', { attachments }), UNLIMITED)).catch(() => null);
  expect(JSON.stringify(requests[0]?.body)).toContain('"url":"data:');
});

describe('parameters', () => {
  async function askOf(provider: string, parameters: string) {
    setKeys();
    const wire = AI_WIRES.find((each) => each.provider === provider);
    const server = await startScriptedServer([wire?.say({ text: '42' }, false) ?? { body: {} }]);
    const spec = `ai:${provider}/m?base_url=${wire?.base(server.url)}${parameters}`;
    const agent = await makeAgent(spec);
    const ask = async (): Promise<unknown> =>
      Promise.resolve(agent.answer(toAsked('?'), UNLIMITED)).catch((error: unknown) => error);
    return { ask, requests: server.requests };
  }

  test('are sent as the provider calls them', async () => {
    const all = 'temperature=0.5&top_p=0.9&top_k=3&seed=7&max_tokens=99&reasoning_effort=low';
    const options = encodeURIComponent('{"google":{"safetySettings":[]}}');
    const { ask, requests } = await askOf('google', `&${all}&provider_options=${options}`);
    expect(await ask()).toMatchObject({ output: '42' });
    expect(requests[0]?.body).toMatchObject({
      safetySettings: [],
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        topK: 3,
        seed: 7,
        maxOutputTokens: 99,
        thinkingConfig: expect.anything(),
      },
    });
  });

  test('that a package leaves out end all questions', async () => {
    const { ask, requests } = await askOf('mistral', '&top_k=3');
    const message = expect.stringContaining('leaves out the parameter top_k');
    for (const _ of [1, 2]) expect(await ask()).toMatchObject({ kind: 'bad_request', message });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['ai:google/m?pdf=on', '"pdf" ("on") is not a parameter of ai. Did you mean pdfs?'],
    ['ai:google/m?provider_options=flex', 'parameter provider_options must be a JSON object'],
    ['ai:gemini', 'name a provider and its model, as in ai:google/MODEL'],
    ['ai:../google/m', 'name a provider and its model'],
    ['ai:openai-compatible/m', 'this provider is any server. Name it'],
    [
      'ai:no-such-provider/m',
      'ai:no-such-provider needs the package @ai-sdk/no-such-provider: pnpm add -D',
    ],
    ['ai:@standard-schema/spec/m', 'makes no language models'],
  ])('%s is refused', async (spec, problem) => {
    await expect(makeAgent(spec)).rejects.toThrow(problem);
  });
});

test.each([
  ['ai:google/m', 'google', 'Google Generative AI', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ['ai:mistral/m', 'mistral', 'Mistral', 'MISTRAL_API_KEY'],
  ['ai:@ai-sdk/mistral/m', 'mistral', 'Mistral', 'MISTRAL_API_KEY'],
])('%s names the missing key', async (spec, provider, name, variable) => {
  const reason = `ai:${provider}: no ${name} API key was found. Set ${variable}.`;
  for (const key of ['GOOGLE_GENERATIVE_AI_API_KEY', 'MISTRAL_API_KEY']) vi.stubEnv(key, undefined);
  expect(await makeAgent(spec)).toMatchObject({ name: spec, notReadyReason: reason });
});

test.each([
  ['ai:google/gemini-2.5-flash', true, undefined],
  ['ai:mistral/mistral-large-latest', true, undefined],
  ['ai:mistral/no-such-model', false, undefined],
  ['ai:google/gemini-2.5-flash?base_url=http://127.0.0.1:9', false, 'http://127.0.0.1:9/models/'],
])('%s has list prices: %s', async (spec, priced, server) => {
  setKeys();
  const agent = await makeAgent(spec);
  expect([agent.priced, agent.server]).toEqual([priced, server]);
});
