import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/loopback-server.ts';
import { ModelFetch, patientFetch } from './fetch.ts';

const serve = (reply: (response: ServerResponse) => void) =>
  startServer((_, response) => reply(response));

const { fetch: send } = new ModelFetch({ replyLimits: { bytes: 1000, streamBytes: 4000 } });

describe('ModelFetch', () => {
  test.each([
    ['application/json', 1000],
    ['text/event-stream', 1000],
  ])('reads %s up to %i bytes, and fails at the next one', async (type, most) => {
    let asked = 0;
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': type });
      response.end('x'.repeat(most + asked++));
    });
    expect(await (await send(url)).text()).toHaveLength(most);
    const problem = `The server sent more than ${most / 1_000_000} MB in one piece`;
    const tooLong = send(url).then((reply) => reply.text());
    await expect(tooLong).rejects.toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining(problem),
    });
  });

  test.each(['\n\n', '\r\n\r\n'])(
    'takes more of a stream whose events end with %j, up to its own limit',
    async (end) => {
      const event = `${'x'.repeat(500 - end.length)}${end}`;
      let events = 8;
      const url = await serve((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        response.end(event.repeat(events++));
      });
      expect(await (await send(url)).text()).toHaveLength(4000);
      await expect(send(url).then((reply) => reply.text())).rejects.toThrow('more than 0.004 MB');
    },
  );

  test('reports the status of an error whose body breaks off', async () => {
    const url = await serve((response) => {
      response.writeHead(429, { 'x-should-retry': 'false' }).write('slow down');
      setTimeout(() => response.destroy(), 20);
    });
    const reply = await send(url);
    expect([reply.status, await reply.text()]).toEqual([429, '']);
  });

  test('keeps the reason of an abort while an error comes in', async () => {
    const url = await serve((response) => response.writeHead(500).write('x'));
    const reason = new Error('late');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await expect(send(url, { signal: controller.signal })).rejects.toBe(reason);
  });
});

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** A dispatcher like the current one, with limits of 1 s instead of fetch's 300 s. */
function hurry(): void {
  const inForce = Reflect.get(globalThis, DISPATCHER);
  const hurried: unknown = new inForce.constructor({ headersTimeout: 1000, bodyTimeout: 1000 });
  Reflect.set(globalThis, DISPATCHER, hurried);
  onTestFinished(() => void Reflect.set(globalThis, DISPATCHER, inForce));
}

function startSlowServer(): Promise<string> {
  return startServer((_, response) => {
    setTimeout(() => response.end('at last'), 5000);
  });
}

test('waits for a reply whose headers take longer than fetch allows', async () => {
  const url = await startSlowServer();
  hurry();
  const [plain, patient] = await Promise.allSettled([
    fetch(url),
    patientFetch(url).then((reply) => reply.text()),
  ]);
  expect(plain).toMatchObject({
    status: 'rejected',
    reason: { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } },
  });
  expect(patient).toEqual({ status: 'fulfilled', value: 'at last' });
});
