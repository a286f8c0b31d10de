import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { LIMITS, oddServer, openOdd } from '../../../test/mcp/open-odd.ts';
import { readPids, survivors } from '../../../test/processes.ts';
import type { McpServer } from './mcp-settings.ts';
import { openServer, openServers } from './open-servers.ts';

describe('an MCP server', { timeout: 30_000 }, () => {
  test.each([
    ['many tools', 'it lists more than 120 tools'],
    ['same name', 'it lists the tool "a" twice'],
    ['key twice', 'it lists the tool "\\[key\\]" twice'],
    ['key in a large schema', 'the input schema of "\\[key\\]" is too large'],
    ['no schema', 'its reply is not valid: tools.0.inputSchema'],
    ['wrong schema', 'its reply is not valid: tools.0.inputSchema.type'],
    ['large schema', 'the input schema of "a" is too large or too deep'],
    ['deep schema', 'the input schema of "a" is too large or too deep'],
    ['no list', 'its reply is not valid: tools'],
    ['endless list', 'its list of tools has more than 50 pages'],
    ['dies', 'it did not start: .*it ended with exit code 7.*API_KEY=\\[key\\]'],
    ['silent', 'it did not start: .*timed out'],
    ['silent list', 'timed out'],
    ['babbling', 'it did not start: .*it does not speak MCP'],
    ['endless line', 'it did not start: .*it wrote a line of more than 10 MB'],
  ])('%s: refused, because %s', async (mode, message) => {
    const log = join(makeFolder(), 'pids');
    await expect(openOdd(mode, log)).rejects.toThrow(new RegExp(message, 'i'));
    expect(await survivors(await readPids(log, 1), 4_000)).toEqual([]);
  });

  test('a command that does not exist is named', async () => {
    const server = { ...oddServer('good'), command: 'no-such-command' };
    await expect(openServer(server, LIMITS)).rejects.toThrow(/it did not start: .*no-such-command/);
  });

  test.each(['good', 'family', 'stubborn'])('nothing of a %s server outlives its end', async (mode) => {
    const log = join(makeFolder(), 'pids');
    const server = await openOdd(mode, log);
    const pids = await readPids(log, mode === 'good' ? 1 : 3);
    await server.close();
    expect(await survivors(pids, 5_000)).toEqual([]);
  });
});

describe('the servers of a run', { timeout: 30_000 }, () => {
  const settings = (...servers: McpServer[]) => ({ file: '.mcp.json', servers });

  test('start once, whoever asks', async () => {
    const log = join(makeFolder(), 'pids');
    const [a, b] = await Promise.all([1, 2].map(() => openServers(settings(oddServer('good', log)), LIMITS)));
    expect(a).toBe(b);
    expect(await readPids(log, 1)).toHaveLength(1);
    for (const server of a ?? []) await server.close();
  });

  test('all end when one does not start, and every problem is named', async () => {
    const log = join(makeFolder(), 'pids');
    const opening = openServers(
      settings(oddServer('good', log), { ...oddServer('dies'), name: 'b' }, { ...oddServer('same name'), name: 'c' }),
      LIMITS,
    );
    await expect(opening).rejects.toThrow(
      /"b": it did not start[\s\S]*"c": it lists[\s\S]*Correct \.mcp\.json, or set EVAL_MCP/,
    );
    expect(await survivors(await readPids(log, 1), 4_000)).toEqual([]);
  });

  test('names that are the same to a provider are refused', async () => {
    await expect(openServers(settings(oddServer('clashing names')), LIMITS)).rejects.toThrow(
      'Two MCP tools would have the name "odd__a_b"',
    );
  });
});
