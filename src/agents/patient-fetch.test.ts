import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/loopback-server.ts';
import { patientFetch } from './patient-fetch.ts';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** A dispatcher like the one in force, which gives up after a second where fetch's own gives up after 300. */
function hurry(): void {
  const inForce = Reflect.get(globalThis, DISPATCHER);
  const hurried: unknown = new inForce.constructor({ headersTimeout: 1000, bodyTimeout: 1000 });
  Reflect.set(globalThis, DISPATCHER, hurried);
  onTestFinished(() => void Reflect.set(globalThis, DISPATCHER, inForce));
}

function startSlowServer(): Promise<string> {
  return startServer((_, response) => {
    setTimeout(() => response.end('at last'), 3500);
  });
}

test('waits for a reply whose headers take longer than fetch allows', async () => {
  const url = await startSlowServer();
  hurry();
  const [plain, patient] = await Promise.allSettled([fetch(url), patientFetch(url).then((reply) => reply.text())]);
  expect(plain).toMatchObject({ status: 'rejected', reason: { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } } });
  expect(patient).toEqual({ status: 'fulfilled', value: 'at last' });
});

test('ends with its signal', async () => {
  const url = await startSlowServer();
  const reason = new Error('late');
  await expect(patientFetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
