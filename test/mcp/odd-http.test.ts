import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { McpServer } from '../../src/tools/mcp/mcp-settings.ts';
import { openServer } from '../../src/tools/mcp/open-servers.ts';
import { runTool } from '../../src/tools/run-tool.ts';
import { startScriptedServer } from '../agents/scripted-server.ts';
import { startSite } from '../page-site.ts';

const KEY = 'abcdefgh-1234';
const LIMITS = { startMs: 1_500, callMs: 1_000 };

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
  ['has no such page', (response) => response.writeHead(404).end('gone'), /it did not start: .*(404|gone)/],
  ['sends a web page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), /text\/html/],
  ['sends no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'), /JSON/],
  ['never answers', () => {}, /it did not start: .*timed out/],
  [
    'never stops',
    (response) => {
      const chunk = ' '.repeat(1_000_000);
      const write = () => response.write(chunk, (error) => error ?? write());
      response.writeHead(200, { 'content-type': 'application/json' });
      write();
    },
    /it did not start: .*it sent more than 20 MB in one reply/,
  ],
  ['drops the line', (response) => response.destroy(), /it did not start/],
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

test('the key goes with each request, and a session that is lost is begun anew', async () => {
  let sessions = 0;
  let lost = false;
  const server = await startScriptedServer(({ body, headers }) => {
    if (body === null) return { body: '', status: 405 };
    if (body.id === undefined) return { body: '', status: 202 };
    const reply = (result: unknown, more: Record<string, string> = {}) => ({
      body: { jsonrpc: '2.0', id: body.id, result },
      headers: more,
    });
    if (body.method === 'initialize') {
      const serverInfo = { name: 'r', version: '3' };
      const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
      return reply(result, { 'mcp-session-id': `s${++sessions}` });
    }
    if (body.method === 'tools/list') return reply({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    if (lost && headers['mcp-session-id'] === 's1') return { body: 'no such session', status: 404 };
    return reply({ content: [{ type: 'text', text: `in ${headers['mcp-session-id']}` }] });
  });
  const { tools, close } = await openServer(at(server.url), LIMITS);
  const call = () => runTool(tools, 'remote__a', '', { signal: new AbortController().signal, attachments: [] });
  expect((await call()).output).toBe('in s1');
  lost = true;
  expect((await call()).output).toBe('in s2');
  expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  await close();
});
