import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFile, makeFolder } from '../../../test/make-folder.ts';
import { messageOf } from '../../../test/message-of.ts';
import { findMcp, readMcpFile } from './mcp-file.ts';

/** A variable in the form of mcpServers files. */
const ref = (inside: string) => `\${${inside}}`;

const ENV = {
  PATH: '/bin',
  HOME: '/home/me',
  TOKEN: 'abcdefgh-1234',
  EMPTY: '',
  OPENAI_API_KEY: 'sk-x',
};

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
  const named = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: 'x' } } });

  test.each([
    [null, ['usual']],
    ['other.json', ['other']],
    ['off', null],
  ])('is chosen by EVAL_MCP %j in a project that has .mcp.json: %j', (setting, names) => {
    const root = makeFolder({ '.mcp.json': named('usual'), 'other.json': named('other') });
    expect(findMcp(setting, root, {})?.servers.map(({ name }) => name) ?? null).toEqual(names);
  });

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

  test.each(['streamable-http', undefined])('reaches a server by its address (type %s)', (type) => {
    const url = 'http://h/mcp?api_key=q1234-56789';
    const { server } = readServer({ type, url, headers: { A: `Bearer ${ref('TOKEN')}` } });
    expect(server).toEqual({
      kind: 'http',
      name: 's',
      url,
      headers: { A: 'Bearer abcdefgh-1234' },
      secrets: ['Bearer abcdefgh-1234', 'abcdefgh-1234', 'q1234-56789'],
    });
  });

  test.each([
    [`a${ref('TOKEN')}b${ref('HOME')}`, 'aabcdefgh-1234b/home/me'],
    [ref('NONE:-fall/back'), 'fall/back'],
    [`${ref('NONE:-')}x`, 'x'],
    [ref('EMPTY:-full'), 'full'],
  ])('fills in the variables of %s: %s', (text, expected) => {
    expect(readServer({ command: text }).server).toMatchObject({ command: expected });
  });

  const KEY = 'MARKER-0123456789';
  const FORM = 'sk-MARKER0123456789';

  test.each<[object, readonly string[]]>([
    [{ args: ['--api-key', KEY] }, [KEY]],
    [{ args: [`--api-key=${KEY}`, '-e', `GITHUB_TOKEN=${FORM}`] }, [FORM, KEY]],
    [{ args: ['--config', `{"apiKey": "${KEY}", "mode": "a"}`] }, [KEY]],
    [{ args: [`--url=postgres://me:${KEY}@host/db`] }, [KEY]],
    [{ args: ['-y', '@scope/server-filesystem', '/tmp/a/folder', 'C:\\data\\folder-1'] }, []],
    [
      { args: ['--key-file', '/home/me/the.key', '--max-tokens', '16000000', '--token', 'none'] },
      [],
    ],
    [{ args: ['--api-key', '--verbose-output', '--url', 'https://host/mcp?mode=read-only-1'] }, []],
    [
      { env: { DB_PASS: KEY, GITHUB_PAT: FORM, MODE: 'read-only-1', PATH: 'abcdefgh-1234' } },
      [FORM, KEY],
    ],
    [{ env: { DATABASE_URL: `postgres://me:${KEY}@host/db` } }, [KEY]],
    [{ cwd: ref('TOKEN'), args: [ref('HOME')] }, ['abcdefgh-1234']],
    [
      { command: undefined, url: 'http://h', headers: { A: `Bearer ${KEY}` } },
      [`Bearer ${KEY}`, KEY],
    ],
  ])('with %j has the keys %j, the longest first', (rest, secrets) => {
    expect(readServer({ command: 'x', ...rest }).server?.secrets).toEqual(secrets);
  });

  // Any value may be a key.
  test.each<[unknown, string]>([
    ['{"mcpServers": {"s": {"env": {"A": "0", "B": MARKER} } } }', 'cannot be read as JSON'],
    [[], '"mcpServers" must be an object with a server for each name.'],
    ...[
      ['x --token MARKER', 'it must be an object, got text.'],
      [{}, 'it needs "command" or "url", got nothing.'],
      [{ comand: 'MARKER' }, 'it needs "command" or "url", got "comand".'],
      [{ command: ['x', 'MARKER'] }, '"command" must be a string, got list.'],
      [{ type: 'sse', url: 'http://h' }, '"type" must be "http" with "url", got "sse".'],
      [{ command: 'x', args: [['MARKER']] }, '"args.0" must be a string, got list.'],
      [{ command: 'x', env: ['API_KEY=MARKER'] }, '"env" must be an object of strings, got list.'],
      [
        { url: 'file:///x' },
        '"url" must be an address that starts with http:// or https://, got text.',
      ],
      [
        { url: 'http://h', headers: ['A: MARKER'] },
        '"headers" must be an object of strings, got list.',
      ],
    ].map(([s, problem]): [unknown, string] => [{ mcpServers: { s } }, `server "s": ${problem}`]),
    [
      { mcpServers: { s: { command: ref('NONE') } } },
      `server "s": it needs ${ref('NONE')}, which is not set`,
    ],
  ])('refuses %j, and shows no value', (content, problem) => {
    const message = messageOf(() => read(content));
    expect(message).toContain(problem);
    expect(message).toContain('mcp.json');
    expect(message).not.toContain('MARKE');
  });

  test('is as the example of docs/tools.md shows it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/tools.md'), 'utf8');
    const [, example = ''] = /```json\n(\{\s+"mcpServers"[\s\S]*?)```/.exec(page) ?? [];
    const file = makeFile('mcp.json', example);
    const { servers } = readMcpFile(file, { SEARCH_KEY: 'abcdefgh-1234' });
    expect(servers).toMatchObject([
      { args: expect.arrayContaining(['/tmp']) },
      { url: 'https://example.org/mcp' },
    ]);
  });
});
