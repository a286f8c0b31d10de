import { describe, expect, it, test } from 'vitest';
import type { Rate } from '../words/figures.ts';
import {
  calibrate,
  correctAccuracy,
  correctInterval,
  type LabelCounts,
} from './judge-calibration.ts';
import { JUDGE, toJudged, toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

const toCounts = (
  passed: readonly [number, number],
  failed: readonly [number, number],
): LabelCounts => ({
  passed: { as_pass: passed[0], as_fail: passed[1] },
  failed: { as_pass: failed[0], as_fail: failed[1] },
});

const toRate = (count: number, n: number): Rate => ({ value: count / n, n, ci95: [0, 1] });

describe('calibrate', () => {
  test('returns TPR and TNR with Wilson intervals, agreement and kappa', () => {
    // Cohen's kappa by hand: po = (57 + 36) / 100; pe = (60 * 61 + 40 * 39) / 100^2 = 0.522; (0.93
    // - 0.522) / 0.478.
    expect(calibrate(toCounts([57, 3], [4, 36]))).toEqual({
      labels: 100,
      tpr: { value: 0.95, n: 60, ci95: [expect.closeTo(0.863, 4), expect.closeTo(0.98285, 4)] },
      tnr: { value: 0.9, n: 40, ci95: [expect.closeTo(0.7695, 4), expect.closeTo(0.9604, 4)] },
      agreement: 0.93,
      kappa: expect.closeTo(0.8536, 4),
    });
  });

  test('returns no rate of a kind without labels', () => {
    const { tpr, tnr, kappa } = calibrate(toCounts([5, 0], [0, 0]));
    expect([tpr?.value, tnr, kappa]).toEqual([1, null, null]);
  });
});

describe('the corrected accuracy', () => {
  it.each([
    // (0.58 + 0.9 - 1) / (0.95 + 0.9 - 1) = 0.48 / 0.85.
    ['of judged answers alone', 58, 42, 0, 0, 0.95, 0.9, 0.48 / 0.85],
    ['without an error of the judge: the raw one', 58, 42, 0, 0, 1, 1, 0.58],
    ['not below 0', 5, 95, 0, 0, 0.95, 0.9, 0],
    ['not above 1', 99, 1, 0, 0, 0.9, 0.9, 1],
    // 100 judged answers as above, 20 timeouts, 5 right by a rule.
    ['with answers that no judge saw', 58, 42, 5, 20, 0.95, 0.9, (100 * (0.48 / 0.85) + 5) / 125],
    ['of a judge no better than chance: none', 58, 42, 0, 0, 0.6, 0.4, null],
  ])('%s', (_, passed, failed, right, wrong, tpr, tnr, expected) => {
    const found = correctAccuracy({ passed, failed, right, wrong }, tpr, tnr);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 12);
  });
});

describe('its interval', () => {
  const judged = (passed: number, failed: number) => ({ passed, failed, right: 0, wrong: 0 });

  // By hand, equations 4, 6, 7, 16, 17 of Lang and Reiczigel (2014), with z^2 = 3.8415. 58 of 100,
  // TPR 57/60, TNR 36/40: n' = 103.8415, p' = (58 + 1.9207) / n' = 0.57704, Se' = 58/62 = 0.93548,
  // Sp' = 37/42 = 0.88095, J' = 0.81644, P' = 0.45799 / 0.81644 = 0.56096; vSe = 0.93548 * 0.06452
  // / 62 = 0.00097347, vSp = 0.88095 * 0.11905 / 42 = 0.0024970; shift = 2 z^2 (0.56096 vSe -
  // 0.43904 vSp) = 7.6829 * (0.00054608 - 0.0010963) = -0.0042274; var = (0.57704 * 0.42296 / n' +
  // 0.31468 vSe + 0.19276 vSp) / J'^2 = (0.0023503 + 0.00030633 + 0.00048132) / 0.66657 =
  // 0.0047076; half = 1.95996 * 0.068612 = 0.13448. 0.56096 - 0.00423 -+ 0.13448.
  it.each([
    ['a usual judge', judged(58, 42), toRate(57, 60), toRate(36, 40), 0.4223, 0.6912],
    // With all but perfect rates it is the interval of Agresti and Coull: 0.57704 -+ 1.95996
    // sqrt(0.0023503).
    ['a judge without errors', judged(58, 42), toRate(1e9, 1e9), toRate(1e9, 1e9), 0.482, 0.6721],
  ])('%s', (_, counts, tpr, tnr, low, high) => {
    const interval = correctInterval(counts, tpr, tnr);
    expect(interval[0]).toBeCloseTo(low, 3);
    expect(interval[1]).toBeCloseTo(high, 3);
  });

  it('is wider with fewer labels, and with answers that are worth less', () => {
    const widthOf = (labels: number, share = 1) => {
      const [low, high] = correctInterval(
        judged(60, 40),
        toRate(0.9 * labels, labels),
        toRate(0.8 * labels, labels),
        share,
      );
      return high - low;
    };
    expect(widthOf(20)).toBeGreaterThan(widthOf(50));
    expect(widthOf(50)).toBeGreaterThan(widthOf(500));
    expect(widthOf(50, 0.5)).toBeGreaterThan(widthOf(50));
  });
});

describe('in the figures of a run', () => {
  const calibration = calibrate(toCounts([57, 3], [4, 36]));
  const correctedOf = (...[rows, calibrationOf]: Parameters<typeof summarize>) =>
    summarize(rows, calibrationOf).suites[0]?.groups.at(-1)?.corrected;

  test('is beside raw accuracy, with failed answers counted as wrong, by judges, prompt and criterion', () => {
    const failures = ['errored', 'timed_out', 'no_answer'] as const;
    const rows = [...toJudged(58, 42), ...failures.map((state) => toResult(state, { id: state }))];
    const { models, prompt_hash, criterion } = JUDGE;
    const summary = summarize(rows, (asked) => {
      expect(asked).toMatchObject({ models, prompt_hash, criterion });
      return calibration;
    });
    expect(summary.suites[0]?.judges).toEqual([{ models, prompt_hash, judged: 100, calibration }]);
    expect(summary.suites[0]?.groups.at(-1)).toMatchObject({
      accuracy: 58 / 103,
      corrected: {
        judged: 100,
        accuracy: expect.closeTo((100 * (0.48 / 0.85)) / 103, 12),
        why: null,
      },
    });
  });

  it.each([
    ['uncalibrated', toJudged(5, 5), null],
    ['uncalibrated', toJudged(5, 5), calibrate(toCounts([5, 0], [0, 0]))],
    ['no better than chance', toJudged(5, 5), calibrate(toCounts([5, 5], [5, 5]))],
    [
      'several judges',
      [...toJudged(5, 5), ...toJudged(2, 2, { judge: { ...JUDGE, criterion: 'is short' } })],
      calibration,
    ],
    // Two criteria decided, and labels are for the second.
    [
      'several judges',
      toJudged(5, 5, { judge: { ...JUDGE, others: [{ ...JUDGE, criterion: 'is short' }] } }),
      calibration,
    ],
    // The judge passed it, and another check of the score failed it.
    [
      'several judges',
      [...toJudged(5, 5), toResult('incorrect', { id: 'other', judge: JUDGE })],
      calibration,
    ],
    ['not run', [...toJudged(5, 5), toResult('not_run', { id: 'tie' })], calibration],
  ] as const)('is not known: %s', (why, rows, known) => {
    expect(correctedOf(rows, () => known)).toEqual({
      judged: expect.any(Number),
      accuracy: null,
      ci95: null,
      why,
    });
  });
});
