import { expect, test } from 'vitest';
import { partOf, plural } from './show.ts';
import { countVariants, didYouMean, formatPercent, formatPercents, nearest } from './wording.ts';

test.each([
  [0, '0 questions'],
  [1, '1 question'],
  [30, '30 questions'],
])('%i is %s', (count, text) => expect(plural(count, 'question')).toBe(text));

test('a verb follows its number', () => {
  expect([plural(1, 'call was', 'calls were'), plural(2, 'call was', 'calls were')]).toEqual([
    '1 call was',
    '2 calls were',
  ]);
});

test.each([
  [1, 1, '1 of 1 answer is hidden'],
  [1, 2, '1 of 2 answers is hidden'],
  [2, 2, '2 of 2 answers are hidden'],
])('a verb follows the number of answers: %i of %i', (part, whole, text) => {
  expect(`${partOf(part, whole, 'answer', 'is', 'are')} hidden`).toBe(text);
});

test.each([
  ['EVAL_SEEDS', 'EVAL_SEED'],
  ['EVAL_LIMTI', 'EVAL_LIMIT'],
])('%s is nearest to %s', (word, expected) => {
  expect(nearest(word, ['EVAL_SEED', 'EVAL_LIMIT', 'EVAL_MIN_ACCURACY'])).toBe(expected);
});

test.each([
  ['cuont', ' Did you mean count?'],
  ['clear', ''],
])('asks whether %s was meant to be a similar name: "%s"', (word, said) => {
  expect(didYouMean(word, ['count', 'initialise'])).toBe(said);
});

test.each([
  [7 / 12, '58.3 %'],
  [1 / 33_334, '0.003 %'],
  [0.001, '0.1 %'],
  [33_333 / 33_334, '99.997 %'],
  [0.999, '99.9 %'],
  [0, '0.0 %'],
  [1, '100.0 %'],
])('the rate %d is never rounded to 0 or 100 %%, nor to what it is not near', (rate, text) => {
  expect(formatPercent(rate)).toBe(text);
});

test.each([
  [0.5, 0.6, ['50.0 %', '60.0 %']],
  [0.7, 0.7, ['70.0 %', '70.0 %']],
  [0.5999, 0.6, ['59.99 %', '60.00 %']],
  [2 / 3, 0.66667, ['66.6667 %', '66.6670 %']],
  // The difference is in the thirteenth digit: more digits make no sense.
  [0.6, 0.6 + 1e-16, ['60.000000000000 %', '60.000000000000 %']],
])('tells %d and %d apart', (left, right, texts) => {
  expect(formatPercents(left, right)).toEqual(texts);
});

test.each([
  [['a', 'b'], [undefined], '2 agents'],
  [['a'], ['x', 'y'], '2 prompts'],
  [['a', 'b'], ['x', 'y', 'z'], '3 prompts x 2 agents'],
])('the agents %j with the prompts %j are %s', (agents, prompts, text) => {
  expect(
    countVariants(agents.flatMap((agent) => prompts.map((prompt) => ({ agent, prompt })))),
  ).toBe(text);
});
