import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { compareNaturally, createSuiteKey, groupBy, toTupleKey } from './groups.ts';

it('keeps groups in order of first appearance and rows in their order', () => {
  const groups = groupBy(['b1', 'a1', 'b2'], (row) => row.slice(0, 1));
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ]);
});

it.each(['__proto__', 'constructor', 'toString', ''])('takes %j as a plain key', (key) => {
  expect([...groupBy([1, 2], () => key)]).toEqual([[key, [1, 2]]]);
});

test('a key tells suites, datasets and agents apart, also those that follow one another', () => {
  const toKey = createSuiteKey();
  const parts = { suite: 's', dataset: 'd', agent: 'a' };
  const others = [{ suite: 'x' }, { dataset: 'x' }, { agent: 'x' }].map((change) => ({ ...parts, ...change }));
  const keys = [parts, ...others, parts].map(toKey);
  expect(new Set(keys).size).toBe(4);
  expect([keys[4], toKey({ ...parts })]).toEqual([keys[0], keys[0]]);
});

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
