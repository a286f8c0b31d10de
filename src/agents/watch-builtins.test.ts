import { beforeEach, expect, test } from 'vitest';
import { keepBuiltins, restoreBuiltins } from './watch-builtins.ts';

beforeEach(keepBuiltins);

const replace = (holder: object, key: PropertyKey, value: unknown) =>
  void Reflect.defineProperty(holder, key, { value, configurable: true, writable: true });

const broken = () => {
  throw new Error('replaced');
};

test.each<[string, object, PropertyKey, unknown]>([
  ['String.prototype.trim', String.prototype, 'trim', () => 'owned'],
  ['RegExp.prototype.exec', RegExp.prototype, 'exec', () => null],
  ['Array.prototype.map', Array.prototype, 'map', broken],
  ['Array.prototype.push', Array.prototype, 'push', broken],
  ['Array.prototype.Symbol(Symbol.iterator)', Array.prototype, Symbol.iterator, broken],
  ['Map.prototype.set', Map.prototype, 'set', broken],
  ['Set.prototype.has', Set.prototype, 'has', () => true],
  ['Promise.prototype.then', Promise.prototype, 'then', broken],
  ['Promise.race', Promise, 'race', broken],
  ['Object.defineProperty', Object, 'defineProperty', broken],
  ['AbortSignal.prototype.throwIfAborted', AbortSignal.prototype, 'throwIfAborted', broken],
  ['globalThis.Promise', globalThis, 'Promise', null],
  ['globalThis.AbortController', globalThis, 'AbortController', null],
])('%s is put back, and named', (name, holder, key, value) => {
  const before = Reflect.getOwnPropertyDescriptor(holder, key);
  replace(holder, key, value);
  const changed = restoreBuiltins();
  expect(changed).toEqual([name]);
  expect(Reflect.getOwnPropertyDescriptor(holder, key)).toEqual(before);
  expect(restoreBuiltins()).toEqual([]);
});

test.each(['toJSON', 'get', 'set', 'value', 'then', 'error', 'a secret'])('%s of all objects is taken away', (key) => {
  replace(Object.prototype, key, () => 'owned');
  const changed = restoreBuiltins();
  expect(changed).toEqual(['Object.prototype (a new key)']);
  expect(key in {}).toBe(false);
  expect(restoreBuiltins()).toEqual([]);
});

test('what is removed comes back', () => {
  Reflect.deleteProperty(String.prototype, 'trim');
  const changed = restoreBuiltins();
  expect(changed).toEqual(['String.prototype.trim']);
  expect(' a '.trim()).toBe('a');
});

test('the date is left to the agent', () => {
  const { now } = Date;
  Date.now = () => 0;
  const changed = restoreBuiltins();
  const frozen = Date.now();
  Date.now = now;
  expect([changed, frozen]).toEqual([[], 0]);
});
