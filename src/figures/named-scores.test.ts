import { describe, expect, it } from 'vitest';
import type { JudgeVerdicts, NamedScores, SampleResult } from '../words/row.ts';
import { computeWilson } from './intervals.ts';
import { calibrate } from './judge-calibration.ts';
import { JUDGE, toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

const row = (scores: NamedScores, id = 'q1') => toResult('incorrect', { id, scores });

/** An answer without a value of score "a", for which these verdicts were given. */
function toOpen(verdicts: JudgeVerdicts['verdicts'], score = 'a') {
  const asked = { ...JUDGE, verdicts: ['pass'] as const, score: 'b' };
  const judge = { ...asked, others: [{ ...JUDGE, verdicts, score }] };
  return toResult('incorrect', { id: 'open', scores: { a: null, b: false }, judge });
}

function scoresOf(results: readonly SampleResult[], group = 'all') {
  const [suite] = summarize(results).suites;
  return suite?.groups.find((one) => one.group === group)?.scores;
}

it.each<[string, readonly SampleResult[], object | undefined]>([
  ['the share of true', [row({ a: true }), row({ a: false }, 'q2')], { a: { n: 2, mean: 0.5 } }],
  [
    'the mean where some are numbers',
    [row({ a: true }), row({ a: 0.5 }, 'q2')],
    { a: { n: 2, mean: 0.75, kind: 'mean' } },
  ],
  [
    'false for an error, a timeout and a missing answer',
    [row({ a: true }), ...(['errored', 'timed_out', 'no_answer'] as const).map((s) => toResult(s))],
    { a: { n: 4, mean: 0.25, kind: 'rate' } },
  ],
  [
    'false where a result has other scores',
    [row({ a: true, b: 1 }), row({ b: 1 }, 'q2')],
    { a: { n: 2, mean: 0.5 }, b: { n: 2, mean: 1 } },
  ],
  ['without null', [row({ a: true }), row({ a: null }, 'q2')], { a: { n: 1, mean: 1 } }],
  ['none where all are null', [row({ a: null })], undefined],
  ['none without a score', [toResult('correct')], undefined],
  [
    'without what has no target',
    [row({ a: true }), toResult('ungraded'), toResult('errored', { target: null })],
    { a: { n: 1, mean: 1 } },
  ],
  [
    'unknown while something is not run',
    [row({ a: true }), toResult('not_run')],
    { a: { n: 1, mean: null, ci95: null, open: 1, bounds: [0.5, 1] } },
  ],
  [
    'known where only the verdict of another score is missing',
    [row({ a: true }), toResult('not_run', { id: 'q2', scores: { a: false, b: null } })],
    { a: { n: 2, mean: 0.5 } },
  ],
  [
    'unknown while a verdict of a judge is missing',
    [row({ a: true }), toOpen(['cannot_tell']), row({ a: null }, 'q3'), toOpen(['pass'])],
    { a: { n: 1, mean: null, ci95: null, open: 1, bounds: [0.5, 1], kind: 'rate' } },
  ],
  [
    'unknown where every verdict is missing',
    [toOpen(['pass', 'fail'])],
    { a: { n: 0, mean: null, ci95: null, open: 1, bounds: [0, 1], kind: 'rate' } },
  ],
  [
    'known where a judge of another score reached no verdict',
    [row({ a: true }), toOpen(['error'], 'b')],
    { a: { n: 1, mean: 1 } },
  ],
  [
    'of any name',
    [row({ constructor: 1, a: 1 }), row({ a: 1 }, 'q2')],
    { constructor: { mean: 0.5 } },
  ],
])('the figures of scores are %s', (_, results, wanted) => {
  if (wanted === undefined) expect(scoresOf(results)).toBeUndefined();
  else expect(scoresOf(results)).toMatchObject(wanted);
});

it("counts a suite's scores in a group where nothing was answered", () => {
  const results = [row({ a: true }), toResult('errored', { id: 'q2', group: 'level 2' })];
  expect(scoresOf(results, 'level 2')).toMatchObject({ a: { n: 1, mean: 0 } });
});

it('weights unequal trials by their number, in the mean and in its interval', () => {
  const toTrials = (id: string, values: NamedScores[string][]) =>
    values.map((a, index) => toResult('correct', { id, trial: index + 1, scores: { a } }));
  const rates = [
    toTrials('q1', [false, false]),
    toTrials('q2', [true, true]),
    toTrials('q3', [true]),
  ];
  // By hand: V = 0.1344, V0 = 0.0864, m = 1, so n' = 0.24 / 0.1024; t of 3.4545 degrees is 2.95818.
  const { mean, ci95 } = scoresOf(rates.flat())?.['a'] ?? {};
  expect(mean).toBe(3 / 5);
  const expected = computeWilson(3 / 5, (0.24 / 0.1024) * (1.959964 / 2.95818) ** 2);
  expect(ci95).toEqual(expected.map((end) => expect.closeTo(end, 4)));
  const numbers = [...toTrials('q1', [0.2, 0.2, null]), ...toTrials('q2', [0.8])];
  expect(scoresOf(numbers)?.['a']).toMatchObject({ n: 3, mean: expect.closeTo(0.4, 12) });
});

describe('a score by a judge', () => {
  const labels = { passed: { as_pass: 57, as_fail: 3 }, failed: { as_pass: 4, as_fail: 36 } };
  const said = (verdict: 'pass' | 'fail', score: string) => ({
    ...JUDGE,
    verdicts: [verdict],
    criterion: `criterion of ${score}`,
    score,
  });
  const rows = Array.from({ length: 100 }, (_, index) => {
    const isPolite = index < 58;
    return toResult(isPolite ? 'correct' : 'incorrect', {
      id: `q${index}`,
      scores: { polite: isPolite, short: index < 90, length: 0.5 },
      judge: {
        ...said(isPolite ? 'pass' : 'fail', 'polite'),
        others: [said(index < 90 ? 'pass' : 'fail', 'short')],
      },
    });
  });
  const figuresOf = (results: readonly SampleResult[]) =>
    summarize(results, ({ criterion }) =>
      criterion === 'criterion of polite' ? calibrate(labels) : null,
    ).suites[0];

  it('has a corrected figure of its own, by its own calibration', () => {
    const suite = figuresOf([...rows, toResult('timed_out', { id: 'late' })]);
    const { accuracy, corrected, scores } = suite?.groups.at(-1) ?? {};
    // The corrected accuracy of all scores together is not known.
    expect([accuracy, corrected]).toEqual([58 / 101, undefined]);
    expect(scores?.['polite']).toMatchObject({
      mean: 58 / 101,
      // (0.58 + 0.9 - 1) / (0.95 + 0.9 - 1) of those that were judged.
      corrected: { judged: 100, accuracy: expect.closeTo((100 * (0.48 / 0.85)) / 101, 12) },
    });
    expect(scores?.['short']?.corrected).toMatchObject({ judged: 100, why: 'uncalibrated' });
    expect(scores?.['length']).not.toHaveProperty('corrected');
    expect(suite?.judges?.map(({ score }) => score)).toEqual(['short', 'polite']);
  });

  it('leaves the accuracy uncorrected where another score alone has a value', () => {
    const { corrected, scores } = figuresOf([toOpen(['cannot_tell'])])?.groups.at(-1) ?? {};
    expect(corrected).toBeUndefined();
    expect(scores?.['b']).toHaveProperty('corrected');
  });

  it('has none while something is not run', () => {
    const scores = figuresOf([...rows, toResult('not_run', { id: 'late' })])?.groups.at(-1)?.scores;
    expect(scores?.['polite']).toMatchObject({ mean: null, corrected: { why: 'not run' } });
  });
});
