import { expect, it } from 'vitest';
import { findAll } from './find-all.ts';

it.each([
  ['', /a/g],
  ['banana', /an/g],
  ['banana', /(?=a)/g],
  ['a😀b', /(?:)/g],
  ['a😀b', /(?:)/gu],
  ['😀😀', /a*/gu],
  ['\ud83d a', /\s*/gu],
])('finds in %j what matchAll finds of %s', (text, pattern) => {
  const all = [...text.matchAll(pattern)];
  expect([...findAll(text, pattern)]).toEqual(all);
  // A pattern begins anew for each text.
  expect([...findAll(text, pattern)]).toEqual(all);
});
