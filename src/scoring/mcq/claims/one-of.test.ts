import { expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { isOneOf } from './one-of.ts';

it.each([
  ['one of ', true],
  ['Only one of the ', true],
  ['Either of ', true],
  ['So neither of ', true],
  ['none of ', true],
  ['which of ', true],
  ['any of ', true],
  ['eine von ', true],
  ['einer von ', true],
  ['eines von ', true],
  ['una de ', true],
  ['uno di ', true],
  ['une de ', true],
  ['un de ', false],
  ['um de ', true],
  ['uma de ', true],
  ['both of ', false],
  ['someone of ', false],
  ['one of these and ', false],
  ['one of them: ', false],
])('whether "%sB" speaks of one of several: %s', (before, one) => {
  expect(isOneOf(readingOf(`${before}B`), before.length)).toBe(one);
});
