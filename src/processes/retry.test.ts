import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServer } from '../../test/loopback-server.ts';
import { limitBody, readPassing, readRetryAfter, retry, retryResponse } from './retry.ts';

test.each([
  [{}, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': ' 3 ' }, 3000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': 'Infinity' }, null],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 0],
  [{ 'retry-after': '3', 'retry-after-ms': '20' }, 20],
  [{ 'retry-after': '3', 'retry-after-ms': 'soon' }, 3000],
])('%j asks for a wait of %s ms', (headers, ms) => {
  expect(readRetryAfter(new Headers(Object.entries(headers)))).toBe(ms);
});

test('a date in Retry-After is waited for', () => {
  const until = new Date(Date.now() + 60_000).toUTCString();
  const ms = readRetryAfter(new Headers({ 'retry-after': until }));
  expect(ms).toBeGreaterThan(50_000);
  expect(ms).toBeLessThanOrEqual(60_000);
});

test.each([
  [200, null, false],
  [400, null, false],
  [400, 'true', true],
  [408, null, true],
  [409, null, true],
  [429, null, true],
  [429, 'false', false],
  [500, null, true],
  [529, 'maybe', true],
])('asks again after status %i with x-should-retry %s: %s', (status, header, isAsked) => {
  const headers = header === null ? {} : { 'x-should-retry': header };
  expect(readPassing(new Response('', { status, headers })) !== null).toBe(isAsked);
});

const LIMITS = { times: 2, pauseMs: 20, longestMs: 1000 };

test('doubles its pause, and gives up with the last error', async () => {
  let asked = 0;
  const pauses: number[] = [];
  const fail = () => Promise.reject(new Error(`no ${++asked}`));
  const passing = () => ({ retryAfterMs: null });
  const onPause = async (_: unknown, pausing: Promise<unknown>) => {
    const startedAt = performance.now();
    await pausing;
    pauses.push(performance.now() - startedAt);
  };
  await expect(retry(LIMITS, fail, passing, { onPause })).rejects.toThrow('no 3');
  const [first = 0, second = 0, ...more] = pauses;
  expect([first > 18, second > 38, more]).toEqual([true, true, []]);
});

test.each([
  ['a final error', () => null],
  ['a longer pause than is waited for', () => ({ retryAfterMs: 1001 })],
])('asks once for %s', async (_, toPassing) => {
  let asked = 0;
  const fail = () => Promise.reject(new Error(`no ${++asked}`));
  await expect(retry(LIMITS, fail, toPassing)).rejects.toThrow('no 1');
});

test('ends at once when its signal does, also in a pause', async () => {
  const over = new AbortController();
  const fail = () => Promise.reject(new Error('busy'));
  const passing = () => ({ retryAfterMs: 60_000 });
  const retrying = retry({ times: 4, pauseMs: 1 }, fail, passing, { signal: over.signal });
  await sleep(20);
  over.abort(new Error('late'));
  await expect(retrying).rejects.toMatchObject({ name: 'AbortError', cause: over.signal.reason });
  const after = retry(LIMITS, fail, passing, { signal: over.signal });
  await expect(after).rejects.toBe(over.signal.reason);
});

test('returns the last response after all refusals, and the good one after a broken connection', async () => {
  let asked = 0;
  const url = await startServer((_, response) => {
    asked += 1;
    if (asked === 4) response.socket?.resetAndDestroy();
    else response.writeHead(asked < 4 ? 503 : 200).end(`${asked}`);
  });
  const send = () => retryResponse(LIMITS, () => fetch(url)).then((reply) => reply.text());
  expect([await send(), await send()]).toEqual(['3', '5']);
});

test.each([
  [
    'a comment as data, and empty data',
    'data: : keepalive\n\ndata:\n\ndata: {"a":1}\n\n',
    'data: {"a":1}\n\n',
  ],
  [
    'an event without data',
    'event: ping\n\nevent: x\r\ndata: [DONE]\r\n\r\n',
    'event: x\r\ndata: [DONE]\r\n\r\n',
  ],
  ['words', 'data: ok\n\ndata: {\ndata: "a":1}\n\n', 'data: {\ndata: "a":1}\n\n'],
  ['nothing from the last event', 'data: {"a":1}\n\ndata: {"b', 'data: {"a":1}\n\ndata: {"b'],
])('leaves out of a stream %s, however it is cut', async (_, sent, passed) => {
  for (const size of [1, 3, 7, 1000]) {
    const chunks = sent.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
    const stream = ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk)));
    const headers = { 'content-type': 'text/event-stream' };
    const limits = { bytes: 100, streamBytes: 200 };
    const limited = limitBody(new Response(stream, { headers }), limits, {
      onExcess: () => new Error(),
    });
    expect(await limited.text()).toBe(passed);
  }
});
