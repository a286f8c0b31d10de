import { describe, expect, it } from 'vitest';
import type { SampleResult } from '../types.ts';
import { bucketConfidence } from './confidence.ts';
import { toResult } from './result.fixture.ts';

type Confidence = SampleResult['confidence'];

describe('bucketConfidence', () => {
  it('gives the accuracy of each bucket, the lowest confidence first', () => {
    const results = [
      toResult('correct', { confidence: 'high' }),
      toResult('incorrect', { confidence: 'high' }),
      toResult('no_answer', { confidence: 'low' }),
      toResult('correct', { confidence: null }),
    ];
    expect(bucketConfidence(results)).toEqual([
      { bucket: 'low', n: 1, correct: 0, accuracy: 0 },
      { bucket: 'high', n: 2, correct: 1, accuracy: 0.5 },
      { bucket: 'not stated', n: 1, correct: 1, accuracy: 1 },
    ]);
  });

  it.each<[readonly Confidence[], readonly string[]]>([
    [
      ['High', ' medium ', 'LOW'],
      ['low', 'medium', 'high'],
    ],
    [
      ['very_high', 'Very Low', 'moderate'],
      ['very low', 'medium', 'very high'],
    ],
    [
      [0.2, 0.5, 0.89, 0.9, 1],
      ['under 50 %', '50 to 70 %', '70 to 90 %', 'from 90 %'],
    ],
    [
      [1, 0],
      ['under 50 %', 'from 90 %'],
    ],
    [
      [30, 95],
      ['under 50 %', 'from 90 %'],
    ],
    [
      [3, 8, 10],
      ['under 50 %', '70 to 90 %', 'from 90 %'],
    ],
    [
      [0.95, 0.6, 5, 80],
      ['under 50 %', '50 to 70 %', '70 to 90 %', 'from 90 %'],
    ],
    [
      ['85%', '99.5 %'],
      ['70 to 90 %', 'from 90 %'],
    ],
    [
      [0.49, 0.7, 0.8],
      ['under 50 %', '70 to 90 %'],
    ],
    [
      ['8', 'high'],
      ['high', '70 to 90 %'],
    ],
    [[' 0.625 '], ['50 to 70 %']],
    [
      ['62.55 %', '9'],
      ['50 to 70 %', 'from 90 %'],
    ],
    [['over 60', 'about 60 %', '60 % or so', '60 or so', '0.6.'], ['other']],
    [['62.5'], ['50 to 70 %']],
    [['85'], ['70 to 90 %']],
    [
      ['high', 0.2],
      ['high', 'under 50 %'],
    ],
    [
      ['sure', 95],
      ['from 90 %', 'other'],
    ],
    [['med'], ['medium']],
    [['not stated', 'from 90 %', '0x10'], ['other']],
    [['0.6'], ['50 to 70 %']],
    [[-1, 150, 'sure', ''], ['other']],
    [['__proto__', 'constructor'], ['other']],
  ])('puts %j into %j', (stated, buckets) => {
    const results = stated.map((confidence) => toResult('correct', { confidence }));
    expect(bucketConfidence(results).map(({ bucket }) => bucket)).toEqual(buckets);
  });

  it('is empty when no answer stated any', () => {
    expect(bucketConfidence([toResult('correct'), toResult('errored')])).toEqual([]);
  });

  it('leaves out what is no graded answer', () => {
    const results = [toResult('correct', { confidence: 'high' }), toResult('errored'), toResult('not_run')];
    results.push(toResult('no_answer', { confidence: 'high', target: null }));
    expect(bucketConfidence(results)).toEqual([{ bucket: 'high', n: 1, correct: 1, accuracy: 1 }]);
  });
});
