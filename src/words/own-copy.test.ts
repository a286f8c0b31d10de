import { expect, test } from 'vitest';
import { ownCopy } from './own-copy.ts';

const shared = { name: 'x' };
const round: Record<string, unknown> = { list: [1] };
round['self'] = round;
const fails = () => 1;
class Money {
  amount = 3;
}

test.each<[string, unknown, unknown]>([
  ['texts, numbers and null', ['a', 1, null, true], ['a', 1, null, true]],
  ['fields in fields', { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1 }] } }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: [] }), { a: [] }],
  ['no field without a value', { a: undefined, b: null }, { b: null }],
  ['a field named __proto__', JSON.parse('{"__proto__": [1]}'), JSON.parse('{"__proto__": [1]}')],
  [
    'dates, patterns and bytes',
    [new Date(7), /a/g, Uint8Array.of(9), Buffer.from('a')],
    [new Date(7), /a/g, Uint8Array.of(9), Buffer.from('a')],
  ],
])('copies %s', (_, value, expected) => {
  const copy = ownCopy(value);
  expect(copy).toStrictEqual(expected);
  expect(copy).not.toBe(value);
});

test('copies each object once, also one that contains itself', () => {
  const copy = ownCopy({ one: shared, two: [shared], round });
  expect(copy.one).toBe(copy.two[0]);
  expect(copy.one).not.toBe(shared);
  expect(copy.round['self']).toBe(copy.round);
  expect(copy.round).not.toBe(round);
});

test('copies what is in maps and sets, and leaves functions there', () => {
  const [list, name] = [[1], { key: 1 }];
  const value = new Map<unknown, unknown>([
    ['list', list],
    ['fails', fails],
    [name, new Set([list])],
  ]);
  const copy = ownCopy(value);
  expect(copy).toStrictEqual(value);
  expect(copy.get('list')).not.toBe(list);
  expect(copy.get('fails')).toBe(fails);
  expect(copy.has(name)).toBe(false);
});

test('copies what is nested deeper than the stack', () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  expect(Array.isArray(ownCopy(deep))).toBe(true);
});

test.each([
  ['a function', fails],
  ['an object of a class', new Money()],
])('leaves %s as it is', (_, value) => {
  expect(ownCopy({ value }).value).toBe(value);
});
