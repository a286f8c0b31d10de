import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['EVAL_LIMITS', 'EVAL_LIMIT'],
  ['EVAL_SEEDS', 'EVAL_SEED'],
  ['EVAL_LIMTI', 'EVAL_LIMIT'],
])('%s is nearest to %s', (word, expected) => {
  expect(nearest(word, ['EVAL_SEED', 'EVAL_LIMIT', 'EVAL_MIN_ACCURACY'])).toBe(expected);
});

test('a part of a name is nearer than a short name', () => {
  expect(nearest('effort', ['tools', 'reasoning_effort'])).toBe('reasoning_effort');
});

test('answers with nothing when there are no candidates', () => {
  expect(nearest('x', [])).toBe('');
});
