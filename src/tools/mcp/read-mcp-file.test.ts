import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
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
    const { server } = readServer({ command: 'npx', env: { [name]: ref('TOKEN') } });
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

  test('is not waited for when it is a pipe', () => {
    const pipe = join(makeFolder(), 'mcp.json');
    execFileSync('mkfifo', [pipe]);
    const said = `EVAL_MCP: ${pipe} cannot be read as JSON (it is no regular file). Correct it, or set EVAL_MCP=off.`;
    expect(() => readMcpFile(pipe, ENV)).toThrow(said);
  });

  test.each([
    ['{', 'cannot be read as JSON'],
    [[], '"mcpServers" must be an object with a server for each name, got nothing'],
    [{ mcpServers: [] }, '"mcpServers" must be an object'],
    [{ mcpServers: { s: 7 } }, 'server "s": it must be an object, got 7 (number)'],
    [{ mcpServers: { s: {} } }, 'server "s": "command" must be a text, got nothing'],
    [{ mcpServers: { s: { type: 'sse', url: 'http://h' } } }, '"type" must be "stdio" or "http"'],
    [{ mcpServers: { s: { command: 'x', args: 'y' } } }, '"args" must be a list of texts, got "y" (string)'],
    [{ mcpServers: { s: { command: 'x', args: [1] } } }, '"args[0]" must be a text, got 1 (number)'],
    [{ mcpServers: { s: { command: 'x', env: { A: 1 } } } }, '"A" must be a text, got 1 (number)'],
    [{ mcpServers: { s: { url: 'file:///x' } } }, '"url" must be an http or https address'],
    [{ mcpServers: { s: { command: ref('NONE') } } }, `"command" needs ${ref('NONE')}, which is not set`],
    [{ mcpServers: { s: { command: ref('constructor') } } }, `needs ${ref('constructor')}, which is not set`],
  ])('refuses %j: %s', (content, message) => {
    expect(() => read(content)).toThrow(message);
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
