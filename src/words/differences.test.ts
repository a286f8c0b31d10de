import { expect, test } from 'vitest';
import { cutApart, describeDifferences } from './differences.ts';

test.each<[actual: unknown, expected: unknown, said: string | null]>([
  [{ total: 12, vendor: 'A' }, { vendor: 'A', total: 13 }, 'total is 12, not 13'],
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'a.b[1] is 2, not 3'],
  [[1], [1, 2], '[1] is missing'],
  [[1, 2], [1], '[1] is not expected'],
  [{}, { 'a b': 1 }, '"a b" is missing'],
  [{ a: null }, { a: 'x' }, 'a is null, not "x"'],
  [{ a: [] }, { a: {} }, 'a is [], not {}'],
  [
    [5, 6, 7, 8, 9],
    [1, 2, 3, 4, 9],
    '[0] is 5, not 1; [1] is 6, not 2; [2] is 7, not 3; and 1 more',
  ],
  [{ a: 'e\u001b[2J' }, { a: 'e' }, 'a is "e\\u001b[2J", not "e"'],
  [{ a: 1, b: 2 }, { a: expect.any(Number), b: 3 }, 'b is 2, not 3'],
  [
    { a: `${'x'.repeat(500)}1${'y'.repeat(500)}` },
    { a: `${'x'.repeat(500)}2${'y'.repeat(500)}` },
    `a is "…${'x'.repeat(20)}1${'y'.repeat(20)}…", not "…${'x'.repeat(20)}2${'y'.repeat(20)}…"`,
  ],
  [{ a: 1 }, { a: 1 }, null],
  [1, 2, null],
  ['a', ['a'], null],
  [new Date(0), new Date(1), null],
])('says where %j differs from %j', (actual, expected, said) => {
  expect(describeDifferences(actual, expected)).toBe(said);
});

const nest = (depth: number, leaf: unknown) =>
  Array.from({ length: depth }).reduce((inner) => ({ inner }), leaf);

test('says nothing endless of what is nested, or refers to itself', () => {
  expect(describeDifferences(nest(5000, 1), nest(5000, 2))).toContain('.inner is ');
  const [one, other] = [{ a: 1 }, { a: 2 }].map((own) => Object.assign(own, { own, again: own }));
  expect(describeDifferences(one, other)).toContain('a is 1, not 2');
});

test.each<[string, string, readonly [string, string]]>([
  ['short', 'text', ['short', 'text']],
  [`${'a'.repeat(50)}X`, `${'a'.repeat(50)}Y`, ['…aaaaaX', '…aaaaaY']],
  [`X${'a'.repeat(50)}`, `Y${'a'.repeat(50)}`, ['Xaaaaa…', 'Yaaaaa…']],
  ['b'.repeat(50), 'c'.repeat(60), [`${'b'.repeat(20)}…`, `${'c'.repeat(20)}…`]],
  ['a'.repeat(50), 'a'.repeat(51), ['…aaaaa', '…aaaaaa']],
  ['', 'd'.repeat(30), ['', `${'d'.repeat(20)}…`]],
])('cuts %j and %j around what differs', (one, other, cut) => {
  expect(cutApart(one, other, 20)).toEqual(cut);
});
