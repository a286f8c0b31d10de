import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { callOdd, LIMITS, oddServer } from '../../../test/mcp/open-odd.ts';
import { messageOf } from '../../../test/message-of.ts';
import { openServer } from './open-servers.ts';
import { readMcpFile } from './read-mcp-file.ts';

/** A variable as such files write it. */
const ref = (inside: string) => `\${${inside}}`;

const ENV = { PATH: '/bin', HOME: '/home/me', TOKEN: 'abcdefgh-1234', EMPTY: '', OPENAI_API_KEY: 'sk-x' };

function read(content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const folder = makeFolder({ 'mcp.json': text });
  return { folder, settings: readMcpFile(join(folder, 'mcp.json'), ENV) };
}

function readServer(server: unknown) {
  const { settings, folder } = read({ mcpServers: { s: server } });
  return { folder, server: settings.servers[0] };
}

describe('an mcpServers file', () => {
  test('starts a command with a minimal environment and what the file adds', () => {
    const { server, folder } = readServer({
      command: 'npx',
      args: ['-y', 'x'],
      env: { API_TOKEN: ref('TOKEN'), MODE: 'a' },
    });
    expect(server).toEqual({
      kind: 'stdio',
      name: 's',
      command: 'npx',
      args: ['-y', 'x'],
      env: { HOME: '/home/me', PATH: '/bin', API_TOKEN: 'abcdefgh-1234', MODE: 'a' },
      cwd: folder,
      secrets: ['abcdefgh-1234'],
    });
  });

  test.each([
    ['DB_PASS', true],
    ['GITHUB_PAT', true],
    ['accessKeyId', true],
    ['PATH', false],
    ['MODE', false],
  ])('knows the value of %s as a key: %s', (name, known) => {
    const { server } = readServer({ command: 'npx', env: { [name]: 'abcdefgh-1234' } });
    expect(server?.secrets).toEqual(known ? ['abcdefgh-1234'] : []);
  });

  test.each(['http', 'streamable-http', undefined])('reaches a server by its address (type %s)', (type) => {
    const { server } = readServer({
      type,
      url: 'http://h/mcp?api_key=0123456789',
      headers: { A: `Bearer ${ref('TOKEN')}` },
    });
    expect(server).toEqual({
      kind: 'http',
      name: 's',
      url: 'http://h/mcp?api_key=0123456789',
      headers: { A: 'Bearer abcdefgh-1234' },
      secrets: ['Bearer abcdefgh-1234', 'abcdefgh-1234', '0123456789'],
    });
  });

  test.each([
    [ref('TOKEN'), 'abcdefgh-1234'],
    [`a${ref('TOKEN')}b${ref('HOME')}`, 'aabcdefgh-1234b/home/me'],
    [ref('NONE:-fall/back'), 'fall/back'],
    [`${ref('NONE:-')}x`, 'x'],
    [ref('EMPTY:-full'), 'full'],
    [`${ref('EMPTY')}x`, 'x'],
    [`$TOKEN $${ref('1')} {}`, `$TOKEN $${ref('1')} {}`],
    [ref('TOKEN:-$HOME'), 'abcdefgh-1234'],
  ])('makes %s %s', (text, expected) => {
    expect(readServer({ command: text }).server).toMatchObject({ command: expected });
  });

  test('leaves out what is disabled, and takes relative folders from where it lies', () => {
    const { settings, folder } = read({
      mcpServers: { a: { command: 'x', disabled: true }, b: { command: 'x', cwd: 'y' } },
    });
    expect(settings.servers).toMatchObject([{ name: 'b', cwd: join(folder, 'y') }]);
  });

  test('is not waited for when it is a link to a pipe', () => {
    const folder = makeFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const pipe = join(folder, 'mcp.json');
    symlinkSync('pipe', pipe);
    const said = `EVAL_MCP: ${pipe} cannot be read as JSON (it is a device or pipe). Correct it, or set EVAL_MCP=off.`;
    expect(() => readMcpFile(pipe, ENV)).toThrow(said);
  });

  test.each([
    ['{', 'cannot be read as JSON'],
    [[], '"mcpServers" must be an object with a server for each name, got nothing'],
    [{ mcpServers: [] }, '"mcpServers" must be an object'],
    [{ mcpServers: { s: 7 } }, 'server "s": it must be an object, got a value of the type number'],
    [{ mcpServers: { s: {} } }, 'server "s": "command" must be a text, got nothing'],
    [{ mcpServers: { s: { type: 'sse', url: 'http://h' } } }, '"type" must be "stdio" or "http"'],
    [
      { mcpServers: { s: { command: 'x', args: 'y' } } },
      '"args" must be a list of texts, got a value of the type string',
    ],
    [{ mcpServers: { s: { command: 'x', args: [1] } } }, '"args[0]" must be a text, got a value of the type number'],
    [{ mcpServers: { s: { command: 'x', env: { A: 1 } } } }, '"A" must be a text, got a value of the type number'],
    [
      { mcpServers: { s: { url: 'file:///x' } } },
      '"url" must be an http or https address, got one that starts with "file:"',
    ],
    [{ mcpServers: { s: { url: 'h/mcp' } } }, '"url" must be an http or https address, got a text that is no address'],
    [{ mcpServers: { s: { command: ref('NONE') } } }, `"command" needs ${ref('NONE')}, which is not set`],
    [{ mcpServers: { s: { command: ref('constructor') } } }, `needs ${ref('constructor')}, which is not set`],
  ])('refuses %j: %s', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  test.each([
    ['{"mcpServers": {"s": {"env": {"A": "0", "B": MARKER} } } }'],
    [{ mcpServers: [{ command: 'x', env: { API_KEY: 'MARKER' } }] }],
    [{ mcpServers: { s: 'x --token MARKER' } }],
    [{ mcpServers: { s: { command: ['x', 'MARKER'] } } }],
    [{ mcpServers: { s: { command: 'x', args: '--token MARKER' } } }],
    [{ mcpServers: { s: { command: 'x', args: [['--token', 'MARKER']] } } }],
    [{ mcpServers: { s: { command: 'x', env: ['API_KEY=MARKER'] } } }],
    [{ mcpServers: { s: { command: 'x', env: { API_KEY: ['MARKER'] } } } }],
    [{ mcpServers: { s: { url: 'h/mcp?auth=MARKER' } } }],
    [{ mcpServers: { s: { url: 'http://h', headers: ['Authorization: MARKER'] } } }],
  ])('refuses %j and shows no value', (content) => {
    const message = messageOf(() => read(content));
    expect(message).toMatch(/mcp\.json/);
    expect(message).not.toMatch(/MARKE/);
  });

  test('hides a key on the command line of a server in its results and errors', { timeout: 30_000 }, async () => {
    const [good, bad] = ['good', 'dies'].map((mode) => {
      const { command, args } = oddServer(mode, 'x', '--api-key', ref('TOKEN'));
      return readServer({ command, args }).server;
    });
    if (good === undefined || bad === undefined) throw new Error('no server');
    await expect(openServer(bad, LIMITS)).rejects.toThrow(/got x,--api-key,\[key\]/);
    const { tools, close } = await openServer({ ...good, name: 'odd' }, LIMITS);
    onTestFinished(close);
    expect((await callOdd(tools, 'words')).output).toBe('good,x,--api-key,[key]');
  });

  test("reads the README's example", () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    const [, example = ''] = /```json\n(\s+\{\s+"mcpServers"[\s\S]*?)```/.exec(readme) ?? [];
    const file = join(makeFolder({ 'mcp.json': example }), 'mcp.json');
    const { servers } = readMcpFile(file, { SEARCH_KEY: 'abcdefgh-1234' });
    expect(servers).toMatchObject([{ args: expect.arrayContaining(['/tmp']) }, { url: 'https://example.org/mcp' }]);
  });

  test('names everything that is wrong at once, and no value of a variable', () => {
    const content = {
      mcpServers: { a: { command: ref('NONE') }, b: { type: ref('TOKEN'), command: ref('TOKEN') } },
    };
    expect(() => read(content)).toThrow(/server "a"[\s\S]*server "b"/);
    expect(() => read(content)).not.toThrow('abcdefgh');
  });
});
