import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_STATES, type SampleResult, type State } from '../words/row.ts';
import { JUDGE, toResult, toRun, toTrials } from './result.fixture.ts';
import { computeCost, computeTrialFigures, summarize, withoutRates } from './summarize.ts';

const toRows = (...states: State[]) =>
  states.map((state, index) => toResult(state, { id: `q${index}` }));
const toQuestions = (...questions: string[]) => toRun(questions);
const summarizeSuite = (results: readonly SampleResult[]) => summarize(results).suites[0];
const summarizeAll = (results: readonly SampleResult[]) => summarizeSuite(results)?.groups.at(-1);

it('returns every figure of a group', () => {
  const usage = { input_tokens: 10, output_tokens: 2, cached_tokens: 0, reasoning_tokens: 0 };
  const head = { latency_ms: 1000, usage, cost_usd: 0.25 };
  const results = [
    toResult('correct', { ...head, attempts: 2 }),
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
        macro_ci95: null,
        confidence: [],
        chance: null,
        positions: [],
        groups: ['level 1', 'all'].map((group) => ({
          group,
          n: 2,
          graded: 2,
          questions: 2,
          graded_questions: 2,
          states: {
            correct: 1,
            incorrect: 1,
            no_answer: 0,
            timed_out: 0,
            errored: 0,
            ungraded: 0,
            not_run: 0,
          },
          graded_states: {
            correct: 1,
            incorrect: 1,
            no_answer: 0,
            timed_out: 0,
            errored: 0,
            ungraded: 0,
            not_run: 0,
          },
          accuracy: 0.5,
          bounds: [0.5, 0.5],
          ci95: [expect.closeTo(0.0945, 4), expect.closeTo(0.9055, 4)],
          median_latency_ms: 1500,
          median_latency_ci95: null,
          median_censored: false,
          p95_latency_ms: null,
          p95_latency_ci95: null,
          p95_censored: false,
          tokens: { input: 20, output: 4 },
          cost_usd: 0.5,
          new_cost_usd: 0.25,
          cached: 1,
          retried: 1,
        })),
      },
    ],
  });
});

describe('accuracy', () => {
  it.each<[State[], number | null, [number, number] | null]>([
    [['correct', 'errored', 'timed_out', 'no_answer'], 0.25, [0.25, 0.25]],
    [['errored'], 0, [0, 0]],
    [['correct', 'ungraded', 'ungraded'], 1, [1, 1]],
    [['correct', 'incorrect', 'not_run', 'not_run'], null, [0.25, 0.75]],
    [['correct', 'not_run', 'ungraded'], null, [0.5, 1]],
    [['not_run'], null, [0, 1]],
    [['ungraded', 'ungraded'], null, null],
  ])('of %j is %s within %j', (states, accuracy, bounds) => {
    const all = summarizeAll(toRows(...states));
    expect(all).toMatchObject({ accuracy, bounds });
    expect(all?.ci95 === null).toBe(accuracy === null);
    expect(summarize(toRows(...states)).complete).toBe(!states.includes('not_run'));
  });

  it.each<State>(['errored', 'timed_out', 'no_answer', 'not_run'])(
    'leaves out a sample without a target that is %s, whose state is still counted',
    (state) => {
      const hidden = toResult(state, { id: 'hidden', target: null });
      const states = { [state]: 1 };
      const nothing = { n: 2, graded: 0, accuracy: null, bounds: null, ci95: null, states };
      expect(summarizeAll([toResult('ungraded', { target: null }), hidden])).toMatchObject(nothing);
      const known = toRows('correct', 'incorrect', 'incorrect');
      const { accuracy, bounds, ci95 } = summarizeAll(known) ?? {};
      const same = { n: 4, graded: 3, accuracy, bounds, ci95, states };
      expect(summarizeAll([hidden, ...known])).toMatchObject(same);
      const partly = { n: 3, graded: 2, accuracy: null, bounds: [0.5, 1] };
      expect(summarizeAll([hidden, ...toRows('correct', 'not_run')])).toMatchObject(partly);
    },
  );

  it('bases the interval on questions, not trials, when trials agree', () => {
    const marks = ['+', '-', '-', '+', '+', '-'];
    const [once, often] = [marks, marks.map((mark) => mark.repeat(4))].map((each) =>
      summarizeAll(toQuestions(...each)),
    );
    expect([once?.questions, often?.n, often?.questions]).toEqual([6, 24, 6]);
    expect(often?.ci95?.[0]).toBeLessThan(once?.ci95?.[0] ?? Number.NaN);
  });

  it('bases the interval on clusters, and counts those of graded questions', () => {
    const clusters = ['a', 'a', 'a', 'b', 'b', undefined];
    const rows = clusters.map((cluster, index) =>
      toResult(index < 3 ? 'correct' : 'incorrect', {
        id: `q${index}`,
        ...(cluster && { cluster }),
      }),
    );
    const hidden = toResult('ungraded', { id: 'hidden', target: null, cluster: 'c' });
    const { accuracy, ci95, clusters: counted } = summarizeAll([...rows, hidden]) ?? {};
    const alone = summarizeAll(rows.map(({ cluster: _, ...row }) => row));
    expect([accuracy, counted, alone?.clusters]).toEqual([0.5, 3, undefined]);
    expect(ci95?.[0]).toBeLessThan(alone?.ci95?.[0] ?? Number.NaN);
  });
});

it('keeps suites, datasets and agents apart, in order of first appearance', () => {
  const results = [
    toResult('correct', { suite: 'mcq', dataset: 'b' }),
    toResult('correct', { suite: 'gaia' }),
    toResult('correct', { suite: 'mcq', dataset: 'a' }),
    toResult('correct', { suite: 'gaia', agent: 'other' }),
    toResult('correct', { suite: 'gaia', agent: 'other', dataset: 'own' }),
    toResult('incorrect', { suite: 'mcq', dataset: 'b', id: 'q2' }),
  ];
  const suites = summarize(results).suites;
  expect(
    suites.map(({ suite, dataset, agent, groups }) => [suite, dataset, agent, groups[0]?.n]),
  ).toEqual([
    ['mcq', 'b', 'replay', 2],
    ['gaia', 'made-up', 'replay', 1],
    ['mcq', 'a', 'replay', 1],
    ['gaia', 'made-up', 'other', 1],
    ['gaia', 'own', 'other', 1],
  ]);
});

it.each([
  ['level 10,level 2,level 1', 'level 1,level 2,level 10,all'],
  ['all', 'all'],
  // Some records without a subject count in "all" alone.
  ['zoology,all,__proto__', '__proto__,zoology,all'],
])('lists the groups %s as %s', (names, groups) => {
  const results = names
    .split(',')
    .map((group, index) => toResult('correct', { group, id: `q${index}` }));
  const suite = summarizeSuite(results);
  expect(suite?.groups.map(({ group }) => group).join()).toBe(groups);
  expect(suite?.groups.at(-1)?.n).toBe(results.length);
});

it('the macro accuracy has no interval where groups share a cluster', () => {
  const rows = ['a', 'b'].flatMap((group) =>
    [...'+-+'].flatMap((mark, index) => {
      const cluster = index === 0 ? 'shared' : `${group}${index}`;
      return toTrials(`${group}${index}`, mark, { group, cluster });
    }),
  );
  const { macro_accuracy, macro_ci95 } = summarizeSuite(rows) ?? {};
  expect([macro_accuracy, macro_ci95]).toEqual([expect.closeTo(2 / 3, 12), null]);
  const apart = rows.filter(({ cluster }) => cluster !== 'shared');
  expect(summarizeSuite(apart)?.macro_ci95).not.toBeNull();
});

/** Groups as "name marks", one question a mark. */
it.each<[string, string[], number | null]>([
  [
    'the mean of the levels, whatever their size',
    ['level 1 +', 'level 2 +---', 'level 3 +-'],
    1.75 / 3,
  ],
  ['null when a level is absent', ['level 1 +', 'level 3 +-'], null],
  ['null when a level is incomplete', ['level 1 +', 'level 2 +.', 'level 3 +-'], null],
  ['null with one subject', ['law +'], null],
  ['the mean of names that are not all levels', ['level 1 +', 'art -'], 0.5],
])('the macro accuracy is %s', (_rule, groups, macro) => {
  const results = groups.flatMap((text) => {
    const [, group = '', marks = ''] = /^(.*) (\S+)$/.exec(text) ?? [];
    return [...marks].flatMap((mark, index) => toTrials(`${group}-${index}`, mark, { group }));
  });
  expect(summarizeSuite(results)?.macro_accuracy).toEqual(
    macro === null ? null : expect.closeTo(macro, 12),
  );
});

const judged = (cost_usd: number | null, ...known: readonly number[]) => {
  return {
    judge: { ...JUDGE, cost_usd, ...(known.length === 0 ? {} : { new_cost_usd: known[0] ?? 0 }) },
  };
};
const paid = (cost_usd: number | null, fields: object = {}) =>
  toResult('correct', { cost_usd, ...fields });

it.each<[string, readonly SampleResult[], object]>([
  ['all of it is new', [paid(1), paid(0.5)], { cost_usd: 1.5 }],
  ['free is 0', [paid(0)], { cost_usd: 0 }],
  [
    'cached results cost nothing new',
    [paid(1), paid(2, { cached: true })],
    { cost_usd: 3, new_cost_usd: 1 },
  ],
  [
    'calls have no cost, failed ones too, and one was not run',
    [paid(1), paid(null), toResult('timed_out'), toResult('not_run')],
    { cost_usd: null, cost_at_least_usd: 1, without_cost: 2 },
  ],
  [
    'a cached result has no cost',
    [paid(1), paid(null, { cached: true })],
    { cost_usd: null, cost_at_least_usd: 1, without_cost: 1, new_cost_usd: 1 },
  ],
  ['nothing was run', [toResult('not_run')], { cost_usd: null }],
  ['what was paid was left out', [paid(1), toResult('not_run', { cost_usd: 2 })], { cost_usd: 3 }],
  ['judges were paid', [paid(1, judged(0.5))], { cost_usd: 1.5 }],
  ['verdicts were known', [paid(1, judged(0.5, 0.25))], { cost_usd: 1.5, new_cost_usd: 1.25 }],
  [
    'answer and verdicts were known',
    [paid(1, { cached: true, ...judged(0.5, 0) })],
    { cost_usd: 1.5, new_cost_usd: 0 },
  ],
  [
    'a judge has no cost',
    [paid(1, judged(null))],
    { cost_usd: null, cost_at_least_usd: 1, without_cost: 1 },
  ],
  [
    'a verdict is missing',
    [{ ...toResult('not_run', { cost_usd: 1, ...judged(0.5) }), output: 'x' } as SampleResult],
    { cost_usd: 1.5 },
  ],
  [
    'calls may have been under way',
    [paid(1), { ...toResult('not_run'), reason: 'interrupted' } as SampleResult],
    { cost_usd: null, cost_at_least_usd: 1, without_cost: 0 },
  ],
  [
    'one is estimated',
    [paid(1), paid(2, { cost_estimated: true })],
    { cost_usd: 3, cost_estimated: true },
  ],
])('the cost where %s', (_rule, results, facts) => {
  expect(computeCost(results)).toStrictEqual(facts);
});

describe('repeated trials', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    // C(1,2)/C(3,2) = 0 of the draws of two are all wrong, C(2,2)/C(3,2) = 1/3 are all right.
    ['++-', [2 / 3, 1, 1], [2 / 3, 1 / 3, 0]],
    ['+--', [1 / 3, 2 / 3, 1], [1 / 3, 0, 0]],
    // One trial is the accuracy; a question that cannot be graded is left out.
    ['++++ u -', [0.8], [0.8]],
    ['+.', [], []],
    ['u', [], []],
  ])('of %s have pass@k %j and pass^k %j', (questions, atK, hatK) => {
    const close = (value: number | undefined) => expect.closeTo(value ?? Number.NaN, 12);
    const expected = atK.map((any, index) => ({
      k: index + 1,
      pass_at_k: close(any),
      pass_hat_k: close(hatK[index]),
    }));
    const { rates } = computeTrialFigures(toQuestions(...questions.split(' ')));
    expect(rates).toEqual(expected.map((rate) => expect.objectContaining(rate)));
    for (const { pass_at_k: any, pass_at_k_ci95: ofAny, pass_hat_k: all, ...rate } of rates) {
      const [low, high] = rate.pass_hat_k_ci95;
      expect(ofAny[0] <= any && any <= ofAny[1] && low <= all && all <= high).toBe(true);
    }
  });

  // By other code, from the formulas of docs/scoring.md.
  it('have intervals over questions', () => {
    const { rates } = computeTrialFigures(toQuestions('+++', '+--', '---', '++-', '++-', '+++'));
    const of = (...ends: readonly number[]) => ends.map((end) => expect.closeTo(end, 8));
    const accuracy = of(0.247893129, 0.882243686);
    expect(rates.map((rate) => [rate.pass_at_k_ci95, rate.pass_hat_k_ci95])).toEqual([
      [accuracy, accuracy],
      [of(0.330395395, 1), of(0.065992629, 0.850674037)],
      [of(0.362997513, 1), of(0, 0.807681934)],
    ]);
  });

  it('say how alike outcomes and costs of a question are', () => {
    // Pairs that agree: 3 of 3, 1 of 3; a question with one trial has none.
    const outcomes = computeTrialFigures(toQuestions('+++', '+--', '-'));
    expect(outcomes.outcome_consistency).toBeCloseTo((1 + 1 / 3) / 2, 12);
    expect(outcomes.cost_consistency).toBeNull();
    const cost = (id: string, ...costs: readonly (number | null)[]) =>
      costs.map((cost_usd, index) => toResult('correct', { id, trial: index + 1, cost_usd }));
    // sd / mean: sqrt(2) / 2 of 1 and 3, 0 of equal costs; free and unknown ones say nothing.
    const costs = [
      ...cost('a', 1, 3),
      ...cost('b', 2, 2),
      ...cost('c', 0, 0),
      ...cost('d', 1, null),
    ];
    const { outcome_consistency, cost_consistency } = computeTrialFigures(costs);
    expect(outcome_consistency).toBe(1);
    expect(cost_consistency).toBeCloseTo(Math.exp(-Math.SQRT2 / 4), 12);
    expect(computeTrialFigures(toQuestions('+', '-')).outcome_consistency).toBeNull();
    // Three times 0.1 is 0.30000000000000004.
    const alike = computeTrialFigures(toTrials('q', '+++', { cost_usd: 0.1 }));
    expect(alike.cost_consistency).toBe(1);
  });

  it('leave out a question without a target, whatever became of it', () => {
    const known = toQuestions('++', '+-');
    const hidden = toTrials('hidden', '!.', { target: null });
    expect(computeTrialFigures([...hidden, ...known])).toEqual(computeTrialFigures(known));
  });
});

it('has consistent bounds, sums and order for any results', () => {
  const anyResult = fc
    .record({
      state: fc.constantFrom(...ALL_STATES),
      id: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
      group: fc.constantFrom('level 1', 'level 2', 'level 3', '__proto__', 'all', ''),
      latency_ms: fc.option(fc.nat(1000)),
      cost_usd: fc.option(fc.nat(100).map((tenths) => tenths / 10)),
      score: fc.option(fc.nat(100).map((percent) => percent / 100)),
      cached: fc.boolean(),
    })
    .map(({ state, score, ...fields }) => {
      const cluster = fields.id.length > 1 ? 'long' : 'short';
      return toResult(state, { ...fields, cluster, scores: { score } });
    });
  fc.assert(
    fc.property(fc.array(anyResult, { minLength: 1, maxLength: 40 }), (made) => {
      const results = made.map((row, index) => ({ ...row, trial: index + 1 }));
      const summary = summarize(results);
      const groups = summary.suites[0]?.groups ?? [];
      for (const { n, states, accuracy, bounds, ci95 } of groups) {
        expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(n);
        if (bounds !== null)
          expect(bounds[0] >= 0 && bounds[0] <= bounds[1] && bounds[1] <= 1).toBe(true);
        expect(accuracy === null).toBe(ci95 === null);
        if (accuracy === null || ci95 === null) continue;
        expect(bounds).toEqual([accuracy, accuracy]);
        expect(ci95[0] >= 0 && ci95[0] <= accuracy && accuracy <= ci95[1] && ci95[1] <= 1).toBe(
          true,
        );
      }
      const withoutGroup = results.filter(({ group }) => group === 'all').length;
      expect(groups.slice(0, -1).reduce((sum, { n }) => sum + n, withoutGroup)).toBe(
        results.length,
      );
      expect(JSON.stringify(summary, nameInfinite)).not.toContain('not finite');
      // A merge has rows in another order, and the same digits.
      expect(summarize(results.toReversed())).toStrictEqual(summary);
      const { cost_consistency } = computeTrialFigures(results);
      expect(computeTrialFigures(results.toReversed())).toMatchObject({ cost_consistency });
    }),
  );
});

function nameInfinite(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value;
}

it('counts the answers that are not certain, and those that were not read', () => {
  const [first, ...others] = toRows('correct', 'incorrect', 'incorrect', 'no_answer', 'no_answer');
  const facts = [{ certain: false }, { certain: true }, { certain: false, answer: null }, {}];
  const read = others.map((row, i) => ({ ...row, ...facts[i] }));
  expect(summarizeSuite([...(first ? [{ ...first, certain: false }] : []), ...read])).toMatchObject(
    {
      readings: { uncertain: 2, unread: 1 },
    },
  );
  expect(summarizeSuite(toRows('correct'))).not.toHaveProperty('readings');
});

it('gives no rate of questions that were asked because they had failed', () => {
  const rows = ['+', '-', 'u'].flatMap((marks, index) =>
    toTrials(`q${index}`, marks, { scores: { cited: true }, confidence: 0.5, options: 4 }),
  );
  const [suite] = withoutRates(summarize(rows)).suites;
  expect(suite).toMatchObject({ confidence: [], macro_accuracy: null });
  expect(suite).not.toHaveProperty('probability');
  expect(suite?.groups.at(-1)).toMatchObject({
    n: 3,
    graded: 2,
    accuracy: null,
    bounds: null,
    ci95: null,
    scores: { cited: { mean: null, ci95: null } },
  });
});

it('gives of a run that was stopped neither chance level nor stated confidence', () => {
  const rows = ['+', '.'].flatMap((marks, index) =>
    toTrials(`q${index}`, marks, { confidence: 0.5, options: 4 }),
  );
  const [suite] = summarize(rows).suites;
  expect(suite).toMatchObject({ chance: null, confidence: [], positions: [] });
  expect(suite).not.toHaveProperty('probability');
});

it('counts the graded apart from all results', () => {
  const rows = [
    ...toTrials('q1', '+-'),
    ...toTrials('q2', 'u!', { target: null }),
    ...toTrials('q3', '..'),
  ];
  const all = summarize(rows).suites[0]?.groups.at(-1);
  expect(all).toMatchObject({
    n: 6,
    questions: 3,
    graded: 4,
    graded_questions: 2,
    states: { correct: 1, incorrect: 1, ungraded: 1, errored: 1, not_run: 2 },
    graded_states: { correct: 1, incorrect: 1, ungraded: 0, errored: 0, not_run: 2 },
  });
});

describe('where expected answers are labels', () => {
  const toMail = (state: State, index: number) => {
    const target = index % 2 === 0 ? 'spam' : 'ham';
    const row = toResult(state, { id: `q${index}`, target, groups: { half: String(index % 4) } });
    return { ...row, answer: state === 'correct' ? target : null } as SampleResult;
  };
  const states: readonly State[] = ['correct', 'correct', 'errored', 'correct', 'no_answer'];
  const rows = [...states.map(toMail), toResult('ungraded', { id: 'q9', target: null })];

  it('has the figures of each, and macro F1 of each group', () => {
    const suite = summarizeSuite(rows);
    const whole = { value: 1, ci95: [expect.closeTo(0.342380227, 8), 1] };
    expect(suite?.labels).toMatchObject({
      each: [
        { label: 'ham', expected: 2, given: 2, right: 2, precision: whole, recall: whole },
        { label: 'spam', expected: 3, given: 1, right: 1, f1: { value: 0.5 } },
      ],
      other: 0,
      none: 2,
    });
    const [low, high] = ['ham', 'spam'].map((_, at) => suite?.labels?.each[at]?.f1?.ci95 ?? [0, 0]);
    const ends = [0, 1].map((end) => ((low?.[end] ?? 0) + (high?.[end] ?? 0)) / 2);
    expect(suite?.groups.at(-1)).toMatchObject({ macro_f1: 0.75, macro_f1_ci95: ends });
    const [half] = suite?.slices ?? [];
    expect(half?.groups.map(({ group, macro_f1 }) => [group, macro_f1])).toEqual([
      ['0', null],
      ['1', null],
      ['2', null],
      ['3', null],
      ['none', null],
    ]);
  });

  it.each<[string, readonly SampleResult[]]>([
    ['a result is missing', [...rows, toMail('not_run', 6)]],
    ['they are texts', rows.map((row) => ({ ...row, target: row.id }))],
  ])('not while %s', (_, others) => {
    const suite = summarizeSuite(others);
    expect(suite).not.toHaveProperty('labels');
    expect(suite?.groups.at(-1)).not.toHaveProperty('macro_f1');
  });

  it('nor of questions that were asked because they had failed', () => {
    const [suite] = withoutRates(summarize(rows)).suites;
    expect(JSON.stringify(suite)).not.toMatch(/label|f1/);
  });
});
