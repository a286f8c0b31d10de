import { describe, expect, onTestFinished, test } from 'vitest';
import { callOdd, LIMITS, oddServer, openOdd } from '../../../test/mcp/open-odd.ts';
import { openServer } from './mcp-tools.ts';

describe('an MCP server that runs', { timeout: 30_000 }, () => {
  test('a call that takes too long is told to the model', async () => {
    const { tools } = await openOdd('good');
    expect((await callOdd(tools, 'hang')).output).toMatch(/the MCP server "odd" gave no result: .*timed out/i);
  });

  test.each(['null_result', 'text_result', 'no_result', 'text_error'])(
    'a reply without a usable result is told to the model at once: %s',
    async (name) => {
      const { tools, close } = await openServer(oddServer('good'), { ...LIMITS, callMs: 120_000 });
      onTestFinished(close);
      const { output } = await callOdd(tools, name);
      expect(output).toMatch(/the MCP server "odd" gave no result: .*its reply holds no result and no error/);
    },
  );

  test('a call ends with the signal, and the server goes on', async () => {
    const { tools } = await openOdd('good');
    const { output: pid } = await callOdd(tools, 'pid');
    const signal = AbortSignal.timeout(100);
    const start = performance.now();
    await expect(callOdd(tools, 'hang', {}, { signal })).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(900);
    expect((await callOdd(tools, 'pid')).output).toBe(pid);
  });

  test('a call at which the server ends twice ends its sample, and others go on, however often', async () => {
    const { tools } = await openOdd('good');
    const { output: first } = await callOdd(tools, 'pid');
    for (let death = 0; death < 3; death++) {
      const given: Error[] = [];
      await callOdd(tools, 'die', {}, { giveUp: (error) => given.push(error) });
      const message = 'ended twice at a call of "die": ';
      expect(given).toMatchObject([{ kind: 'server', message: expect.stringContaining(message) }]);
      expect(given[0]?.message).toContain('it ended with exit code 3');
      expect((await callOdd(tools, 'pid')).output).toMatch(/^\d+$/);
    }
    expect((await callOdd(tools, 'pid')).output).not.toBe(first);
  });

  test('calls that were under way when another one ended the server are repeated', async () => {
    const { tools } = await openOdd('good');
    const given: string[] = [];
    const results = await Promise.all(
      ['slow', 'die', 'slow', 'slow'].map((name) => callOdd(tools, name, {}, { giveUp: () => given.push(name) })),
    );
    expect(results.map(({ output, failed }) => (failed ? 'failed' : output))).toEqual([
      'at last',
      'failed',
      'at last',
      'at last',
    ]);
    expect(given).toEqual(['die']);
  });

  test('a call that hangs holds up none of those that lost the server with it', async () => {
    const { tools, close } = await openServer(oddServer('good'), { ...LIMITS, callMs: 120_000 });
    onTestFinished(close);
    const sample = new AbortController();
    const hanging = callOdd(tools, 'hang', {}, { signal: sample.signal });
    const others = ['slow', 'die', 'slow'].map((name) => callOdd(tools, name));
    expect((await Promise.all(others)).map(({ failed }) => failed)).toEqual([false, true, false]);
    sample.abort();
    await expect(hanging).rejects.toThrow();
  });

  test('a call that lost the server, or waits for it to start again, tells that it was put off, and no other does', async () => {
    const { tools } = await openOdd('good');
    const listen = async (names: readonly string[]) => {
      const heard = new Map<string, unknown>();
      const listenTo = (name: string) => callOdd(tools, name, {}, { onBackOff: (why) => heard.set(name, why) });
      await Promise.all(names.map(listenTo));
      return Object.fromEntries(heard);
    };
    const why = { kind: 'server', status: null, requestId: null, server: 'odd, over MCP' };
    expect(await listen(['slow', 'die'])).toEqual({ slow: why, die: why });
    expect(await listen(['pid'])).toEqual({ pid: why });
    expect(await listen(['pid'])).toEqual({});
  });

  test('a server that ends again and again without a result is gone', async () => {
    const { tools } = await openOdd('good');
    const given: Error[] = [];
    const giveUp = (error: Error) => given.push(error);
    for (let death = 0; death < 6; death++) await callOdd(tools, 'die', {}, { giveUp });
    await callOdd(tools, 'pid', {}, { giveUp });
    expect(given.at(-1)).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('is gone: it ended 6 times'),
    });
  });

  test('lines that are no messages do no harm', async () => {
    const { tools } = await openOdd('chatty');
    expect((await callOdd(tools, 'echo', { text: 'hi' })).output).toBe('you said hi');
  });
});
