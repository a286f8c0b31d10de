import { expect, test } from 'vitest';
import { describeError } from './describe-error.ts';

test.each([
  [new Error('it broke'), 'it broke'],
  [{ message: 'it broke' }, 'it broke'],
  ['it broke', 'it broke'],
  [undefined, 'undefined'],
  [{ type: 'Unhandled Error', stacks: [] }, 'an error without a message'],
])('an error %j is told in words', (error, text) => {
  expect(describeError(error, [])).toMatch(text);
});
