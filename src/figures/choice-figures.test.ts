import { describe, expect, it } from 'vitest';
import type { SampleResult, State } from '../words/row.ts';
import { bucketConfidence, computeChance, countPositions } from './choice-figures.ts';
import { toResult } from './result.fixture.ts';

describe('bucketConfidence', () => {
  it('returns the accuracy of each bucket, the lowest confidence first', () => {
    const results = [
      toResult('correct', { confidence: 'high' }),
      toResult('incorrect', { confidence: 'high' }),
      toResult('no_answer', { confidence: 'low' }),
      toResult('correct', { confidence: null }),
    ];
    expect(bucketConfidence(results).buckets).toEqual([
      { bucket: 'low', n: 1, correct: 0, accuracy: 0 },
      { bucket: 'high', n: 2, correct: 1, accuracy: 0.5 },
      { bucket: 'not stated', n: 1, correct: 1, accuracy: 1 },
    ]);
  });

  it.each([
    ['["High", " medium ", "LOW"]', 'low, medium, high'],
    ['["very_high", "Very Low", "moderate", "med"]', 'very low, medium, very high'],
    ['[0.2, 0.5, 0.89, 0.9, 1]', 'under 50 %, 50 to 70 %, 70 to 90 %, from 90 %'],
    ['[1, 3, 8.5, 10]', 'under 50 %, 70 to 90 %, from 90 %'],
    ['[0.95, 0.6, 5, 80, "high"]', 'high, on mixed scales'],
    ['[0.9, "85%"]', 'on mixed scales'],
    ['["62.5", " 61 "]', '50 to 70 %'],
    ['["0.61234567890123", ".6"]', '50 to 70 %'],
    ['["over 60", "about 60 %", "60 % or so", "60 or so", "0.6."]', 'other'],
    ['["not stated", "from 90 %", "0x10", "__proto__", "constructor", -1, 150, ""]', 'other'],
  ])('puts %s into %s', (stated, buckets) => {
    const confidences: SampleResult['confidence'][] = JSON.parse(stated);
    const results = confidences.map((confidence) => toResult('correct', { confidence }));
    expect(
      bucketConfidence(results)
        .buckets.map(({ bucket }) => bucket)
        .join(', '),
    ).toBe(buckets);
  });

  it.each([
    [['0.2', 1], 1],
    [[1, '8.5'], 10],
    [[3, 95], 100],
    [[0.9, 95], null],
  ])('finds one scale for all of %j: %s', (stated, scale) => {
    const results = stated.map((confidence) => toResult('correct', { confidence }));
    expect(bucketConfidence(results).scale).toBe(scale);
  });

  it('reads probabilities on the scale of the run, and none from words', () => {
    const stated = [50, 95, '85%', 'high', null].map((confidence, index) =>
      toResult(index === 1 ? 'incorrect' : 'correct', { id: `q${index}`, confidence }),
    );
    expect(bucketConfidence(stated).stated).toEqual([
      { id: 'q0', share: 0.5, isCorrect: true },
      { id: 'q1', share: 0.95, isCorrect: false },
      { id: 'q2', share: 0.85, isCorrect: true },
    ]);
    expect(bucketConfidence([...stated, toResult('correct', { confidence: 0.9 })]).stated).toEqual(
      [],
    );
  });
});

it('counts the places of right options and the places that were chosen', () => {
  const results = [
    toShuffled('correct', [1], [1]),
    toShuffled('incorrect', [2], [1]),
    toShuffled('correct', [2], [2]),
    toShuffled('timed_out', [2], null),
    toShuffled('not_run', [3], null),
    toResult('correct', { id: 'q9', options: 3 }),
  ];
  expect(countPositions(results)).toEqual([
    { position: 1, n: 1, correct: 1, accuracy: 1, chosen: 2 },
    { position: 2, n: 3, correct: 1, accuracy: 1 / 3, chosen: 1 },
    { position: 3, n: 0, correct: 0, accuracy: null, chosen: 0 },
  ]);
});

function toShuffled(state: State, target: readonly number[], answer: readonly number[] | null) {
  return toResult(state, { options: 3, presented: { seed: 1, target, answer } });
}

it.each<
  [
    string,
    readonly { options?: number; multiple?: boolean | null; target?: string }[],
    number | null,
  ]
>([
  ['one right option of four', [{ options: 4, multiple: false }], 1 / 4],
  ['an unknown number of right options as one', [{ options: 5, multiple: null }], 1 / 5],
  ['several right options: any set but the empty one', [{ options: 3, multiple: true }], 1 / 7],
  [
    'an unknown number of right options where two are',
    [{ options: 3, multiple: null, target: 'A,C' }],
    1 / 7,
  ],
  ['a text with a comma as one right option', [{ options: 3, target: 'Paris, France' }], 1 / 3],
  ['no options', [{}, {}], null],
])('computes the accuracy by chance for %s', (_, questions, chance) => {
  expect(
    computeChance(
      questions.map((fields, index) => toResult('errored', { ...fields, id: `q${index}` })),
    ),
  ).toBe(chance);
});
