import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { callOdd, KEY, LIMITS, oddServer, openOdd } from '../../../test/mcp/open-odd.ts';
import { readPids, survivors } from '../../../test/processes.ts';
import type { McpServer } from './mcp-file.ts';
import { openServer, openServers, toToolName } from './mcp-tools.ts';

describe('an MCP server', { timeout: 30_000 }, () => {
  test.each([
    ['many tools', 'more than 120 tools are listed'],
    ['clashing names', 'two tools would have the name "odd__a_b"'],
    ['no schema', 'its reply is not valid: tools.0.inputSchema'],
    ['large schema', 'the input schema of "odd__a" has more than 50000 characters'],
    ['dies', 'it did not start: .*it ended with exit code 7.*API_KEY=\\[key\\]'],
    ['silent list', 'timed out'],
    ['babbling', 'it did not start: .*timed out; it wrote \\d+ lines that are no MCP messages'],
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

  test('gives its tools under its own name', async () => {
    const { version, tools } = await openOdd('good');
    expect(version).toBe('1.2.3');
    expect(tools.find(({ name }) => name === 'odd__echo')).toMatchObject({
      description: 'does echo',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      version: '1.2.3',
    });
    expect(await callOdd(tools, 'echo', { text: 'hi' })).toEqual({ output: 'you said hi', media: [], failed: false });
  });

  test('its key is in nothing that it says of itself, and its tools can be called', async () => {
    const { version, tools } = await openOdd('key everywhere');
    expect(version).toBe('1 [key]');
    expect(tools.find(({ name }) => name === 'odd__echo__key_')).toMatchObject({
      description: 'does [key]',
      schema: {
        properties: { text: { default: '[key]', enum: ['[key]', { deep: ['[key]'] }] } },
      },
    });
    expect(JSON.stringify(tools)).not.toContain(KEY);
    expect((await callOdd(tools, 'echo__key_')).output).toBe('called by its own name');
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
      settings(
        oddServer('good', log),
        { ...oddServer('dies'), name: 'b' },
        { ...oddServer('clashing names'), name: 'c' },
      ),
      LIMITS,
    );
    await expect(opening).rejects.toThrow(
      /"b": it did not start[\s\S]*"c": two tools[\s\S]*Correct \.mcp\.json, or set EVAL_MCP/,
    );
    expect(await survivors(await readPids(log, 1), 4_000)).toEqual([]);
  });
});

test.each([
  ['files', 'read_file', 'files__read_file'],
  ['my server!', 'a.b/c', 'my_server___a_b_c'],
  ['s', 'x'.repeat(61), `s__${'x'.repeat(61)}`],
])('the tool %s of %s is called %s', (server, name, expected) => {
  expect(toToolName(server, name)).toBe(expected);
});

test('long names are cut and stay different', () => {
  const names = ['a', 'b'].map((end) => toToolName('server', 'x'.repeat(80) + end));
  expect(names.map(({ length }) => length)).toEqual([64, 64]);
  expect(new Set(names).size).toBe(2);
});

describe('the result of an MCP tool', { timeout: 30_000 }, () => {
  test('is told to the model, with its pictures, sound and files, and says what cannot be shown', async () => {
    const { tools } = await openOdd('good');
    const call = async (name: string) => (await callOdd(tools, name)).output;
    expect(await call('nothing')).toBe('(the tool returned nothing)');
    expect(await call('structured')).toBe('{"a":1}');
    expect(await callOdd(tools, 'fail')).toMatchObject({ output: 'Error: that went wrong', failed: true });
    const { output, media } = await callOdd(tools, 'files');
    expect(output.split('\n')).toEqual([
      'image 1: png picture, 1 x 1 pixels. It comes with this result.',
      '["image 2" is a broken png picture: it may have been cut off.]',
      '["image 3" is a TIFF picture, a format that no model is shown (PNG, JPEG, GIF and WebP are).]',
      'audio 4: wav recording. It comes with this result.',
      'inside',
      '[x://b.txt]',
      'hi',
      'elsewhere: x://c',
    ]);
    expect(media).toMatchObject([
      { kind: 'image', mediaType: 'image/png' },
      { kind: 'audio', mediaType: 'audio/wav' },
    ]);
  });

  test.each([
    ['nonsense', 'its reply is not valid: content'],
    ['broken', 'its reply is not valid: content.0.data: Invalid Base64 string'],
  ])('a result that is none (%s) is told to the model, and the server goes on', async (name, message) => {
    const { tools } = await openOdd('good');
    const result = await callOdd(tools, name);
    expect(result).toMatchObject({ failed: true, output: expect.stringContaining(message) });
    expect((await callOdd(tools, 'echo', { text: 1 })).failed).toBe(false);
  });

  test('has no key in its text, in its structure or in the name of a file', async () => {
    // JSON writes a part of this one in another way.
    const key = 'ab"cd\\efgh-1234';
    const server = { ...oddServer('good'), secrets: [key] };
    const { tools, close } = await openServer({ ...server, env: { ...server.env, API_KEY: key } }, LIMITS);
    onTestFinished(close);
    expect((await callOdd(tools, 'key')).output).toBe('the key is [key]');
    const { output } = await callOdd(tools, 'structured_key');
    expect(JSON.parse(output)).toEqual({ a: ['[key]', { deep: 'it is [key].' }] });
    expect((await callOdd(tools, 'named')).media).toMatchObject([{ name: 'x://[key].png', kind: 'image' }]);
  });

  test('shows a server that sees its own variables and no others', async () => {
    const { tools } = await openOdd('good');
    const { output } = await callOdd(tools, 'environment');
    // Some systems add a variable of their own to every process.
    const seen = output.split(',').filter((word) => !/^(PWD|SHLVL|_|__CF.*)$/.test(word));
    expect(seen).toEqual(['API_KEY', 'PATH', 'VIVA_PROCESS']);
  });
});
