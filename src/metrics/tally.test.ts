import { expect, it } from 'vitest';
import { toTrials } from './result.fixture.ts';
import { tallyQuestions } from './tally.ts';

it('tallies the graded trials of each question', () => {
  const results = [...toTrials('a', 'u++-.'), ...toTrials('b', 'u.'), ...toTrials('__proto__', '!')];
  expect(tallyQuestions(results)).toEqual(
    new Map([
      ['a', { correct: 2, graded: 3 }],
      ['b', { correct: 0, graded: 0 }],
      ['__proto__', { correct: 0, graded: 1 }],
    ]),
  );
});
