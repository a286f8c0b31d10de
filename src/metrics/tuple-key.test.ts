import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toTupleKey } from './tuple-key.ts';

it.each([
  [
    ['a', 'bc'],
    ['ab', 'c'],
  ],
  [
    ['', 'a'],
    ['a', ''],
  ],
  [
    ['1:a', ''],
    ['', '1:a'],
  ],
  [
    ['a', '0:'],
    ['a0:', ''],
  ],
])('keeps %j and %j apart', (left, right) => {
  expect(toTupleKey(...left)).not.toBe(toTupleKey(...right));
});

it('gives equal keys to equal tuples alone', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('0', '1', ':', 'a'), maxLength: 3 }), {
    minLength: 2,
    maxLength: 2,
  });
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      expect(toTupleKey(...left) === toTupleKey(...right)).toBe(left[0] === right[0] && left[1] === right[1]);
    }),
  );
});
