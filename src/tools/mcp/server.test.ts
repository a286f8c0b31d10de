import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { callOdd, KEY, LIMITS, oddServer, openOdd } from '../../../test/mcp/open-odd.ts';
import { readPids, survivors } from '../../../test/processes.ts';
import { describeUse, openToolbox, toToolUse } from '../index.ts';
import { openServer, openServers } from './server.ts';

describe('an MCP server', () => {
  test.each([
    ['many tools', 'more than 120 tools are listed'],
    ['no name', 'it did not list its tools: its reply is not valid: tools.0.name'],
    ['dies', 'it did not start: .*it ended with exit code 7.*API_KEY=\\[key\\]'],
    ['endless list', 'its list of tools has more than 100 pages\\.'],
    ['endless line', 'it did not start: .*it sent more than 20 MB in one piece'],
    ['babbling', 'it did not start: .*timed out; it wrote \\d+ lines that are not MCP messages'],
  ])('is refused (%s): %s', async (mode, message) => {
    const log = join(makeFolder(), 'pids');
    // Two of them are waited for until their time is up.
    const limits = { ...LIMITS, startMs: message.includes('timed out') ? 3_000 : LIMITS.startMs };
    const opening = openServer(oddServer(mode, log), limits);
    await expect(opening).rejects.toThrow(new RegExp(message, 'i'));
    expect(await survivors(await readPids(log, 1))).toEqual([]);
  });

  test.each([
    [{ command: 'no-such-command' }, 'it did not start: spawn no-such-command ENOENT'],
    [{ cwd: '/no/such' }, 'it did not start: its folder "/no/such" does not exist'],
  ])('%j is named where it does not exist', async (missing, message) => {
    const opening = openServer({ ...oddServer('good'), ...missing }, LIMITS);
    await expect(opening).rejects.toThrow(message);
  });

  test.each(['family', 'stubborn'])('nothing of a %s server outlives its end', async (mode) => {
    const log = join(makeFolder(), 'pids');
    const server = await openOdd(mode, log);
    const pids = await readPids(log, 2);
    await server.close();
    expect(await survivors(pids)).toEqual([]);
  });

  test('lists its tools under its own name, despite lines that are not messages, and sees no variables but its own', async () => {
    const { version, tools } = await openOdd('chatty');
    expect(version).toBe('1.2.3');
    expect(tools.find(({ name }) => name === 'odd__echo')).toMatchObject({
      description: 'does echo',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      version: '1.2.3',
    });
    expect(await callOdd(tools, 'echo', { text: 'hi' })).toEqual({
      output: 'you said hi',
      media: [],
      failed: false,
    });
    const { output } = await callOdd(tools, 'environment');
    // Some systems add a variable to every process.
    const seen = output.split(',').filter((word) => !/^(PWD|SHLVL|_|__CF.*)$/.test(word));
    expect(seen).toEqual(['API_KEY', 'NODE_COMPILE_CACHE', 'PATH']);
  });

  test('has the beginning and the end of a long description, and a note names what was cut', async () => {
    const mcp = { file: '.mcp.json', servers: [oddServer('long description')] };
    const toolbox = await openToolbox({ mcp }, { tools: true, fetch_page: false, mcp: true });
    onTestFinished(() => toolbox.servers[0]?.close());
    const [whole = '', long = ''] = toolbox.servers.flatMap(({ tools }) =>
      tools.map(({ description }) => description),
    );
    expect(whole).toBe('d'.repeat(20_000));
    expect(long).toMatch(/^d{10000}\n\[\.\.\. 5 characters left out \.\.\.\]\nd{9996}tail$/);
    expect(JSON.stringify(toolbox.described)).toContain(JSON.stringify(long));
    const use = toToolUse(toolbox, []);
    expect(use.mcp).toMatchObject([{ tools: ['odd__a', 'odd__b'], cut: ['odd__b'] }]);
    expect(describeUse(use)).toMatch(
      /\(2 tools\); descriptions of more than 20,000 characters are cut: odd__b\.$/,
    );
  });

  test('shows its key nowhere in its description, and its tools can be called', async () => {
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

test('the servers of a run all end when one does not start, and every problem is named', async () => {
  const log = join(makeFolder(), 'pids');
  const bad = ['dies', 'no object'].map((mode) => ({ ...oddServer(mode), name: mode }));
  const settings = { file: '.mcp.json', servers: [oddServer('good', log), ...bad] };
  await expect(openServers(settings, LIMITS)).rejects.toThrow(
    /"dies": it did not start[\s\S]*"no object": its tool "a" cannot be offered to a model[\s\S]*Correct \.mcp\.json, or set EVAL_MCP/,
  );
  expect(await survivors(await readPids(log, 1))).toEqual([]);
});

describe('a call of an MCP tool', () => {
  test('returns to the model its text, pictures, sound and files, and says what cannot be shown', async () => {
    const { tools } = await openOdd('good');
    const call = async (name: string) => (await callOdd(tools, name)).output;
    expect(await call('nothing')).toBe('(the tool returned nothing)');
    expect(await call('structured')).toBe('{"a":1}');
    expect(await call('large')).toMatch(/^é+\n\[\.\.\. \d+ characters left out \.\.\.\]\né+$/);
    expect(await callOdd(tools, 'fail')).toMatchObject({
      output: 'Error: that went wrong',
      failed: true,
    });
    const { output, media } = await callOdd(tools, 'files');
    expect(output.split('\n')).toEqual([
      expect.stringContaining('image 1: png picture'),
      expect.stringContaining('image 2: png picture'),
      expect.stringMatching(/^\["image 3" has no text to read \(binary\)\. .+\]$/),
      expect.stringContaining('audio 4: wav recording'),
      'inside',
      '[x://b.txt]',
      'hi',
      'elsewhere: x://c',
    ]);
    expect(media.map(({ mediaType }) => mediaType)).toEqual([
      'image/png',
      'image/png',
      'audio/wav',
    ]);
  });

  test('has no key in its text, in its structure or in the name of a file', async () => {
    // JSON escapes a part of this key.
    const key = 'ab"cd\\efgh-1234';
    const server = { ...oddServer('good'), secrets: [key] };
    const { tools, close } = await openServer(
      { ...server, env: { ...server.env, API_KEY: key } },
      LIMITS,
    );
    onTestFinished(close);
    expect((await callOdd(tools, 'key')).output).toBe('the key is [key]');
    const { output } = await callOdd(tools, 'structured_key');
    expect(JSON.parse(output)).toEqual({ a: ['[key]', { deep: 'it is [key].' }] });
    expect((await callOdd(tools, 'named')).media).toMatchObject([
      { name: 'x://[key].png', kind: 'image' },
    ]);
  });

  test('that takes too long is reported to the model, and one whose sample is over ends at once: the server goes on', async () => {
    const { tools } = await openOdd('good');
    const { output: pid } = await callOdd(tools, 'pid');
    expect((await callOdd(tools, 'hang')).output).toMatch(
      /the MCP server "odd" gave no result: .*timed out/i,
    );
    const start = performance.now();
    await expect(
      callOdd(tools, 'hang', {}, { signal: AbortSignal.timeout(100) }),
    ).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(20_000);
    expect((await callOdd(tools, 'pid')).output).toBe(pid);
  });

  test('at which the server ends twice ends its sample, and others go on, however often', async () => {
    const { tools } = await openOdd('good');
    const { output: first } = await callOdd(tools, 'pid');
    for (let death = 0; death < 3; death++) {
      const gaveUp: Error[] = [];
      await callOdd(tools, 'die', {}, { giveUp: (error) => gaveUp.push(error) });
      const message = expect.stringMatching(
        /was lost twice during a call of "die": .*it ended with exit code 3/,
      );
      expect(gaveUp).toMatchObject([{ kind: 'server', message }]);
      expect((await callOdd(tools, 'pid')).output).toMatch(/^\d+$/);
    }
    expect((await callOdd(tools, 'pid')).output).not.toBe(first);
  });

  test('fails at once at a wrong reply; one without end ends its sample, in little memory, and the server starts again', async () => {
    const { tools, close } = await openServer(oddServer('good'), { ...LIMITS, callMs: 240_000 });
    onTestFinished(close);
    const { output: pid } = await callOdd(tools, 'pid');
    expect(await callOdd(tools, 'broken')).toMatchObject({
      failed: true,
      output: expect.stringContaining(
        'its reply is not valid: content.0.data: Invalid Base64 string',
      ),
    });
    expect((await callOdd(tools, 'pid')).output).toBe(pid);
    const gaveUp: Error[] = [];
    const before = process.memoryUsage().rss;
    await callOdd(tools, 'endless', {}, { giveUp: (error) => gaveUp.push(error) });
    expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000);
    expect(gaveUp).toMatchObject([{ message: expect.stringContaining('more than 20 MB') }]);
    expect((await callOdd(tools, 'echo', { text: 1 })).failed).toBe(false);
  });
});
