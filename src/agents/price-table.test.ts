import { expect, test } from 'vitest';
import { findPriceProblems, type PriceTable } from './price-table.ts';

test.each([
  ['{}', []],
  ['{"m": {"input": 1, "output": 0, "cacheRead": 0.1, "cacheWrite": 2}}', []],
  [
    '{"m": {"input": 1}}',
    ['The price of "m": "output" must be USD for a million tokens, a number from 0 to 1000000, got nothing.'],
  ],
  [
    '{"m": {"input": "1", "output": -2}}',
    [
      'The price of "m": "input" must be USD for a million tokens, a number from 0 to 1000000, got "1" (string).',
      'The price of "m": "output" must be USD for a million tokens, a number from 0 to 1000000, got -2 (number).',
    ],
  ],
  [
    '{"m": {"input": 1, "output": 1, "cacheread": 1}}',
    [
      'The price of "m": "cacheread" is not a kind of token. Did you mean cacheRead? ' +
        'Known: input, output, cacheRead, cacheWrite.',
    ],
  ],
])('finds what is wrong with %s', (json, problems) => {
  const table: PriceTable = JSON.parse(json);
  expect(findPriceProblems(table)).toEqual(problems);
});
