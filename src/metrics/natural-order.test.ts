import { expect, it } from 'vitest';
import { compareNaturally } from './natural-order.ts';

it.each([
  [
    ['level 10', 'level 2', 'level 1'],
    ['level 1', 'level 2', 'level 10'],
  ],
  [
    ['Law', 'history', 'Art'],
    ['Art', 'history', 'Law'],
  ],
  [
    ['b', '', 'a'],
    ['', 'a', 'b'],
  ],
])('sorts %j as people do', (names, sorted) => {
  expect([...names].sort(compareNaturally)).toEqual(sorted);
});

it('tells names apart that the collator calls equal, the same way round each time', () => {
  const [composed, decomposed] = ['\u00e9', 'e\u0301'];
  expect(compareNaturally(decomposed, composed)).toBe(-1);
  expect(compareNaturally(composed, decomposed)).toBe(1);
  expect(compareNaturally(composed, composed)).toBe(0);
});
