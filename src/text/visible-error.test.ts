import { expect, test } from 'vitest';
import { toVisibleError } from './visible-error.ts';

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
