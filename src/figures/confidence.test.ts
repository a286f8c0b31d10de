import { describe, expect, it } from 'vitest';
import type { SampleResult } from '../words/row.ts';
import { bucketConfidence, summarizeProbabilities } from './confidence.ts';
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

/** Answers such as "0.9 right", each to a question of its own. */
function toStated(answers: string) {
  return answers.split(', ').map((answer, index) => {
    const [share, verdict] = answer.split(' ');
    return { id: String(index), share: Number(share), isCorrect: verdict === 'right' };
  });
}

it.each([
  ['1 right, 0 wrong', 0, 1],
  ['0 right, 1 wrong', 1, 0],
  ['0.5 right, 0.5 wrong', 0.25, 0.5],
  ['0.9 right, 0.8 right, 0.7 wrong', 0.18, 1],
  ['0.9 right, 0.6 wrong, 0.5 right, 0.4 wrong', 0.195, 0.75],
  ['0.9 right, 0.9 wrong, 0.5 wrong', 1.07 / 3, 0.75],
])('%s has the Brier score %d and the AUROC %d', (answers, brier, auroc) => {
  const figures = summarizeProbabilities(toStated(answers));
  expect(figures?.brier.value).toBeCloseTo(brier, 12);
  expect(figures?.auroc?.value).toBeCloseTo(auroc, 12);
  for (const rate of [figures?.brier, figures?.auroc]) {
    const [low = 1, high = 0] = rate?.ci95 ?? [];
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBeLessThanOrEqual(1);
    expect(low).toBeLessThanOrEqual(rate?.value ?? -1);
    expect(high).toBeGreaterThanOrEqual(rate?.value ?? 2);
    expect(high - low).toBeGreaterThan(0.1);
  }
});

it('returns no AUROC without a wrong answer, and nothing without a probability', () => {
  expect(summarizeProbabilities(toStated('0.9 right, 1 right'))).toMatchObject({
    n: 2,
    auroc: null,
  });
  expect(summarizeProbabilities([])).toBeNull();
});

it('has a wide interval if few answers are all right', () => {
  const { brier } = summarizeProbabilities(toStated('0.9 right, 0.9 right, 0.9 right')) ?? {};
  expect(brier?.value).toBeCloseTo(0.01, 12);
  expect(brier?.ci95[1]).toBeGreaterThan(0.5);
});

it('counts a question once for the intervals, whatever its trials', () => {
  const once = toStated('0.9 right, 0.6 wrong, 0.5 right, 0.4 wrong');
  const thrice = [...once, ...once, ...once];
  expect(summarizeProbabilities(thrice)).toEqual({
    ...summarizeProbabilities(once),
    n: 12,
    brier: {
      n: 4,
      value: expect.closeTo(0.195, 12),
      ci95: summarizeProbabilities(once)?.brier.ci95.map((end) => expect.closeTo(end, 9)),
    },
  });
});

it('answers to questions of one cluster count as what they are worth', () => {
  const alone = toStated('0.9 right, 0.8 wrong, 0.7 right, 0.2 wrong, 0.6 right, 0.9 wrong');
  const inPairs = alone.map((each, index) => ({ ...each, cluster: `c${Math.floor(index / 2)}` }));
  const width = ({ ci95: [low, high] }: { readonly ci95: readonly [number, number] }) => high - low;
  const [a, b] = [alone, inPairs].map((stated) => summarizeProbabilities(stated));
  expect(b?.brier.value).toBe(a?.brier.value);
  expect(b?.auroc && width(b.auroc)).toBeGreaterThan((a?.auroc && width(a.auroc)) ?? 1);
});
