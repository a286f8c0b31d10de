import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import type { SampleResult, State } from '../types.ts';
import { createRandom, toResult, toTrials } from './result.fixture.ts';
import { averagePartial, summarize } from './summarize.ts';

it('grows linearly with the results', () => {
  const measure = (n: number) => {
    const results = Array.from({ length: n }, (_, index) =>
      toResult(index % 3 === 0 ? 'correct' : 'timed_out', { id: `q${index}`, latency_ms: (index * 7919) % 1000 }),
    );
    const times = [1, 2, 3].map(() => {
      const start = cpuTime();
      summarize(results);
      return cpuTime() - start;
    });
    return Math.min(...times);
  };
  measure(10_000);
  // Quadratic growth would be 100 times as long; a busy machine may triple the ten.
  expect(measure(50_000)).toBeLessThan(35 * Math.max(1, measure(5_000)));
});

const STATES: readonly State[] = ['correct', 'incorrect', 'no_answer', 'timed_out', 'errored', 'ungraded', 'not_run'];

const toRows = (...states: State[]) => states.map((state, index) => toResult(state, { id: `q${index}` }));
const summarizeAll = (results: readonly SampleResult[]) => summarize(results).suites[0]?.groups.at(-1);

it('gives every figure of a group', () => {
  const usage = { input_tokens: 10, output_tokens: 2, cached_tokens: 0, reasoning_tokens: 0 };
  const head = { latency_ms: 1000, usage, cost_usd: 0.25 };
  const results = [
    toResult('correct', head),
    toResult('incorrect', { ...head, id: 'q2', latency_ms: 2000, cached: true }),
  ];
  expect(summarize(results)).toEqual({
    version: 1,
    complete: true,
    suites: [
      {
        suite: 'gaia',
        dataset: 'made-up',
        agent: 'replay',
        macro_accuracy: null,
        confidence: [],
        chance: null,
        partial: null,
        positions: [],
        groups: ['level 1', 'all'].map((group) => ({
          group,
          n: 2,
          graded: 2,
          questions: 2,
          states: { correct: 1, incorrect: 1, no_answer: 0, timed_out: 0, errored: 0, ungraded: 0, not_run: 0 },
          graded_errored: 0,
          accuracy: 0.5,
          bounds: [0.5, 0.5],
          ci95: [expect.closeTo(0.0945, 4), expect.closeTo(0.9055, 4)],
          median_latency_ms: 1500,
          median_censored: false,
          p95_latency_ms: null,
          p95_censored: false,
          tokens: { input: 20, output: 4 },
          cost_usd: 0.5,
          new_cost_usd: 0.25,
          cached: 1,
        })),
      },
    ],
  });
});

it('has no suites without results', () => {
  expect(summarize([])).toEqual({ version: 1, complete: true, suites: [] });
});

describe('accuracy', () => {
  it.each<[State[], number | null, [number, number] | null]>([
    [['correct', 'incorrect'], 0.5, [0.5, 0.5]],
    [['correct', 'errored', 'timed_out', 'no_answer'], 0.25, [0.25, 0.25]],
    [['errored'], 0, [0, 0]],
    [['correct', 'ungraded', 'ungraded'], 1, [1, 1]],
    [['correct', 'incorrect', 'not_run', 'not_run'], null, [0.25, 0.75]],
    [['correct', 'not_run', 'ungraded'], null, [0.5, 1]],
    [['not_run'], null, [0, 1]],
    [['ungraded', 'ungraded'], null, null],
  ])('of %j is %s within %j', (states, accuracy, bounds) => {
    expect(summarizeAll(toRows(...states))).toMatchObject({ accuracy, bounds });
  });

  it('has an interval exactly when it is known', () => {
    expect(summarizeAll(toRows('correct'))?.ci95).not.toBeNull();
    expect(summarizeAll(toRows('correct', 'not_run'))?.ci95).toBeNull();
    expect(summarizeAll(toRows('ungraded'))?.ci95).toBeNull();
  });

  describe.each<State>(['errored', 'timed_out', 'no_answer', 'not_run'])(
    'of a sample without a target, %s,',
    (state) => {
      const hidden = toResult(state, { id: 'hidden', target: null });
      const states = { [state]: 1 };

      it('is not known when that is all there is', () => {
        const results = [toResult('ungraded', { target: null }), hidden];
        expect(summarizeAll(results)).toMatchObject({
          n: 2,
          graded: 0,
          accuracy: null,
          bounds: null,
          ci95: null,
          states,
        });
      });

      it('is what it is without it; the state still shows', () => {
        const known = [toResult('correct'), ...toRows('incorrect', 'errored')];
        const { accuracy, bounds, ci95 } = summarizeAll(known) ?? {};
        expect(summarizeAll([hidden, ...known])).toMatchObject({ n: 4, graded: 3, accuracy, bounds, ci95 });
        expect(summarizeAll([hidden, toResult('correct')])?.states).toMatchObject(states);
      });

      it('keeps its bounds without it', () => {
        const results = [hidden, ...toRows('correct', 'not_run')];
        expect(summarizeAll(results)).toMatchObject({ n: 3, graded: 2, accuracy: null, bounds: [0.5, 1] });
      });
    },
  );

  it.each<State>(['correct', 'incorrect'])(
    'is known when one was graded as %s, though its truth is not told',
    (state) => {
      const results = [toResult('ungraded', { target: null }), toResult(state, { id: 'q2', target: null })];
      expect(summarizeAll(results)?.accuracy).toBe(state === 'correct' ? 1 : 0);
    },
  );

  it('takes questions, not trials, as the size of the interval when trials agree', () => {
    const once = ['+', '-', '-'].flatMap((marks, index) => toTrials(`q${index}`, marks));
    const often = ['++++', '----', '----'].flatMap((marks, index) => toTrials(`q${index}`, marks));
    expect(summarizeAll(often)?.ci95?.[0]).toBeCloseTo(summarizeAll(once)?.ci95?.[0] ?? Number.NaN, 12);
  });
});

it('counts results in n and distinct ids in questions', () => {
  expect(summarizeAll([...toTrials('a', '+-+'), ...toTrials('b', '--')])).toMatchObject({ n: 5, questions: 2 });
});

it('is complete until a result is not run', () => {
  expect(summarize(toRows('correct', 'errored')).complete).toBe(true);
  expect(summarize(toRows('correct', 'not_run')).complete).toBe(false);
});

it('keeps suites, datasets and agents apart, in order of first appearance', () => {
  const results = [
    toResult('correct', { suite: 'mcq', dataset: 'b' }),
    toResult('correct', { suite: 'gaia' }),
    toResult('correct', { suite: 'mcq', dataset: 'a' }),
    toResult('correct', { suite: 'gaia', agent: 'other' }),
    toResult('correct', { suite: 'gaia', agent: 'other', dataset: 'own' }),
    toResult('correct', { suite: 'mcq', agent: 'other', dataset: 'own' }),
    toResult('incorrect', { suite: 'mcq', dataset: 'b', id: 'q2' }),
  ];
  const suites = summarize(results).suites.map((suite) => [
    suite.suite,
    suite.dataset,
    suite.agent,
    suite.groups[0]?.n,
  ]);
  expect(suites).toEqual([
    ['mcq', 'b', 'replay', 2],
    ['gaia', 'made-up', 'replay', 1],
    ['mcq', 'a', 'replay', 1],
    ['gaia', 'made-up', 'other', 1],
    ['gaia', 'own', 'other', 1],
    ['mcq', 'own', 'other', 1],
  ]);
});

it.each([
  [
    ['level 10', 'level 2', 'level 1'],
    ['level 1', 'level 2', 'level 10', 'all'],
  ],
  [
    ['zoology', 'art', '__proto__'],
    ['__proto__', 'art', 'zoology', 'all'],
  ],
  [['all'], ['all']],
  // Some records without a subject count in "all" alone.
  [
    ['art', 'all', 'zoology'],
    ['art', 'zoology', 'all'],
  ],
])('lists the groups %j as %j', (names, groups) => {
  const results = names.map((group, index) => toResult('correct', { group, id: `q${index}` }));
  const suite = summarize(results).suites[0];
  expect(suite?.groups.map(({ group }) => group)).toEqual(groups);
  expect(suite?.groups.at(-1)?.n).toBe(names.length);
});

describe('for any results', () => {
  const anyResult = fc
    .record({
      state: fc.constantFrom(...STATES),
      id: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
      group: fc.constantFrom('level 1', 'level 2', 'level 3', '__proto__', 'all', ''),
      latency_ms: fc.option(fc.nat(1000)),
      // Halves add up exactly in any order.
      cost_usd: fc.option(fc.nat(100).map((halves) => halves / 2)),
      cached: fc.boolean(),
    })
    .map(({ state, ...fields }) => toResult(state, fields));
  const anyResults = fc.array(anyResult, { minLength: 1, maxLength: 40 });

  it('accuracy lies within its bounds and its interval, and all within 0 and 1', () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        for (const { accuracy, bounds, ci95 } of summarize(results).suites[0]?.groups ?? []) {
          if (bounds !== null) expect(bounds[0] >= 0 && bounds[0] <= bounds[1] && bounds[1] <= 1).toBe(true);
          expect(accuracy === null).toBe(ci95 === null);
          if (accuracy === null || ci95 === null) continue;
          expect(bounds).toEqual([accuracy, accuracy]);
          expect(ci95[0] >= 0 && ci95[0] <= accuracy && accuracy <= ci95[1] && ci95[1] <= 1).toBe(true);
        }
      }),
    );
  });

  it('the states add up to n, and the groups to "all"', () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        const groups = summarize(results).suites[0]?.groups ?? [];
        for (const { n, states } of groups) {
          expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(n);
        }
        const withoutGroup = results.filter(({ group }) => group === 'all').length;
        expect(groups.slice(0, -1).reduce((sum, { n }) => sum + n, withoutGroup)).toBe(results.length);
        expect(groups.at(-1)?.n).toBe(results.length);
      }),
    );
  });

  it('the order of the results is irrelevant', () => {
    fc.assert(
      fc.property(anyResults, fc.integer(), (results, seed) => {
        const random = createRandom(seed);
        const keyed = results.map((result) => ({ result, key: random() })).sort((left, right) => left.key - right.key);
        const shuffled = summarize(keyed.map(({ result }) => result));
        expect(roundIntervals(shuffled)).toEqual(roundIntervals(summarize(results)));
      }),
    );
  });

  it('nothing is NaN or infinite', () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        const text = JSON.stringify(summarize(results), (_key, value: unknown) =>
          typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value,
        );
        expect(text).not.toContain('not finite');
      }),
    );
  });
});

/** Sums of squares depend on their order in the last bits. */
function roundIntervals(summary: unknown): unknown {
  return JSON.parse(
    JSON.stringify(summary, (key, value: unknown) =>
      key === 'ci95' && Array.isArray(value) ? value.map((end: unknown) => Number(end).toFixed(9)) : value,
    ),
  );
}

const half = toResult('incorrect', { partial: { jaccard: 0.5, option_f1: 0.75 } });
const full = toResult('correct', { partial: { jaccard: 1, option_f1: 1 } });

it('is the mean by name', () => {
  expect(averagePartial([half, full])).toEqual({ jaccard: 0.75, option_f1: 0.875 });
});

it('counts an error as none', () => {
  expect(averagePartial([full, toResult('timed_out')])).toEqual({ jaccard: 0.5, option_f1: 0.5 });
});

it('leaves out what has no truth', () => {
  expect(averagePartial([full, toResult('ungraded')])).toEqual({ jaccard: 1, option_f1: 1 });
});

it.each(['errored', 'not_run'] as const)('leaves out what has no target and is %s', (state) => {
  expect(averagePartial([full, toResult(state, { target: null })])).toEqual({ jaccard: 1, option_f1: 1 });
});

it.each([
  ['without any', [toResult('correct')]],
  ['without results', []],
  ['while something is not run', [full, toResult('not_run')]],
])('is null %s', (_, results) => {
  expect(averagePartial(results)).toBeNull();
});

/** The macro accuracy of groups given as name and marks, one question a mark. */
function computeMacro(groups: readonly (readonly [string, string])[]) {
  const results = groups.flatMap(([group, marks]) =>
    [...marks].flatMap((mark, index) => toTrials(`${group}-${index}`, mark, { group })),
  );
  return summarize(results).suites[0]?.macro_accuracy;
}

it.each<[string, [string, string][], number | null]>([
  [
    'the mean of the levels, whatever their size',
    [
      ['level 1', '+'],
      ['level 2', '+---'],
      ['level 3', '+-'],
    ],
    1.75 / 3,
  ],
  [
    'null when a level is absent',
    [
      ['level 1', '+'],
      ['level 3', '+-'],
    ],
    null,
  ],
  [
    'null when a level is incomplete',
    [
      ['level 1', '+'],
      ['level 2', '+.'],
      ['level 3', '+-'],
    ],
    null,
  ],
  [
    'null when a level is ungraded',
    [
      ['level 1', '+'],
      ['level 2', 'u'],
      ['level 3', '+-'],
    ],
    null,
  ],
  [
    'the mean of two subjects',
    [
      ['law', '+'],
      ['art', '-+'],
    ],
    0.75,
  ],
  ['null with one subject', [['law', '+']], null],
  ['null without subjects', [['all', '+-']], null],
  [
    'null for other levels than 1 to 3',
    [
      ['level 10', '+'],
      ['level 11', '+-'],
    ],
    null,
  ],
  [
    'the mean of names that hold a level',
    [
      ['level 1b', '+'],
      ['level 2b', '-'],
    ],
    0.5,
  ],
  [
    'the mean of names that end with a level',
    [
      ['my level 1', '+'],
      ['my level 2', '-'],
    ],
    0.5,
  ],
  [
    'the mean of any names that are not all levels',
    [
      ['level 1', '+'],
      ['art', '-'],
    ],
    0.5,
  ],
])('is %s', (_rule, groups, macro) => {
  expect(computeMacro(groups)).toEqual(macro === null ? null : expect.closeTo(macro, 12));
});
