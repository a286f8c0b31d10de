import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { readPids, survivors } from '../../../test/processes.ts';
import { runTool } from '../run-tool.ts';
import type { Tool, ToolContext } from '../tool.ts';
import type { McpServer } from './mcp-settings.ts';
import { toToolName } from './mcp-tools.ts';
import { type OpenServer, openServer, openServers } from './open-servers.ts';

const SCRIPT = join(import.meta.dirname, '../../../test/mcp/odd-server.ts');
// A busy machine takes seconds to write 10 MB.
const LIMITS = { startMs: 6_000, callMs: 1_000 };
const KEY = 'abcdefgh-1234';

function oddServer(mode: string, log?: string): McpServer {
  return {
    kind: 'stdio',
    name: 'odd',
    command: process.execPath,
    args: [SCRIPT, mode, ...(log === undefined ? [] : [log])],
    env: { PATH: process.env['PATH'] ?? '', API_KEY: KEY },
    cwd: import.meta.dirname,
    secrets: [KEY],
  };
}

async function open(mode: string, log?: string): Promise<OpenServer> {
  const server = await openServer(oddServer(mode, log), LIMITS);
  onTestFinished(() => server.close());
  return server;
}

function call(tools: readonly Tool[], name: string, args: object = {}, context: Partial<ToolContext> = {}) {
  const media = { image: 1_000, pdf: 1_000, audio: 1_000 };
  const signal = new AbortController().signal;
  return runTool(tools, `odd__${name}`, JSON.stringify(args), { signal, attachments: [], media, ...context });
}

describe('an MCP server', { timeout: 30_000 }, () => {
  test('gives its tools under its own name', async () => {
    const { version, tools } = await open('good');
    expect(version).toBe('1.2.3');
    expect(tools.find(({ name }) => name === 'odd__echo')).toMatchObject({
      description: 'does echo',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      version: '1.2.3',
    });
    expect(await call(tools, 'echo', { text: 'hi' })).toEqual({ output: 'you said hi', media: [], failed: false });
  });

  test.each([
    ['fail', 'Error: that went wrong', true],
    ['nothing', '(the tool returned nothing)', false],
    ['structured', '{"a":1}', false],
    ['key', 'the key is [key]', false],
    ['environment', 'API_KEY,PATH', false],
  ])('%s: the model is told %j', async (name, output, failed) => {
    const { tools } = await open('good');
    const result = await call(tools, name);
    // Some systems add a variable of their own to every process.
    const told = result.output.split(',').filter((word) => !/^(PWD|OLDPWD|SHLVL|_|__CF.*)$/.test(word));
    expect({ output: told.join(), failed: result.failed }).toEqual({ output, failed });
  });

  test('its key is in nothing that it says of itself, and its tools can be called', async () => {
    const { version, tools } = await open('key everywhere');
    expect(version).toBe('1 [key]');
    expect(tools.find(({ name }) => name === 'odd__echo__key_')).toMatchObject({
      description: 'does [key]',
      schema: {
        properties: { of__key_: { default: '_key_', enum: ['_key_', { deep: ['_key_'] }] } },
        required: ['of__key_'],
      },
      version: '1 [key]',
    });
    expect(JSON.stringify([version, tools])).not.toContain(KEY);
    expect((await call(tools, 'echo__key_')).output).toBe('called by its own name');
  });

  test('passes pictures, sound and files on, and says what cannot be shown', async () => {
    const { tools } = await open('good');
    const { output, media } = await call(tools, 'files');
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
    const { tools } = await open('good');
    const result = await call(tools, name);
    expect(result).toMatchObject({ failed: true, output: expect.stringContaining(message) });
    expect((await call(tools, 'echo', { text: 1 })).failed).toBe(false);
  });

  test('a call that takes too long is told to the model', async () => {
    const { tools } = await open('good');
    expect((await call(tools, 'hang')).output).toMatch(/the MCP server "odd" gave no result: .*timed out/i);
  });

  test('a call ends with the signal, and the server goes on', async () => {
    const { tools } = await open('good');
    const { output: pid } = await call(tools, 'pid');
    const signal = AbortSignal.timeout(100);
    const start = performance.now();
    await expect(call(tools, 'hang', {}, { signal })).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(900);
    expect((await call(tools, 'pid')).output).toBe(pid);
  });

  test('a call at which the server ends twice ends its sample, and others go on, however often', async () => {
    const { tools } = await open('good');
    const { output: first } = await call(tools, 'pid');
    for (let death = 0; death < 3; death++) {
      const given: Error[] = [];
      await call(tools, 'die', {}, { giveUp: (error) => given.push(error) });
      const message = 'ended twice at a call of "die": ';
      expect(given).toMatchObject([{ kind: 'server', message: expect.stringContaining(message) }]);
      expect(given[0]?.message).toContain('it ended with exit code 3');
      expect((await call(tools, 'pid')).output).toMatch(/^\d+$/);
    }
    expect((await call(tools, 'pid')).output).not.toBe(first);
  });

  test('calls that were under way when another one ended the server are repeated', async () => {
    const { tools } = await open('good');
    const given: string[] = [];
    const results = await Promise.all(
      ['slow', 'die', 'slow', 'slow'].map((name) => call(tools, name, {}, { giveUp: () => given.push(name) })),
    );
    expect(results.map(({ output, failed }) => (failed ? 'failed' : output))).toEqual([
      'at last',
      'failed',
      'at last',
      'at last',
    ]);
    expect(given).toEqual(['die']);
  });

  test('a server that ends again and again without a result is gone', async () => {
    const { tools } = await open('good');
    const given: Error[] = [];
    const giveUp = (error: Error) => given.push(error);
    for (let death = 0; death < 3; death++) await call(tools, 'die', {}, { giveUp });
    await call(tools, 'pid', {}, { giveUp });
    expect(given.at(-1)).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('is gone: it ended 6 times'),
    });
  });

  test('lines that are no messages do no harm', async () => {
    const { tools } = await open('chatty');
    expect((await call(tools, 'echo', { text: 'hi' })).output).toBe('you said hi');
  });

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
    await expect(open(mode, log)).rejects.toThrow(new RegExp(message, 'i'));
    expect(await survivors(await readPids(log, 1), 4_000)).toEqual([]);
  });

  test('a command that does not exist is named', async () => {
    const server = { ...oddServer('good'), command: 'no-such-command' };
    await expect(openServer(server, LIMITS)).rejects.toThrow(/it did not start: .*no-such-command/);
  });

  test.each(['good', 'family', 'stubborn'])('nothing of a %s server outlives its end', async (mode) => {
    const log = join(makeFolder(), 'pids');
    const server = await open(mode, log);
    const pids = await readPids(log, mode === 'good' ? 1 : 2);
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
