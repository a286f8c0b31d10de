import { describe, expect, test } from 'vitest';
import { describeThrown, mapError, toPlainError } from './thrown.ts';

const trap = (): never => {
  throw new Error('sprung');
};
const hostile = Object.defineProperty(new Error('x'), 'message', { get: trap });
const UNREADABLE = 'an unreadable value was thrown';
const proxy = new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap });

describe('what was thrown', () => {
  test.each([
    [new TypeError('broken'), 'TypeError: broken'],
    ['broken', "'broken'"],
    [undefined, 'undefined'],
    [Symbol('x'), 'Symbol(x)'],
    [{ status: 7 }, '{ status: 7 }'],
    [
      { [Symbol.for('nodejs.util.inspect.custom')]: trap },
      '{ Symbol(nodejs.util.inspect.custom): [Function: trap] }',
    ],
    [hostile, UNREADABLE],
    [proxy, UNREADABLE],
  ])('%# is described in words', (thrown, words) => {
    expect(describeThrown(thrown).replace(/: $/, '')).toBe(words);
  });

  test('keeps its causes, as many as anybody reads', () => {
    const error: Error = new Error('outer', { cause: new RangeError('inner') });
    expect(toPlainError(error)).toMatchObject({
      message: 'outer',
      cause: { name: 'RangeError', message: 'inner' },
    });
    error.cause = error;
    let depth = 0;
    for (let at: unknown = toPlainError(error); at instanceof Error; at = at.cause) depth++;
    expect(depth).toBe(6);
  });
});

test('an error is copied with each of its texts changed, and those of its causes', () => {
  const inner = new TypeError('in');
  const outer = new RangeError('out', { cause: inner });
  outer.stack = 'RangeError: out\n    at x';
  const changed = mapError(outer, (text) => text.toUpperCase());
  expect(changed).toMatchObject({
    name: 'RANGEERROR',
    message: 'OUT',
    stack: 'RANGEERROR: OUT\n    AT X',
  });
  expect(changed.cause).toMatchObject({ name: 'TYPEERROR', message: 'IN' });
});
