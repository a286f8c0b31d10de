import { describe, expect, test } from 'vitest';
import { describeThrown, toPlainError, toVisibleError } from './thrown.ts';

const trap = (): never => {
  throw new Error('sprung');
};
const hostile = Object.defineProperty(new Error('x'), 'message', { get: trap });
const proxy = new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap });

describe('what was thrown', () => {
  test.each([
    [new TypeError('broken'), 'TypeError: broken'],
    ['broken', "'broken'"],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('x'), 'Symbol(x)'],
    [{ status: 7 }, '{ status: 7 }'],
    [{ [Symbol.for('nodejs.util.inspect.custom')]: trap }, '{ Symbol(nodejs.util.inspect.custom): [Function: trap] }'],
    [Object.assign(new Error('x'), { name: Symbol('n'), message: 7 }), 'Symbol(n): 7'],
    [hostile, 'Error'],
    [proxy, '{}'],
  ])('%# is told in words', (thrown, words) => {
    expect(describeThrown(thrown).replace(/: $/, '')).toBe(words);
  });

  test('is cut where its message is huge', () => {
    expect(describeThrown(new Error('x'.repeat(1_000_000))).length).toBeLessThan(21_000);
    expect(describeThrown('x'.repeat(1_000_000)).length).toBeLessThan(21_000);
  });

  test('keeps its causes, as many as anybody reads', () => {
    const error: Error = new Error('outer', { cause: new RangeError('inner') });
    expect(toPlainError(error)).toMatchObject({ message: 'outer', cause: { name: 'RangeError', message: 'inner' } });
    error.cause = error;
    let depth = 0;
    for (let at: unknown = toPlainError(error); at instanceof Error; at = at.cause) depth++;
    expect(depth).toBe(6);
  });
});

test('an error keeps its lines, its name and its causes, and has nothing that acts on a terminal', () => {
  const inner = new TypeError('in\u001b[2J');
  const outer = new RangeError('a\nb\u202e', { cause: inner });
  outer.stack = 'RangeError: a\n    at /x/\u001b[2J.mjs:1:7';
  const shown = toVisibleError(outer);
  expect(shown).toMatchObject({ name: 'RangeError', message: 'a\nb\\u{202e}' });
  expect(shown.stack).toBe('RangeError: a\n    at /x/\\u{1b}[2J.mjs:1:7');
  expect(shown.cause).toMatchObject({ name: 'TypeError', message: 'in\\u{1b}[2J' });
});

test('what was thrown may be no error', () => {
  expect(toVisibleError(5).message).toBe('5');
});
