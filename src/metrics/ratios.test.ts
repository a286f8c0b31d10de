import { expect, it } from 'vitest';
import { pairQuestions } from './pairs.ts';
import { computeCostRatio, computeLatencyRatio } from './ratios.ts';
import { toResult, toTrials } from './result.fixture.ts';

/** Pairs of questions from their latencies, or costs, in run a and run b. */
function pairBy(field: 'latency_ms' | 'cost_usd', questions: readonly (readonly [number | null, number | null])[]) {
  const toRun = (side: 0 | 1) =>
    questions.map((values, index) => toResult('correct', { id: `q${index}`, [field]: values[side] }));
  return pairQuestions(toRun(0), toRun(1)).finished;
}

it.each<[[number | null, number | null][], number | null]>([
  [
    [
      [100, 150],
      [100, 50],
      [10, 30],
    ],
    1.5,
  ],
  [
    [
      [100, 150],
      [100, 250],
    ],
    2,
  ],
  [
    [
      [100, 150],
      [null, 900],
      [100, null],
    ],
    1.5,
  ],
  [[[0, 150]], null],
  [[[100, 0]], 0],
  [[[null, null]], null],
  [[], null],
])('the latency ratio of %j is %d', (latencies, ratio) => {
  expect(computeLatencyRatio(pairBy('latency_ms', latencies))).toBe(ratio);
});

it('takes the median of the trials of a question, time-outs at their deadline, errors out', () => {
  const a = [100, 300, 200].flatMap((latency_ms, index) => toResult('correct', { trial: index + 1, latency_ms }));
  const b = [toResult('timed_out', { latency_ms: 500 }), toResult('errored', { trial: 2, latency_ms: 1 })];
  expect(computeLatencyRatio(pairQuestions(a, b).finished)).toBe(2.5);
});

it.each<[[number | null, number | null][], number | null]>([
  [
    [
      [1, 3],
      [3, 5],
    ],
    2,
  ],
  [
    [
      [1, 3],
      [null, 5],
      [7, null],
    ],
    3,
  ],
  [[[0, 3]], null],
  [[[2, 0]], 0],
  [[[null, null]], null],
  [[], null],
])('the cost ratio of %j is %d', (costs, ratio) => {
  expect(computeCostRatio(pairBy('cost_usd', costs))).toBe(ratio);
});

it('compares costs per trial', () => {
  const pairs = pairQuestions(toTrials('q', '+', { cost_usd: 2 }), toTrials('q', '+++', { cost_usd: 2 })).finished;
  expect(computeCostRatio(pairs)).toBe(1);
  const reversed = pairQuestions(toTrials('q', '+++', { cost_usd: 2 }), toTrials('q', '+', { cost_usd: 2 })).finished;
  expect(computeCostRatio(reversed)).toBe(1);
});
