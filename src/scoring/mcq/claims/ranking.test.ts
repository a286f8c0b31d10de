import { expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { mentionsOf } from './mentions.ts';
import { isRanking } from './ranking.ts';

it.each([
  ['Ranked by fit: A, C', true],
  ['Rank: A, C', true],
  ['Ranks: A, C', true],
  ['My ranking is A, C', true],
  ['In order: A, C', true],
  ['The order of fit: A, C', true],
  ['Sorted: A, C', true],
  ['From best to worst: A, C', true],
  ['From most to least likely: A, C', true],
  ['Frank: A, C', false],
  ['Ranked: see above. So A, C', false],
  ['Rankled: A, C', false],
  ['Ranked first: A', false],
  ['So we get: C, A', false],
  ['So we get: C, A, D, B', true],
  ['So we get: A, B, C, D', false],
])('whether %j ranks options: %s', (output, ranks) => {
  const reading = readingOf(output);
  expect(mentionsOf(reading).some((mention) => isRanking(reading, mention))).toBe(ranks);
});
