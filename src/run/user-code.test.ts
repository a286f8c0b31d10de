import { expect, test } from 'vitest';
import { RecordError } from '../data/files/record.ts';
import { awaitOfSuite, callOfSuite } from './user-code.ts';

const OF = { name: 'map', suite: 'own', file: 'own.eval.ts' };

test('a function that must return at once and returns a promise is refused', () => {
  const call = () => callOfSuite(OF, () => Promise.reject(new Error('late')));
  expect(call).toThrow(RecordError);
  expect(call).toThrow('own.eval.ts: "map" returned a promise, and nothing waits for one. ');
});

test.each<[string, () => unknown]>([
  ['a promise that never settles', () => new Promise(() => {})],
  // biome-ignore lint/suspicious/noThenProperty: a library may return one.
  ['another object with a then that never calls', () => ({ then: () => {} })],
])('%s ends at the limit, and its error says whose it is', async (_, call) => {
  await expect(awaitOfSuite(OF, [20], call)).rejects.toThrow(
    'own.eval.ts: "map" of suite own has not ended after 0.02 s. Await only what ends.',
  );
});

test('a returned value that cannot be read is an error of the function, also behind a promise', async () => {
  const returned = {
    get value() {
      // Without the frames of this file, which is one of viva.
      throw Object.assign(new Error('no connection'), { stack: '' });
    },
  };
  const message = /"map" failed \(Error: no connection\)/;
  expect(() => callOfSuite(OF, () => returned)).toThrow(message);
  await expect(awaitOfSuite(OF, [1000], async () => returned)).rejects.toThrow(message);
});

test('what it changes later in what its promise gave changes nothing', async () => {
  const given = { id: 'a' };
  const got = await awaitOfSuite(OF, [1000], async () => given);
  given.id = 'b';
  expect(got).toEqual({ id: 'a' });
});

test('what it rejects with later is not lost in the process', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await expect(awaitOfSuite(OF, [1], () => promise)).rejects.toThrow('has not ended');
  reject(new Error('after the limit'));
  await new Promise(setImmediate);
});
