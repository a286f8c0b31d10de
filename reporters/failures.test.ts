import { expect, test } from 'vitest';
import { describeError } from './failures.ts';

test.each([
  [new Error('it broke'), 'it broke'],
  [{ message: 'it broke' }, 'it broke'],
  ['it broke', 'it broke'],
  [undefined, 'undefined'],
  // The report of a shard whose worker was killed has no more of its error than this.
  [
    { type: 'Unhandled Error', stacks: [] },
    /^an error whose message is not in Vitest's report \(blob\)\. Read the/,
  ],
])('an error %j is told in words', (error, text) => {
  expect(describeError(error, [])).toMatch(text);
});
