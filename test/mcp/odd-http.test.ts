import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { McpServer } from '../../src/tools/mcp/mcp-file.ts';
import { openServer } from '../../src/tools/mcp/server.ts';
import { runTool, type ToolContext } from '../../src/tools/tool.ts';
import { type Reply, startScriptedServer } from '../agents/scripted-server.ts';
import { startSite } from '../page-site.ts';

const KEY = 'abcdefgh-1234';
const LIMITS = { startMs: 2_500, callMs: 2_500, pauseMs: 10 };

const at = (url: string): McpServer => ({
  kind: 'http',
  name: 'remote',
  url: `${url}/mcp`,
  headers: { Authorization: `Bearer ${KEY}` },
  secrets: [`Bearer ${KEY}`, KEY],
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  [
    'refuses the key',
    (response) => response.writeHead(401).end(`bad key ${KEY}`),
    /it did not start: .*bad key \[key\]/,
  ],
  [
    'sends no JSON',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    /JSON/,
  ],
  ['never answers', () => {}, /it did not start: .*timed out/],
  [
    'leads elsewhere',
    (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    /did not start/,
  ],
])('a server over HTTP that %s is a clear state', async (_, answer, message) => {
  const site = await startSite({ '/mcp': answer });
  const error: unknown = await openServer(at(site.url), LIMITS).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(message);
  expect(String(error)).not.toContain(KEY);
});

/** An MCP server over HTTP that answers the calls of its tool as it is told. */
async function openRemote(
  onCall: (count: number, id: unknown) => Reply,
  callMs = LIMITS.callMs,
  onGet: () => Reply = () => ({ body: '', status: 405 }),
) {
  let sessions = 0;
  let calls = 0;
  const server = await startScriptedServer(({ body }) => {
    if (body === null) return onGet();
    if (body.id === undefined) return { body: '', status: 202 };
    const reply = (result: unknown) => ({ body: { jsonrpc: '2.0', id: body.id, result } });
    if (body.method === 'tools/list')
      return reply({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    if (body.method === 'tools/call') return onCall(++calls, body.id);
    if (body.method === 'ping') return reply({});
    sessions++;
    const serverInfo = { name: 'r', version: '3' };
    const { body: hello } = reply({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo,
    });
    return { body: hello, headers: { 'mcp-session-id': `s${sessions}` } };
  });
  const { tools, close } = await openServer(at(server.url), { ...LIMITS, callMs });
  onTestFinished(close);
  const call = (context: Partial<ToolContext> = {}) =>
    runTool(tools, 'remote__a', '', {
      signal: new AbortController().signal,
      attachments: [],
      ...context,
    });
  /** The errors with which a call ends its sample. */
  const callInVain = async () => {
    const errors: Error[] = [];
    await call({ giveUp: (error) => errors.push(error) });
    return errors;
  };
  return {
    call,
    callInVain,
    sessions: () => sessions,
    calls: () => calls,
    requests: server.requests,
  };
}

const textResult = (id: unknown, text: string) => ({
  body: { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } },
});

test.each([
  [400, 'Bad Request: No valid session ID provided'],
  [404, ''],
])(
  'the key goes with each request, and a session that is lost (%i) is begun anew',
  async (status, body) => {
    const { call, sessions, requests } = await openRemote((count, id) =>
      count === 2 ? { body, status } : textResult(id, `call ${count}`),
    );
    expect((await call()).output).toBe('call 1');
    expect((await call()).output).toBe('call 3');
    expect((await call()).output).toBe('call 4');
    expect(sessions()).toBe(3);
    expect(requests.filter(({ headers }) => headers.authorization !== `Bearer ${KEY}`)).toEqual([]);
  },
);

describe('a busy server over HTTP', () => {
  test.each([429, 503])('that answers %i is asked again, and has not ended', async (status) => {
    const { call, sessions } = await openRemote((count, id) =>
      count <= 12 ? { body: 'busy', status } : textResult(id, 'at last'),
    );
    const heard: unknown[] = [];
    const onBackOff: ToolContext['onBackOff'] = (why, until) => heard.push([why, until]);
    const results = await Promise.all(Array.from({ length: 8 }, () => call({ onBackOff })));
    expect(results.map(({ output }) => output)).toEqual(Array(8).fill('at last'));
    expect(sessions()).toBe(1);
    const kind = status === 429 ? 'rate_limit' : 'server';
    expect(heard).toEqual(
      Array(12).fill([
        { kind, status, requestId: null, server: 'remote, over MCP' },
        expect.any(Promise),
      ]),
    );
  });

  test('that stays busy ends the sample, and no other', async () => {
    const { call, callInVain, calls } = await openRemote((count, id) =>
      count <= 6 ? { body: `busy ${KEY}`, status: 503 } : textResult(id, 'at last'),
    );
    const message = expect.stringContaining('503: busy [key]');
    expect(await callInVain()).toMatchObject([{ kind: 'server', status: 503, message }]);
    expect(calls()).toBe(6);
    expect((await call()).output).toBe('at last');
  });

  test.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])(
    'that asks for a longer pause than is waited for (%s) ends the sample at once',
    async (pause) => {
      const reply = { body: '', status: 429, headers: { 'retry-after': pause } };
      const { callInVain, calls } = await openRemote(() => reply);
      expect(await callInVain()).toMatchObject([{ kind: 'rate_limit', status: 429 }]);
      expect(calls()).toBe(1);
    },
  );
});

describe('a status over HTTP', () => {
  const elsewhere = { location: 'http://127.0.0.1:9/' };

  test.each<[number, Readonly<Record<string, string>>, string]>([
    [401, {}, 'it answered 401: no [key].'],
    [307, elsewhere, 'it answered 307: Redirect to http://127.0.0.1:9/ not followed'],
  ])(
    '%i ends its sample, is not repeated, and costs no connection',
    async (status, headers, problem) => {
      const { call, callInVain, calls, sessions } = await openRemote((count, id) =>
        count === 1 ? { body: `no ${KEY}.`, status, headers } : textResult(id, 'at last'),
      );
      const message = expect.stringContaining(
        `The MCP server "remote" refused a call of "a": ${problem}`,
      );
      expect(await callInVain()).toMatchObject([{ kind: 'server', status, message }]);
      expect((await call()).output).toBe('at last');
      expect([calls(), sessions()]).toEqual([2, 1]);
    },
  );

  test('that redirects is followed within the origin alone, since the headers contain keys', async () => {
    const other = await startScriptedServer(() => ({ body: 'other' }));
    const { callInVain, calls } = await openRemote((count) => {
      return { body: '', status: 308, headers: { location: count < 3 ? '/mcp/' : other.url } };
    });
    expect(await callInVain()).toMatchObject([{ status: 308 }]);
    expect([calls(), other.requests]).toEqual([3, []]);
  });
});

test('a reply over HTTP of more than 20 MB is told to the model, and costs no connection', async () => {
  const { call, sessions } = await openRemote(
    (count, id) => textResult(id, 'x'.repeat(count === 1 ? 21_000_000 : 9)),
    120_000,
  );
  expect((await call()).output).toMatch(/gave no result: it sent more than 20 MB/);
  expect((await call()).output).toBe('xxxxxxxxx');
  expect(sessions()).toBe(1);
});

const EVENTS = { 'content-type': 'text/event-stream' };

const LOST_TWICE = 'lost twice during a call of "a": its reply ended without an answer';

test.each<[string, () => Reply, string]>([
  [
    'an event that never ends, before its time is up',
    () => ({ body: 'data: '.padEnd(21_000_000, 'x'), headers: EVENTS }),
    'it sent more than 20 MB',
  ],
  ['a broken connection', () => ({ fault: 'reset' }), '"remote" was lost twice'],
  ['a reply without content', () => ({ body: '', status: 202 }), LOST_TWICE],
  ['a reply to another call', () => textResult('other', 'x'), LOST_TWICE],
  ['a stream without events', () => ({ body: '', headers: EVENTS }), LOST_TWICE],
  [
    'a stream of other events',
    () => ({ body: ': a\n\ndata: {}\n\n', headers: EVENTS }),
    LOST_TWICE,
  ],
  ['half an event', () => ({ body: 'event: message\ndata: {"json', headers: EVENTS }), LOST_TWICE],
  [
    'a stream that breaks off',
    () => ({ body: 'data: {}\n\n', headers: EVENTS, cut: 6 }),
    LOST_TWICE,
  ],
  [
    'a stream that cannot be gone on with',
    () => ({ body: 'id: 1\ndata:\n\n', headers: EVENTS }),
    'lost twice during a call of "a": MCP error -32000: Connection closed; its reply ended without an answer',
  ],
])('%s, at both calls over HTTP, is said to be lost', async (_, reply, problem) => {
  const { callInVain, calls } = await openRemote(reply, 120_000);
  const message = expect.stringContaining(problem);
  expect(await callInVain()).toMatchObject([{ kind: 'server', message }]);
  expect(calls()).toBe(2);
});

test('a call whose reply is lost is repeated, and others of its session go on', async () => {
  const { call, sessions } = await openRemote(
    (count, id) => (count === 1 ? { body: '', headers: EVENTS } : textResult(id, `call ${count}`)),
    120_000,
  );
  expect((await call()).output).toBe('call 2');
  expect((await call()).output).toBe('call 3');
  // The second was for the repeated call alone.
  expect(sessions()).toBe(2);
});

test('a stream of events that ends early is gone on with where the server can', async () => {
  let asked: unknown;
  const { call, calls } = await openRemote(
    (_, id) => {
      asked = id;
      return { body: 'id: 1\nretry: 10\ndata:\n\n', headers: EVENTS };
    },
    120_000,
    () =>
      asked === undefined
        ? { body: '', status: 405 }
        : {
            body: `data: ${JSON.stringify(textResult(asked, 'at last').body)}\n\n`,
            headers: EVENTS,
          },
  );
  expect((await call()).output).toBe('at last');
  expect(calls()).toBe(1);
});

test.each<[string, (id: unknown) => Reply, RegExp]>([
  [
    'a page',
    () => ({ body: 'hello', headers: { 'content-type': 'text/html' } }),
    /gave no result: Unexpected content type: text\/html/,
  ],
  [
    'no JSON',
    () => ({ body: '{', headers: { 'content-type': 'application/json' } }),
    /gave no result: .*JSON/,
  ],
  [
    'an event',
    (id) => ({
      body: `: hello\r\n\ndata: ${JSON.stringify(textResult(id, 'hi').body)}\n\n`,
      headers: EVENTS,
    }),
    /^hi$/,
  ],
])('a reply over HTTP that is %s is told to the model at once', async (_, reply, output) => {
  const { call, calls, sessions } = await openRemote((_count, id) => reply(id), 120_000);
  expect((await call()).output).toMatch(output);
  expect([calls(), sessions()]).toEqual([1, 1]);
});
