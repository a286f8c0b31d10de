import { describe, expect, it } from 'vitest';
import type { SampleResult } from '../words/row.ts';
import {
  computeFirstToken,
  computeLatency,
  computeOwnDelay,
  computeQuantile,
  describeOwnDelay,
  describeOwnDelays,
} from './latency.ts';
import { toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

/** 5 is an answer after 5 ms, "5" a timeout with a deadline of 5 ms. */
function toResults(times: readonly (number | string)[]): readonly SampleResult[] {
  return times.map((time) =>
    toResult(typeof time === 'string' ? 'timed_out' : 'correct', { latency_ms: Number(time) }),
  );
}

it.each<[(number | string)[], number | null, boolean]>([
  [[], null, false],
  [['9'], 9, true],
  [[1, '9', '9'], 9, true],
  // Half of the mean is a deadline.
  [[1, '9'], 5, true],
  // The answer at 8 ranks above a deadline of 3, which may really have been 100: the true median is
  // at least 3.
  [[1, '3', 8], 3, true],
  [['3', 4, 8], 4, true],
  // The late answers make the deadline of 2 the middle one.
  [[1, 2, 3, '2', 9], 2, true],
  [[1, 2, 2, '2', 9], 2, false],
  // An answer as late as a deadline ranks before it.
  [[5, 5, '5'], 5, false],
  [[5, '5', '5'], 5, true],
])('the median of %j is %d, censored: %s', (times, median, censored) => {
  expect(computeLatency(toResults(times))).toMatchObject({
    median_latency_ms: median,
    median_censored: censored,
  });
});

it.each([
  ['errored', 2],
  ['not_run', 2],
  ['no_answer', 3],
  ['ungraded', 3],
] as const)(
  'a result that is %s and took 4 ms beside one of 2 ms makes the median %d',
  (state, median) => {
    const results = [toResult('correct', { latency_ms: 2 }), toResult(state, { latency_ms: 4 })];
    expect(computeLatency(results).median_latency_ms).toBe(median);
  },
);

it.each([null, Number.NaN, Number.POSITIVE_INFINITY])(
  'leaves out a result whose latency is %s',
  (latency_ms) => {
    const results = [toResult('correct', { latency_ms: 2 }), toResult('timed_out', { latency_ms })];
    expect(computeLatency(results)).toMatchObject({ median_latency_ms: 2, median_censored: false });
  },
);

it('returns p95 from 20 timed results on, counting only those', () => {
  const nineteen = Array.from({ length: 19 }, (_, index) => index + 1);
  const untimed = toResult('correct', { latency_ms: null });
  expect(computeLatency([...toResults(nineteen), untimed]).p95_latency_ms).toBeNull();
  expect(computeLatency(toResults([...nineteen, 20])).p95_latency_ms).toBeCloseTo(19.05, 12);
});

/** Answers after these times, by question; "t" before one is a timeout at that deadline. */
const toTimed = (...questions: readonly (readonly (number | string)[])[]) =>
  questions.flatMap((times, index) =>
    times.map((time) =>
      toResult(typeof time === 'string' ? 'timed_out' : 'correct', {
        id: `q${index}`,
        latency_ms: Number(String(time).replace('t', '')),
      }),
    ),
  );

const upTo = (n: number) => Array.from({ length: n }, (_, index) => [10 * (index + 1)]);

it.each<
  [
    string,
    readonly SampleResult[],
    readonly (number | null)[] | null,
    readonly (number | null)[] | null,
  ]
>([
  // The ranks of 30 are 10 and 21, of the p95 26 and none.
  ['30 questions', toTimed(...upTo(30)), [100, 210], [260, null]],
  ['72 questions have an upper end of p95', toTimed(...upTo(72)), [280, 450], [640, 720]],
  ['five questions have none', toTimed(...upTo(5)), null, null],
  // 20 questions whose three trials are alike are worth 17: ranks 15 and 46 of 60 for both.
  [
    'trials of a question are alike',
    toTimed(...Array.from({ length: 20 }, (_, i) => [10 * i, 10 * i + 1, 10 * i + 2])),
    [42, 150],
    [150, null],
  ],
  [
    'an upper end that is a deadline is not known',
    toTimed(...upTo(20), ...Array.from({ length: 10 }, () => ['t205'])),
    [100, null],
    [205, null],
  ],
  ['nothing', [], null, null],
])('the intervals of median and p95: %s', (_, results, median, p95) => {
  expect(computeLatency(results)).toMatchObject({
    median_latency_ci95: median,
    p95_latency_ci95: p95,
  });
  const timed = results
    .filter(({ state }) => state === 'correct')
    .map((row) => ({ ...row, first_token_ms: row.latency_ms ?? 0 }));
  const { median_first_token_ci95 } = computeFirstToken(timed);
  if (timed.length === results.length && results.length > 0)
    expect(median_first_token_ci95).toEqual(median);
});

it.each([
  [[100, 9, 20], 50, 20, 1],
  [[4, 1, 3, 2], 50, 2.5, 2],
  [[1, 2, 3, 4, 5], 0, 1, 0],
  [[1, 2, 3, 4, 5], 100, 5, 4],
])(
  'the R-7 quantile of %j at %d %% is %d and depends on rank %d',
  (values, percent, value, rank) => {
    const quantile = computeQuantile(values, percent);
    expect(quantile?.value).toBeCloseTo(value, 12);
    expect(quantile?.rank).toBe(rank);
  },
);

it.each<[latency: number, delays: readonly (number | undefined)[], said: number | null]>([
  [400, [21, 21, undefined], 21],
  [400, [20, 20], null],
  [1000, [20.5], 21],
  [100, [6], 6],
  [100, [5], null],
  // Less than a millisecond is nothing to change a setting for.
  [1, [0.9], null],
  [100, [undefined], null],
])('of %d ms and waits of %j it says %j', (latency_ms, delays, said) => {
  const rows = delays.map((own_delay_ms) => toResult('correct', { latency_ms, own_delay_ms }));
  const [all] = summarize(rows).suites[0]?.groups.slice(-1) ?? [];
  const [clause = ''] = all === undefined ? [] : describeOwnDelay('it', all, 'median');
  expect(/^it includes about (\d+) ms/.exec(clause)?.[1] ?? null).toBe(
    said === null ? null : String(said),
  );
});

it('takes the waits of the results that have a latency', () => {
  const rows = [
    toResult('errored', { own_delay_ms: 500 }),
    toResult('timed_out', { latency_ms: 900, own_delay_ms: 30, machine_load: 0.8 }),
    toResult('correct', { latency_ms: 100, own_delay_ms: 10, machine_load: 0.6 }),
  ];
  expect(computeOwnDelay(rows)).toEqual({ median_own_delay_ms: 20, machine_load: 0.7 });
});

describe('a p95 with waits', () => {
  // One busy moment of 300 ms delays 4 of 40 answers, and is nowhere near the median.
  const toRows = (wait: number, count: number, known = true) =>
    Array.from({ length: 40 }, (_, index) => {
      const own_delay_ms = index < count ? wait : 0;
      return toResult('correct', {
        id: `q${index}`,
        latency_ms: 40 + own_delay_ms,
        own_delay_ms: known ? own_delay_ms : undefined,
      });
    });
  it.each<[rows: readonly SampleResult[], clauses: readonly string[]]>([
    [
      toRows(300, 4),
      ["it includes about 300 ms (p95) in which answers waited for viva's busy process"],
    ],
    [
      toRows(300, 30),
      [
        "it includes about 300 ms (median) and 300 ms (p95) in which answers waited for viva's busy process",
      ],
    ],
    [toRows(300, 1), []],
    [toRows(4, 30), []],
    [toRows(2, 4), []],
    [toRows(300, 4, false), []],
    [toRows(300, 1).slice(0, 19), []],
  ])('of case %# is told', (rows, clauses) => {
    const [all] = summarize(rows).suites[0]?.groups.slice(-1) ?? [];
    expect(all && describeOwnDelays('it', all)).toEqual(clauses);
  });
});
