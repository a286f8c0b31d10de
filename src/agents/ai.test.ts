import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { AI_WIRES, KEY } from '../../test/agents/ai-wires.ts';
import { type AskOptions, askAgent, makeAgent } from '../../test/agents/ask-agent.ts';
import {
  type Reply,
  type SeenRequest,
  startScriptedServer,
} from '../../test/agents/scripted-server.ts';
import { toAsked, UNLIMITED } from '../types.fixture.ts';
import { AgentError } from '../types.ts';

function setKeys(): void {
  vi.stubEnv('GOOGLE_GENERATIVE_AI_API_KEY', KEY);
  vi.stubEnv('MISTRAL_API_KEY', KEY);
}

const cases = AI_WIRES.flatMap((wire) =>
  [false, true].map((streamed) => ({ ...wire, wire, streamed })),
);

describe.each(cases)('ai:$provider, streamed: $streamed', ({ provider, base, wire, streamed }) => {
  /** Asks a server that refuses what the provider's own would. */
  async function ask(
    script: (attempt: number) => Reply,
    parameters = '',
    options: AskOptions = {},
  ) {
    setKeys();
    const check = (request: SeenRequest): string | null =>
      wire.isStreamed(request) === streamed ? wire.findProblem(request) : 'stream';
    let attempt = 0;
    const server = await startScriptedServer((request) => {
      const problem = check(request);
      attempt += 1;
      return problem === null ? script(attempt) : { status: 400, body: { message: problem } };
    });
    const stream = streamed ? 'on' : 'off';
    const spec = `ai:${provider}/m?base_url=${base(server.url)}&stream=${stream}${parameters}`;
    const outcome: unknown = await askAgent(spec, options).catch((error: unknown) => error);
    return { outcome, requests: server.requests };
  }

  test('answers with tools, usage, and the reasoning and signatures sent back', async () => {
    const code = '6 * 7';
    const { outcome, requests } = await ask((attempt) =>
      wire.say(
        attempt === 1 ? { call: { name: 'calculate', args: { code } } } : { text: '42' },
        streamed,
      ),
    );
    expect(outcome).toMatchObject({
      output: '42',
      steps: 2,
      model: provider === 'google' ? 'm' : 'scripted-model-2026',
      usage: { input_tokens: 200, output_tokens: 20, cached_tokens: 80 },
      trace: [
        {
          tool_calls: [{ name: 'calculate', arguments: JSON.stringify({ code }), result: '= 42' }],
        },
        { text: '42' },
      ],
    });
    if (streamed) expect(outcome).toHaveProperty('firstTokenMs', expect.any(Number));
    expect(JSON.stringify(requests[1]?.body)).toContain('= 42');
    if (streamed) expect(outcome).toHaveProperty('trace.0.reasoning', 'hm');
  });

  test('gets the files that a tool returns, in or after its result', async () => {
    const path = 'test/fixtures/attachments/red.png';
    const call = { name: 'read_attachment', args: { name: 'red.png' } };
    const { outcome, requests } = await ask(
      (attempt) => wire.say(attempt === 1 ? { call } : { text: 'red' }, streamed),
      '',
      { attachments: [{ name: 'red.png', path }] },
    );
    expect(outcome).toMatchObject({
      output: 'red',
      trace: [{ tool_calls: [{ failed: false }] }, {}],
    });
    const told = JSON.stringify(requests[1]?.body);
    const base64 = readFileSync(path, 'base64');
    expect(told.split(base64)).toHaveLength(2);
    const place = {
      google: '"inlineData":{',
      mistral: '"image_url":"data:',
      'openai-compatible': '"url":"data:',
    };
    expect(told).toContain(Reflect.get(place, provider));
  });

  test('asks again after 429, as Retry-After says', async () => {
    const busy = {
      status: 429,
      body: { message: 'slow down' },
      headers: { 'retry-after-ms': '1' },
    };
    const { outcome, requests } = await ask((attempt) =>
      attempt < 3 ? busy : wire.say({ text: '42' }, streamed),
    );
    expect([outcome, requests.length]).toEqual([expect.objectContaining({ output: '42' }), 3]);
    const failed = await ask(() => busy);
    expect(failed.outcome).toMatchObject({
      kind: 'rate_limit',
      status: 429,
      message: expect.stringContaining('slow down'),
    });
    expect(failed.requests).toHaveLength(5);
  });

  test('is an error where a reply with status 200 states one', async () => {
    const { outcome, requests } = await ask(() => wire.fail('no worker', streamed));
    expect(outcome).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('no worker'),
    });
    expect(requests).toHaveLength(1);
  });

  test('ends with its deadline', async () => {
    const over = new AbortController();
    setTimeout(() => over.abort(new AgentError('timed_out', 'late')), 300);
    const { outcome } = await ask(() => ({ fault: 'stalled body' }), '', {
      context: { signal: over.signal },
    });
    expect(outcome).toMatchObject({ kind: 'timed_out' });
  });
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
    const seen = [await ask(), await ask()];
    const refused = {
      kind: 'bad_request',
      message: expect.stringContaining('leaves out the parameter top_k'),
    };
    expect(seen).toMatchObject([refused, refused]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    [
      'ai:google/m?temprature=0',
      '"temprature" ("0") is not a parameter of ai. Did you mean temperature?',
    ],
    ['ai:google/m?provider_options=flex', 'parameter provider_options must be a JSON object'],
    ['ai:gemini', 'name a provider and its model, as in ai:google/MODEL'],
    ['ai:../google/m', 'name a provider and its model'],
    ['ai:openai-compatible/m', 'this provider is any server. Name it'],
    [
      'ai:no-such-provider/m',
      'ai:no-such-provider needs the package @ai-sdk/no-such-provider: npm install -D',
    ],
    ['ai:@standard-schema/spec/m', 'makes no language models'],
  ])('%s is refused', async (spec, problem) => {
    await expect(makeAgent(spec)).rejects.toThrow(problem);
  });
});

test.each([
  [
    'ai:google/m',
    'ai:google: no Google Generative AI API key was found. Set GOOGLE_GENERATIVE_AI_API_KEY.',
  ],
  ['ai:mistral/m', 'ai:mistral: no Mistral API key was found. Set MISTRAL_API_KEY.'],
  ['ai:@ai-sdk/mistral/m', 'ai:mistral: no Mistral API key was found. Set MISTRAL_API_KEY.'],
])('%s names the missing key', async (spec, reason) => {
  for (const name of ['GOOGLE_GENERATIVE_AI_API_KEY', 'MISTRAL_API_KEY'])
    vi.stubEnv(name, undefined);
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
