import { expect, test } from 'vitest';
import { didYouMean, nearest, suggestId } from './similar-names.ts';

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
  ['japn*', ' The nearest id is "japan".'],
  ['zz', ' The first ids: australia, japan.'],
])('for the id %s, which none has, it says: "%s"', (pattern, said) => {
  expect(suggestId(pattern, ['australia', 'japan'])).toBe(said);
});
