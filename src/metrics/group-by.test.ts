import { expect, it } from 'vitest';
import { groupBy } from './group-by.ts';

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
