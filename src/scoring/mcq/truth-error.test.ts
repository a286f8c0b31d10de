import { expect, it } from 'vitest';
import { truthError } from './truth-error.ts';

it.each([
  ['E', '"E" (string)'],
  [7, '7 (number)'],
  [true, 'true (boolean)'],
  [['A', 'E'], '["A","E"] (list)'],
  [{ E: 1 }, '{"E":1} (object)'],
  [null, 'null'],
  [undefined, 'undefined'],
  ['\n', '"\\n" (string)'],
  ['x'.repeat(118), `"${'x'.repeat(118)}" (string)`],
  ['x'.repeat(119), `"${'x'.repeat(118)}… (string)`],
])('shows %j as %s', (received, shown) => {
  expect(truthError('is wrong', received, 'Mend it').message).toBe(`The truth is wrong, got ${shown}. Mend it.`);
});

it('shows a value that JSON does not know', () => {
  expect(truthError('is wrong', 12n, 'Mend it').message).toContain('got 12 (bigint).');
});
