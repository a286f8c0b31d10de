import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { APIS, apiOf, specOf } from '../../test/agents/apis.ts';
import { askAgent, makeAgent } from '../../test/agents/ask-agent.ts';
import { messages, responses } from '../../test/agents/replies.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import { oddServer } from '../../test/mcp/open-odd.ts';
import type { Api } from '../../test/wire/request.ts';
import { B } from '../../test/wire/row.ts';
import { startStrictServer } from '../../test/wire/strict-server.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';
import { openServers } from '../tools/mcp/server.ts';
import type { Answer } from '../words/answer.ts';
import { textsOf } from '../words/types.fixture.ts';

/** Settings with one server of this behaviour. The server ends with the test. */
function odd(mode: string, name = 'odd'): McpSettings {
  const settings = { file: '.mcp.json', servers: [{ ...oddServer(mode), name }] };
  onTestFinished(async () => {
    for (const { close } of await openServers(settings).catch(() => [])) await close();
  });
  return settings;
}

test('calls the tools of an MCP server and says where attachments are', async () => {
  const { base, call, text } = apiOf('openai');
  const server = await startScriptedServer([call('odd__echo', { text: 'hi' }), text('42')]);
  const { trace } = await askAgent(`openai:m?base_url=${base(server.url)}`, {
    setting: { tools: { mcp: odd('good') } },
    attachments: [{ name: 'attachment.txt', path: '/work/attachment.txt' }],
    context: { workdir: '/work' },
  });
  expect(trace?.[0]?.tool_calls).toMatchObject([
    { name: 'odd__echo', result: 'you said hi', failed: false },
  ]);
  const [first, second] = server.requests.map(({ body }) => JSON.stringify(body));
  expect(first).toContain('are in the folder /work, for tools that take a path');
  expect(second).toContain('you said hi');
});

test('the fingerprint depends on the tools that MCP servers list, in whatever order', async () => {
  const makers = [{}, { mcp: odd('good') }, { mcp: odd('chatty') }, { mcp: odd('good', 'other') }];
  const agents = await Promise.all(makers.map((tools) => makeAgent('openai:m', { tools })));
  const [none, good, same, other] = agents.map(({ fingerprint }) => fingerprint);
  expect([none, other]).not.toContain(good);
  expect(good).toBe(same);
});

async function ask(kind: string, parameters: string, script: readonly Reply[]) {
  const server = await startScriptedServer(script);
  const answer = await askAgent(`${kind}:m?base_url=${apiOf(kind).base(server.url)}${parameters}`);
  return { answer, requests: server.requests };
}

/** Name, arguments, result and failure of each call in the first step. */
const callsOf = ({ trace = [] }: Answer) =>
  trace[0]?.tool_calls.map((call) => [call.name, call.arguments, call.result, call.failed]);

const BLOCKED = ['huggingface.co', 'hf.co', 'hf-mirror.com'];

describe("a provider's own tools", () => {
  test('are requested in the form of the Responses API', async () => {
    const { requests } = await ask('openai', '&web_search=on&code_execution=on', [
      responses.text('42'),
    ]);
    expect(requests[0]?.body.tools.slice(-2)).toEqual([
      { type: 'web_search' },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ]);
    expect(requests[0]?.body.include).toEqual([
      'reasoning.encrypted_content',
      'web_search_call.action.sources',
      'code_interpreter_call.outputs',
    ]);
  });

  test('are requested in the form of the Messages API, without the sites with copies of GAIA', async () => {
    const parameters = '&web_search=on&web_fetch=web_fetch_20260318&code_execution=on';
    const { requests } = await ask('anthropic', parameters, [messages.text('42')]);
    expect(requests[0]?.body.tools.slice(-3)).toEqual([
      { type: 'web_search_20250305', name: 'web_search', blocked_domains: BLOCKED },
      {
        type: 'web_fetch_20260318',
        name: 'web_fetch',
        blocked_domains: BLOCKED,
        max_content_tokens: 30_000,
      },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ]);
  });

  test('work without the tools of viva', async () => {
    const { requests } = await ask('openai', '&tools=off&web_search=on', [responses.text('42')]);
    expect(requests[0]?.body.tools).toEqual([{ type: 'web_search' }]);
  });

  test('calls of the Responses API are sent back with the reasoning, and are in the trace', async () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'tea' },
    };
    const code = {
      type: 'code_interpreter_call',
      id: 'ci_1',
      code: '1+1',
      outputs: [{ type: 'logs', logs: '2' }],
    };
    const call = { type: 'function_call', call_id: 'c1', name: 'sum', arguments: '{}' };
    const first = responses.text('', { output: [search, code, call] });
    const { answer, requests } = await ask('openai', '&web_search=on', [
      first,
      responses.text('42'),
    ]);
    expect(requests[1]?.body.input.slice(1, 4)).toEqual([search, code, call]);
    expect(callsOf(answer)).toEqual([
      ['web_search', '{"type":"search","query":"tea"}', null, false],
      ['code_interpreter', '1+1', '[{"type":"logs","logs":"2"}]', false],
      ['sum', '{}', expect.any(String), true],
    ]);
  });

  test('calls of the Messages API are in the trace, and a cited sentence stays in one piece', async () => {
    const results = [{ type: 'web_search_result', url: 'http://h/', encrypted_content: 'xyz' }];
    const reply = messages.blocks([
      { type: 'text', text: 'Let me look.' },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'tea' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: results },
      { type: 'server_tool_use', id: 's2', name: 'web_fetch', input: { url: 'http://h/' } },
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 's2',
        content: { type: 'e', error_code: 'url_not_accessible' },
      },
      { type: 'text', text: 'FINAL ANSWER: ' },
      { type: 'text', text: '42', citations: [{ type: 'web_search_result_location' }] },
    ]);
    const { answer } = await ask('anthropic', '&web_search=on', [reply]);
    expect(answer.output).toBe('Let me look.\nFINAL ANSWER: 42');
    const found = '[{"type":"web_search_result","url":"http://h/"}]';
    const refused = '{"type":"e","error_code":"url_not_accessible"}';
    expect(callsOf(answer)).toEqual([
      ['web_search', '{"query":"tea"}', found, false],
      ['web_fetch', '{"url":"http://h/"}', refused, true],
    ]);
  });

  test('code of the Messages API goes on in the container of the reply before, after a pause too', async () => {
    const paused = messages.blocks([{ type: 'text', text: 'wait' }], {
      stop_reason: 'pause_turn',
      container: { id: 'cont_1', expires_at: 'x' },
    });
    const script = [paused, messages.calls([{ name: 'sum', args: {} }]), messages.text('42')];
    const { requests } = await ask('anthropic', '&code_execution=on', script);
    expect(requests.map(({ body }) => body.container)).toEqual([undefined, 'cont_1', 'cont_1']);
    expect(requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'assistant' });
  });
});

describe('what an agent may use', () => {
  const own = ['calculate', 'read_attachment', 'fetch_page'];

  test.each([
    ['openai:m', own, [], 'on'],
    ['openai:m?web_search=on', own, ['web_search'], 'in part'],
    [
      'openai:m?code_execution=on&fetch_page=off',
      ['calculate', 'read_attachment'],
      ['code_interpreter'],
      'no web',
    ],
    ['openai-chat:m?tools=off', [], [], 'no web'],
    ['anthropic:m?web_search=on', own, ['web_search_20250305'], 'on'],
  ])('%s is recorded with its leak guard', async (spec, own, hosted, leak_guard) => {
    expect((await makeAgent(spec)).tools).toEqual({ own, hosted, mcp: [], leak_guard });
  });

  test('is described in a note for the report', async () => {
    const { notes } = await makeAgent('openai:m?web_search=on');
    expect(textsOf(notes)).toEqual([
      "tools: calculate, read_attachment, fetch_page, the provider's web_search; " +
        "costs do not include the provider's fees for its tools.",
    ]);
  });
});

/** A model that the price package knows at each provider. */
const MODELS: Readonly<Record<string, string>> = { anthropic: 'claude-haiku-4-5' };

const modelOf = (kind: string) => specOf(kind, MODELS[kind] ?? 'gpt-4o');

/** Asks a loopback server that the agent takes for the provider. */
async function askProvider(kind: string, parameters = '') {
  vi.stubEnv('OPENAI_BASE_URL', undefined);
  vi.stubEnv('ANTHROPIC_BASE_URL', undefined);
  const server = await startScriptedServer([apiOf(kind).text('42')]);
  const redirect: typeof globalThis.fetch = (input, init) =>
    fetch(new URL(new URL(String(input)).pathname, server.url), init);
  return askAgent(modelOf(kind) + parameters, { setting: { fetch: redirect } });
}

test.each(APIS)('the cost of $kind is estimated at the provider alone', async (api) => {
  const cost = expect.any(Number);
  expect(await askProvider(api.kind)).toMatchObject({
    output: '42',
    costUsd: cost,
    costEstimated: true,
  });
  const server = await startScriptedServer([api.text('42')]);
  const answer = await askAgent(`${modelOf(api.kind)}?base_url=${api.base(server.url)}`);
  expect(answer).not.toHaveProperty('costUsd');
  expect(answer).not.toHaveProperty('costEstimated');
  expect(answer).toHaveProperty('usage');
});

test('the cost is not known for a tier that the list has no price of', async () => {
  expect(await askProvider('openai', '?service_tier=flex')).not.toHaveProperty('costUsd');
  expect(await askProvider('openai', '?service_tier=default')).toHaveProperty('costUsd');
});

test.each<[string, string, string]>([
  ...APIS.map(({ kind }): [string, string, string] => [kind, 'm', '']),
  // The SDK prints warnings about these.
  ['anthropic', 'claude-sonnet-4-5', ''],
  ['anthropic', 'claude-opus-4-6', '&thinking_budget=1024'],
])('%s with the model %s prints nothing', async (kind, model, parameters) => {
  const { base } = apiOf(kind);
  const printed: unknown[] = [];
  for (const stream of [process.stderr, process.stdout])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(chunk) > 0);
  for (const method of ['warn', 'error', 'log', 'info'] as const)
    vi.spyOn(console, method).mockImplementation((...values) => void printed.push(values));
  const { url } = await startStrictServer(kind.replace('ai:', '') as Api, [B, B]);
  for (const stream of ['off', 'on'])
    await askAgent(`${specOf(kind, model)}?base_url=${base(url)}&stream=${stream}${parameters}`);
  vi.restoreAllMocks();
  expect(printed).toEqual([]);
});
