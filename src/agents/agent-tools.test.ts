import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { APIS } from '../../test/agents/apis.ts';
import { askAgent, makeAgent } from '../../test/agents/ask-agent.ts';
import { startScriptedServer } from '../../test/agents/scripted-server.ts';
import { makeFolder } from '../../test/make-folder.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';
import { openServers } from '../tools/mcp/mcp-tools.ts';

const SCRIPT = join(import.meta.dirname, '../../test/mcp/odd-server.ts');

/** Settings with one server of this behaviour, which ends with the test. */
function odd(mode: string, name = 'odd'): McpSettings {
  const env = { PATH: process.env['PATH'] ?? '' };
  const cwd = makeFolder();
  const settings: McpSettings = {
    file: '.mcp.json',
    servers: [{ kind: 'stdio', name, command: process.execPath, args: [SCRIPT, mode], env, cwd, secrets: [] }],
  };
  onTestFinished(async () => {
    for (const { close } of await openServers(settings).catch(() => [])) await close();
  });
  return settings;
}

describe.each(APIS)('$kind', { timeout: 30_000 }, ({ kind, base, text, call }) => {
  test('calls the tools of an MCP server and says where attachments are', async () => {
    const server = await startScriptedServer([call('odd__echo', { text: 'hi' }), text('42')]);
    const { trace } = await askAgent(`${kind}:m?base_url=${base(server.url)}`, {
      setting: { tools: { mcp: odd('good') } },
      attachments: [{ name: 'attachment.txt', path: '/work/attachment.txt' }],
      context: { workdir: '/work' },
    });
    expect(trace?.[0]?.tool_calls).toMatchObject([{ name: 'odd__echo', result: 'you said hi', failed: false }]);
    expect(JSON.stringify(server.requests[0]?.body)).toContain('are in the folder /work, for tools that take a path');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('you said hi');
  });

  test('ends a sample whose call ends the MCP server twice: its answer would tell nothing', async () => {
    const server = await startScriptedServer([call('odd__die', {})]);
    const asking = askAgent(`${kind}:m?base_url=${base(server.url)}`, { setting: { tools: { mcp: odd('good') } } });
    await expect(asking).rejects.toMatchObject({
      kind: 'server',
      message: expect.stringMatching(/^The MCP server "odd" ended twice/),
      progress: { steps: 1 },
    });
  });
});

describe('kept answers', { timeout: 30_000 }, () => {
  test('go by the tools that MCP servers list, in whatever order', async () => {
    const makers = [{}, { mcp: odd('good') }, { mcp: odd('chatty') }, { mcp: odd('good', 'other') }];
    const agents = await Promise.all(makers.map((tools) => makeAgent('openai:m', { tools })));
    const [none, good, same, other] = agents.map(({ fingerprint }) => fingerprint);
    expect(good).not.toBe(none);
    expect(good).toBe(same);
    expect(good).not.toBe(other);
  });

  test('without the servers where the spec leaves them out', async () => {
    const { tools, fingerprint } = await makeAgent('openai:m?mcp=off', { tools: { mcp: odd('dies') } });
    expect(tools?.mcp).toEqual([]);
    expect(fingerprint).not.toContain('odd__');
  });

  test('a server that does not start makes no agent', async () => {
    const asking = makeAgent('openai:m', { tools: { mcp: odd('dies') } });
    await expect(asking).rejects.toThrow(/MCP server "odd": it did not start/);
  });
});
