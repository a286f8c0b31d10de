import { expect, it } from 'vitest';
import type { State } from '../types.ts';
import { pairQuestions } from './compare.ts';
import { toResult, toTrials } from './result.fixture.ts';
import {
  computeCostRatio,
  computeLatencyRatio,
  costFacts,
  countCached,
  countRetried,
  sumCost,
  sumTokens,
  tallyQuestions,
} from './totals.ts';

const usage = { input_tokens: 10, output_tokens: 3, cached_tokens: 8, reasoning_tokens: 2 };

it('sums tokens over the results that report usage', () => {
  const results = [toResult('correct', { usage }), toResult('correct'), toResult('errored', { usage })];
  expect(sumTokens(results)).toEqual({ input: 20, output: 6 });
});

it('has no token sum when no result reports usage', () => {
  expect(sumTokens([toResult('correct')])).toEqual({ input: null, output: null });
});

it.each<[string, [State, number | null, boolean][], number | null]>([
  [
    'adds known costs',
    [
      ['correct', 1, false],
      ['incorrect', 0.5, false],
    ],
    1.5,
  ],
  ['knows that free is 0', [['correct', 0, false]], 0],
  [
    'is null when a call has no cost',
    [
      ['correct', 1, false],
      ['incorrect', null, false],
    ],
    null,
  ],
  [
    'is null when a failed call has no cost',
    [
      ['correct', 1, false],
      ['timed_out', null, false],
    ],
    null,
  ],
  [
    'passes over what was not run',
    [
      ['correct', 1, false],
      ['not_run', null, false],
    ],
    1,
  ],
  ['is null when nothing was run', [['not_run', null, false]], null],
  [
    'adds the cost that a cached result carries',
    [
      ['correct', 1, false],
      ['correct', 2, true],
    ],
    3,
  ],
  [
    'is null when a cached result has no cost',
    [
      ['correct', 1, false],
      ['correct', null, true],
    ],
    null,
  ],
  ['is null when all are cached without cost', [['correct', null, true]], null],
])('the cost %s', (_rule, rows, cost) => {
  expect(sumCost(rows.map(([state, cost_usd, cached]) => toResult(state, { cost_usd, cached })))).toBe(cost);
});

it.each<[string, [State, { cost_usd: number | null; cached?: boolean; cost_estimated?: true }][], object]>([
  ['all of it is new', [['correct', { cost_usd: 1 }]], { cost_usd: 1 }],
  [
    'cached results cost nothing new',
    [
      ['correct', { cost_usd: 1 }],
      ['correct', { cost_usd: 2, cached: true }],
    ],
    { cost_usd: 3, new_cost_usd: 1 },
  ],
  ['all is cached', [['correct', { cost_usd: 2, cached: true }]], { cost_usd: 2, new_cost_usd: 0 }],
  [
    'a call has no cost',
    [
      ['correct', { cost_usd: 1 }],
      ['correct', { cost_usd: null }],
      ['timed_out', { cost_usd: null }],
      ['not_run', { cost_usd: null }],
    ],
    { cost_usd: null, cost_at_least_usd: 1, without_cost: 2 },
  ],
  [
    'a cached result has no cost',
    [
      ['correct', { cost_usd: 1 }],
      ['correct', { cost_usd: null, cached: true }],
    ],
    { cost_usd: null, cost_at_least_usd: 1, without_cost: 1, new_cost_usd: 1 },
  ],
  ['nothing is known, though it is cached', [['correct', { cost_usd: null, cached: true }]], { cost_usd: null }],
  [
    'one estimate makes the sum one',
    [
      ['correct', { cost_usd: 1 }],
      ['correct', { cost_usd: 2, cost_estimated: true }],
    ],
    { cost_usd: 3, cost_estimated: true },
  ],
])('the facts of the cost where %s', (_rule, rows, facts) => {
  const results = rows.map(([state, fields]) => ({ ...toResult(state), ...fields }));
  expect(costFacts(results)).toStrictEqual(facts);
});

it('counts the results that came from the cache', () => {
  expect(countCached([toResult('correct', { cached: true }), toResult('correct')])).toBe(1);
});

it('counts the results of second and later attempts', () => {
  const results = [1, 2, 3].map((attempts) => toResult('correct', { attempts }));
  expect(countRetried(results)).toEqual({ retried: 2 });
  expect(countRetried(results.slice(0, 1))).toEqual({});
});

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
