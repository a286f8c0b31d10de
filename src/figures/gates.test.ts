import { describe, expect, it } from 'vitest';
import type { SampleResult, State } from '../words/row.ts';
import { computeSmallestMargin } from './detectable-drop.ts';
import { checkGates, describeUnknownSuites, minAccuracyGates, parseGates } from './gates.ts';
import { calibrate, countGrades } from './judge-calibration.ts';
import type { Gate } from './measures.ts';
import { compare } from './paired-comparison.ts';
import { JUDGE, toJudged, toResult, toRun, toTrials } from './result.fixture.ts';
import { summarize } from './summarize.ts';

const GATE = { suite: 'gaia', dataset: 'made-up', group: 'all' };

/** Judges one gate on a run, compared with a baseline when one is given. */
function judge(thresholds: Partial<Gate>, marks: string, baseline?: string) {
  const run = toRun(marks);
  const comparison = baseline === undefined ? null : compare(toRun(baseline), run);
  return checkGates([{ ...GATE, ...thresholds }], summarize(run), () => comparison, run);
}

const same = '+-'.repeat(50);
const NO_BASELINE = 'it needs a baseline: set EVAL_BASELINE to an earlier run';

/** A part of an explanation that another case has whole. */
const part = (text: string): string => expect.stringContaining(text);

it.each<[Partial<Gate>, string, boolean | null, string, string?]>([
  [
    { min_accuracy: 0.6 },
    '+++++++-----',
    false,
    'accuracy 58.3 % is below the gate 60.0 % for group all',
  ],
  [
    { min_accuracy: 0.7 },
    '+++++++---',
    true,
    'accuracy 70.0 % meets the gate 70.0 % for group all',
  ],
  [{ min_accuracy: 0.6667 }, '++-', false, part('66.667 % is below the gate 66.670 %')],
  [{ min_accuracy: 0.1 }, '++.', null, '1 of 3 results was not run'],
  [{ min_accuracy: 0.1 }, 'uu', null, 'no result can be graded'],
  [
    { min_accuracy: 0, group: 'level 4' },
    '+',
    null,
    'there is no group level 4 in this run. Did you mean level 1?',
  ],
  [
    { max_errored: 0.25 },
    '+++!',
    true,
    'errored share 25.0 % is within the gate 25.0 % for group all',
  ],
  [{ max_errored: 0.25 }, '++!!', false, part('50.0 % is above the gate')],
  [
    { max_drop: 0.05 },
    same,
    true,
    'the drop is at most 2.7 pp (95 % interval); the gate allows 5.0 pp for group all',
    same,
  ],
  // Two of 100 broken: N = 102, mean -2/102, variance 4/102 - (2/102)^2, half 1.96 sqrt(variance /
  // 102) = 0.0382.
  [{ max_drop: 0.05 }, `----${same.slice(4)}`, false, part('at most 5.8 pp'), same],
  [
    { max_drop: 0.05 },
    '+-+-',
    false,
    'the drop is at most 46.2 pp (95 % interval); the gate allows 5.0 pp for group all; ' +
      'with 4 questions it is 46.2 pp even if no answer changes',
    '+-+-',
  ],
  [
    { max_drop: 0 },
    '+'.repeat(40),
    true,
    part(
      'at most 0.0 pp (95 % interval); the gate allows 0.0 pp for group all; with 40 questions it is 6.6 pp',
    ),
    '-'.repeat(40),
  ],
  [{ max_drop: 0.05 }, '+', null, NO_BASELINE],
  [{ max_drop: 0.05 }, '+', null, 'no question is finished in both runs', ''],
  [
    { max_drop: 0.5, group: 'level 1' },
    same,
    null,
    'only 80 of 100 questions can be compared with the baseline',
    same.slice(0, 80),
  ],
])('the gate %j on %s: %s, %s (baseline %s)', (thresholds, marks, holds, explanation, baseline) => {
  expect(judge(thresholds, marks, baseline)).toMatchObject([{ holds, explanation }]);
});

it('is met by every share that equals its decimal, whatever the rounding', () => {
  for (const n of [40, 50, 125]) {
    for (let correct = 0; correct <= n; correct += 1) {
      const min_accuracy = Number(`${(correct * 1000) / n}e-3`);
      const [result] = judge({ min_accuracy }, '+'.repeat(correct) + '-'.repeat(n - correct));
      expect(result?.holds).toBe(true);
    }
  }
});

it('does not count timeouts as errors', () => {
  const late = [toResult('timed_out')];
  const results = checkGates([{ ...GATE, max_errored: 0 }], summarize(late), () => null, late);
  expect(results).toMatchObject([{ holds: true, value: 0 }]);
});

it('names the suites that gates are on and that are not there', () => {
  const gates = ['gaia', 'gaai', 'gaai', 'mqc'].map((suite) => ({ ...GATE, suite }));
  const advisory = { ...GATE, suite: 'other', advisory: true };
  expect(describeUnknownSuites([...gates, advisory], ['gaia', 'mcq'])).toEqual([
    'a gate names a suite that does not exist: "gaai", "mqc"; the suites are "gaia", "mcq"',
  ]);
  expect(describeUnknownSuites(gates.slice(0, 1), ['gaia', 'mcq'])).toEqual([]);
});

describe('the pass rate of each question', () => {
  /**
   * One question per word of marks, a mark for each trial; the last is alone in group "level 2".
   */
  const toGroups = (words: string) => {
    const questions = words.split(' ');
    return toRun(questions).map((row) =>
      row.id === `q${questions.length}` ? { ...row, group: 'level 2' } : row,
    );
  };
  const five = '-- +- +-- +++- +++++- ++++-- ++';

  it.each<[number, string, string, boolean | null, string]>([
    [
      0.66,
      'all',
      '+++ ++- ++',
      true,
      'the lowest pass rate of a question 66.7 % meets the gate 66.0 % for group all',
    ],
    [
      0.7,
      'all',
      '++- +++ -!+',
      false,
      '2 of 3 questions have a pass rate below the gate 70.0 % for group all: q3 (1 of 3), q1 (2 of 3)',
    ],
    [1, 'level 1', '++ +- --', false, part('for group level 1: q2 (1 of 2)')],
    [
      0.9,
      'all',
      five,
      false,
      '6 of 7 questions have a pass rate below the gate 90.0 % for group all: ' +
        'q1 (0 of 2), q3 (1 of 3), q2 (1 of 2), q6 (4 of 6), q4 (3 of 4) and 1 more',
    ],
    [1, 'all', '++ uu -u', false, part(': q3 (0 of 1)')],
    [0, 'all', '++ +.', null, part('1 of 4 results')],
  ])(
    'of at least %d in %s of %s: %s, %s',
    (min_pass_rate_per_case, group, words, holds, explanation) => {
      const run = toGroups(words);
      const gate = { ...GATE, group, min_pass_rate_per_case };
      const others = toTrials('q1', '---', { agent: 'other' });
      const results = checkGates([gate], summarize(run), () => null, [...others, ...run]);
      expect(results).toMatchObject([{ holds, explanation }]);
    },
  );
});

describe('samples without a target', () => {
  const complete = [...toRun('++'), ...toTrials('h1', '!', { target: null })];
  const incomplete = [...complete, ...toTrials('h2', '.', { target: null })];
  const judgeRun = (thresholds: Partial<Gate>, run = complete) =>
    checkGates([{ ...GATE, ...thresholds }], summarize(run), () => compare(run, run), run)[0];

  it.each([
    [{ min_accuracy: 1 }, { holds: true, value: 1 }],
    [{ min_pass_rate_per_case: 1 }, { holds: true, value: 1 }],
    [{ max_errored: 0 }, { holds: true, value: 0 }],
    [{ max_drop: 0 }, { holds: false, value: computeSmallestMargin([{}, {}]) }],
  ])('are in no gate: %j', (thresholds, verdict) => {
    expect(judgeRun(thresholds)).toMatchObject(verdict);
  });

  it('leave every gate open while one of them has not run, but excuse no missed gate', () => {
    for (const thresholds of [{ min_accuracy: 1 }, { max_errored: 0 }, { max_drop: 1 }]) {
      expect(judgeRun(thresholds, incomplete)).toMatchObject({
        holds: null,
        explanation: 'the run is incomplete',
      });
    }
    expect(judgeRun({ max_drop: 0 }, incomplete)?.holds).toBe(false);
  });
});

it('judges each threshold for each agent of the suite, with its own comparison', () => {
  const run = [toResult('correct', { agent: 'one' }), toResult('incorrect', { agent: 'two' })];
  const gate = { ...GATE, min_accuracy: 1, min_pass_rate_per_case: 1, max_drop: 1, max_errored: 0 };
  const gates = [gate, { ...gate, suite: 'mcq' }, { ...gate, dataset: 'sample' }];
  const comparisonOf = ({ agent }: { agent: string }) =>
    agent === 'one' ? compare(toRun('+'), toRun('+')) : null;
  const results = checkGates(gates, summarize(run), comparisonOf, run);
  expect(
    results.map(({ agent, measure, threshold, holds }) => [agent, measure, threshold, holds]),
  ).toEqual([
    ['one', 'min_accuracy', 1, true],
    ['one', 'min_pass_rate_per_case', 1, true],
    ['one', 'max_drop', 1, true],
    ['one', 'max_errored', 0, true],
    ['two', 'min_accuracy', 1, false],
    ['two', 'min_pass_rate_per_case', 1, false],
    ['two', 'max_drop', 1, null],
    ['two', 'max_errored', 0, true],
  ]);
});

describe('macro F1', () => {
  // F1 of spam is 2 / 3 and of ham 4 / 5: two hits of three, with and without the wrong answer.
  const run = ['spam', 'spam', 'ham', 'ham'].map((target, index) => {
    const [group, fields] = [index < 2 ? 'mail' : 'both', { id: `q${index}`, target }];
    const row = toResult(index === 0 ? 'incorrect' : 'correct', { ...fields, group });
    return { ...row, answer: index === 0 ? 'ham' : target } as SampleResult;
  });
  const judgeRun = (thresholds: Partial<Gate>, rows: readonly SampleResult[] = run) =>
    checkGates([{ ...GATE, ...thresholds }], summarize(rows), () => null, rows)[0];

  it.each<[string, Partial<Gate>, boolean | null, string, (readonly SampleResult[])?]>([
    ['is met', { min_f1: 0.73 }, true, 'macro F1 73.3 % meets the gate 73.0 % for group all'],
    [
      'is missed',
      { min_f1: 0.74 },
      false,
      'macro F1 73.3 % is below the gate 74.0 % for group all',
    ],
    ['needs labels', { min_f1: 0 }, null, part('its expected answers are not labels'), toRun('++')],
    [
      'needs two labels',
      { min_f1: 0, group: 'mail' },
      null,
      'macro F1 needs two labels, and there is one',
    ],
    [
      'needs all results',
      { min_f1: 0 },
      null,
      part('1 of 5 results was not run'),
      [...run, toResult('not_run', { id: 'q9', target: 'ham' })],
    ],
  ])('%s', (_, thresholds, holds, explanation, rows) => {
    expect(judgeRun(thresholds, rows)).toMatchObject({ holds, explanation });
  });
});

it('is for whichever dataset its suite has, where it names none', () => {
  const [gate] = parseGates(
    { version: 1, gates: [{ suite: 'gaia', group: 'all', min_accuracy: 1 }] },
    'g',
  );
  const run = ['sample', 'made-up'].map((dataset) => toResult('correct', { dataset }));
  const gates = gate === undefined ? [] : [gate, { ...gate, suite: 'mcq' }];
  const results = checkGates(gates, summarize(run), () => null, run);
  expect(results.map(({ gate: { dataset }, holds }) => [dataset, holds])).toEqual([
    ['sample', true],
    ['made-up', true],
  ]);
});

it('turns one minimal accuracy into a gate on "all" of every suite and dataset, once for several agents', () => {
  const others = [{ agent: 'other' }, { suite: 'mcq', dataset: 'sample' }];
  const summary = summarize([{}, ...others].map((fields) => toResult('correct', fields)));
  expect(minAccuracyGates(0.6, summary)).toEqual([
    { suite: 'gaia', dataset: 'made-up', group: 'all', min_accuracy: 0.6 },
    { suite: 'mcq', dataset: 'sample', group: 'all', min_accuracy: 0.6 },
  ]);
});

const NAMES = { suite: 'gaia', dataset: 'sample', group: 'level 1' };
const WHOLE = { ...NAMES, min_accuracy: 0.5 };
const toFile = (...gates: unknown[]) => ({ version: 1, gates });

it.each<[unknown, string]>([
  [null, 'gates.json must be an object, got null. Its keys are version, gates.'],
  [{ version: '1', gates: [] }, 'gates.json: "version" must be 1, got "1". Write "version": 1.'],
  [{ version: 1, gate: [] }, 'gates.json has an unknown key, got "gate". Did you mean gates?'],
  [
    toFile(WHOLE, 'all'),
    'gates.json: gates[1] must be an object, got "all". Its keys are suite, dataset, group,',
  ],
  [
    toFile({ ...WHOLE, min_acuracy: 1 }),
    'gates[0] has an unknown key, got "min_acuracy". Did you mean min_accuracy?',
  ],
  [
    toFile({ ...WHOLE, suite: undefined }),
    'gates[0]: "suite" must be a string, got nothing. Write it as the summary',
  ],
  [
    toFile(NAMES),
    'gates[0] has no threshold, got {"suite":"gaia","dataset":"sample","group":"level 1"}. Add min_acc',
  ],
  [
    toFile({ ...WHOLE, min_accuracy: 60 }),
    'gates.json: gates[0]: "min_accuracy" must be a number from 0 to 1, got 60. Write 0.6 for 60 %.',
  ],
  [
    toFile({ ...WHOLE, advisory: 'yes' }),
    '"advisory" must be true or false, got "yes". Leave it out for a gate that',
  ],
  [
    toFile({ ...NAMES, min_score: { name: 'total', at_most: 1 } }),
    'gates[0]: "min_score" has an unknown key, got "at_most". Known: name, at_le',
  ],
  [
    toFile({ ...NAMES, max_score_drop: [{ name: 'total', at_most: 5 }] }),
    'gates[0]: "max_score_drop"[0]: "at_most" must be',
  ],
  [toFile({ ...NAMES, min_score: [] }), 'gates[0]: "min_score" is empty, got []. Name a score'],
  [
    toFile({ ...NAMES, max_cost_usd: '1' }),
    'gates[0]: "max_cost_usd" must be a number of at least 0, got "1". Write 0.5 for 50 cents.',
  ],
  [toFile({ ...NAMES, max_p95_ms: -1 }), 'got -1. Write 2000 for two seconds.'],
])('refuses %j with place, value and remedy', (json, message) => {
  expect(() => parseGates(json, 'gates.json')).toThrow(message);
});

describe('a gate on a judge', () => {
  // TPR 57 of 60 and TNR 36 of 40: Wilson intervals from 86.30 % and from 76.95 %.
  const measured = calibrate({
    passed: { as_pass: 57, as_fail: 3 },
    failed: { as_pass: 4, as_fail: 36 },
  });
  it.each<[Partial<Gate>, ReturnType<typeof calibrate> | null, boolean, string]>([
    [
      { min_judge_tpr: 0.85 },
      measured,
      true,
      "the judge's TPR is at least 86.3 % (95 % interval, 60 labels); the gate demands 85.0 %",
    ],
    [
      { min_judge_tnr: 0.85 },
      measured,
      false,
      part("the judge's TNR is at least 76.9 % (95 % interval, 40 labels)"),
    ],
    [
      { min_judge_tnr: 0.1 },
      null,
      false,
      'the judge has no label "fail" by a person: see "viva label"',
    ],
  ])('%j', (thresholds, calibration, holds, explanation) => {
    const summary = summarize(toJudged(5, 5), () => calibration);
    expect(checkGates([{ ...GATE, ...thresholds }], summary, () => null, [])).toMatchObject([
      { holds, explanation },
    ]);
  });

  const graded = (pairs: readonly (readonly [number, number])[]) => {
    const judge = { ...JUDGE, scale: 5, verdicts: [4] };
    const rows = toJudged(5, 5).map((row) => ({ ...row, judge }));
    return summarize(rows, () => (pairs.length === 0 ? null : calibrate(countGrades(pairs, 5))));
  };
  it.each<[Partial<Gate>, readonly (readonly [number, number])[], boolean | null, string]>([
    [
      { min_judge_kappa: 0.6 },
      [1, 2, 3, 4, 5].flatMap((grade) => Array(20).fill([grade, grade])),
      true,
      "the weighted kappa of the judge's grades is at least 0.93 (95 % interval, 100 labels); the gate demands 0.6",
    ],
    [{ min_judge_kappa: 0.6 }, Array(9).fill([1, 5]), false, part('at least -0.')],
    [
      { min_judge_kappa: 0 },
      [],
      false,
      'the judge has no label with a grade by a person: see "viva label"',
    ],
    [{ min_judge_tpr: 0 }, [[1, 1]], null, 'its judges give grades: demand "min_judge_kappa"'],
  ])('of grades: %j', (thresholds, pairs, holds, explanation) => {
    const summary = graded(pairs);
    expect(checkGates([{ ...GATE, ...thresholds }], summary, () => null, [])).toMatchObject([
      { holds, explanation },
    ]);
  });

  it('of grades cannot be judged where judges pass and fail', () => {
    const summary = summarize(toJudged(5, 5), () => measured);
    const [result] = checkGates([{ ...GATE, min_judge_kappa: 0 }], summary, () => null, []);
    expect(result?.explanation).toContain('its judges give verdicts: demand "min_judge_tpr"');
  });

  it('is missed by a judge that has changed since it was calibrated', () => {
    const summary = summarize(toJudged(5, 5), () => ({ ...measured, changed: true }));
    const [result] = checkGates([{ ...GATE, min_judge_tpr: 0.1 }], summary, () => null, []);
    expect(result?.holds).toBe(false);
  });

  it('cannot be judged where no judge was asked', () => {
    expect(judge({ min_judge_tpr: 0 }, '+')).toMatchObject([
      { holds: null, explanation: 'no judge was asked' },
    ]);
  });
});

it('reads gates on scores, cost and time', () => {
  const gate = {
    ...NAMES,
    min_score: [{ name: 'total', at_least: 0.9 }],
    max_score_drop: { name: 'total', at_most: 0.1 },
    max_cost_usd: 2.5,
    max_median_ms: 900,
  };
  expect(parseGates(toFile(gate), 'gates.json')).toEqual([gate]);
});

describe('a gate on a named score', () => {
  const toScored = (values: readonly (boolean | number | null)[]) =>
    values.map((total, index) =>
      toResult('correct', { id: `q${index}`, scores: { total, 'is kind': true } }),
    );
  const atLeast = (at_least: number, name = 'total') => ({ min_score: { name, at_least } });
  const mayDrop = (at_most: number) => ({ max_score_drop: { name: 'total', at_most } });
  const half = toScored([true, true, false, false]);
  const judge = { ...JUDGE, verdicts: ['cannot_tell'], score: 'total' } as const;
  const withOpen = toScored([true, true, null, null]).map((row, index) =>
    index < 2 ? row : { ...row, judge },
  );

  it.each<
    [Partial<Gate>, readonly SampleResult[], boolean | null, string, (readonly SampleResult[])?]
  >([
    [atLeast(0.5), half, true, 'the score "total" 50.0 % meets the gate 50.0 % for group all'],
    [atLeast(0.3334), toScored([1 / 3, 1 / 3]), false, part('0.3333 is below the gate 0.3334')],
    [
      atLeast(0, 'totl'),
      half,
      null,
      'no result has a score "totl"; there are "total", "is kind". Did you mean total?',
    ],
    [
      { ...atLeast(0), group: 'level 2' },
      [...half, ...toScored([null]).map((row) => ({ ...row, group: 'level 2' }))],
      null,
      'no result has a value of "total"',
    ],
    [atLeast(0), [...half, toResult('not_run', { id: 'late' })], null, part('1 of 5 results')],
    [atLeast(0.5), withOpen, null, '2 of 4 results have no verdict for the score "total"'],
    [mayDrop(1), withOpen, null, part('2 of 4 results'), half],
    [mayDrop(1), half, null, part('only 2 of 4 questions'), withOpen],
    [mayDrop(0.1), half, null, NO_BASELINE],
    [
      mayDrop(0.8),
      half,
      true,
      'the drop of the score "total" is at most 46.2 pp (95 % interval); the gate allows 80.0 pp for group all',
      half,
    ],
    [
      { ...mayDrop(0.1), group: 'level 1' },
      toScored([0, 0]),
      false,
      part('at most 1.000 (95 % interval); the gate allows 0.100'),
      toScored([0.5, 1]),
    ],
    [
      mayDrop(1),
      half,
      null,
      'no question has a value of "total" in both runs',
      [toResult('correct', { id: 'q0' })],
    ],
  ])('%j: %#', (thresholds, run, holds, explanation, baseline) => {
    const comparison = baseline === undefined ? null : compare(baseline, run);
    const gates = [{ ...GATE, ...thresholds }];
    const [result] = checkGates(gates, summarize(run), () => comparison, run);
    expect(result).toMatchObject({ holds, explanation, score: expect.stringContaining('tot') });
  });

  it('may name several', () => {
    const limits = ['total', 'is kind'].map((name) => ({ name, at_least: 0.6 }));
    const results = checkGates([{ ...GATE, min_score: limits }], summarize(half), () => null, half);
    expect(results.map(({ score, holds, value }) => [score, holds, value])).toEqual([
      ['total', false, 0.5],
      ['is kind', true, 1],
    ]);
  });
});

describe('a gate on cost and time', () => {
  const spent = (...costs: readonly (number | null)[]) =>
    costs.map((cost, index) => timed('correct', index, cost));
  const timed = (state: State, latency_ms: number | null, cost_usd: number | null = null) =>
    toResult(state, { id: `${state} ${latency_ms} ${cost_usd}`, latency_ms, cost_usd });
  const begun = (state: State, first_token_ms?: number) =>
    toResult(state, { id: state, first_token_ms });
  const twenty = Array.from({ length: 20 }, (_, ms) => timed('correct', ms + 1));

  it.each<[Partial<Gate>, readonly SampleResult[], boolean | null, string]>([
    [
      { max_cost_usd: 0.3 },
      spent(0.1, 0.2),
      true,
      'the cost $0.3 is within the gate $0.3 for group all',
    ],
    [
      { max_cost_usd: 0.5 },
      spent(0.75, null),
      false,
      'the cost at least $0.75 is above the gate $0.5 for group all',
    ],
    [{ max_cost_usd: 1 }, spent(0.75, null), null, 'the cost of 1 result is not known'],
    [{ max_cost_usd: 1 }, spent(null), null, 'the cost of its results is not known'],
    [
      { max_median_ms: 10 },
      [timed('correct', 0.4), timed('incorrect', 0.4)],
      true,
      part('0.4 ms is within'),
    ],
    [
      { max_median_ms: 500 },
      [{ ...timed('correct', 400), own_delay_ms: 90, cached: true }],
      true,
      "the median 400 ms is within the gate 500 ms for group all; it includes about 90 ms in which answers waited for viva's busy process",
    ],
    [
      { max_p95_ms: 150 },
      Array.from({ length: 20 }, (_, index) =>
        index < 16
          ? { ...timed('correct', 40), own_delay_ms: 0 }
          : { ...timed('correct', 340), own_delay_ms: 300 },
      ),
      false,
      "the p95 340 ms is above the gate 150 ms for group all; it includes about 300 ms in which answers waited for viva's busy process",
    ],
    [
      { max_median_ms: 50 },
      [timed('ungraded', 50.3)],
      false,
      'the median 50.3 ms is above the gate 50 ms for group all',
    ],
    [
      { max_median_ms: 10 },
      [timed('timed_out', 5)],
      null,
      'the median is more than 5 ms, the deadline of a timeout',
    ],
    [
      { max_median_ms: 4 },
      [timed('timed_out', 5)],
      false,
      'the median is more than 5 ms, above the gate 4 ms for group all',
    ],
    [{ max_median_ms: 4 }, [timed('errored', null)], null, 'the median needs 1 timed result'],
    [
      { max_case_cost_usd: 0.3 },
      spent(0.1, 0.3, 0.2),
      true,
      'the largest cost of a case $0.3 is within the gate $0.3 for group all',
    ],
    [
      { max_case_cost_usd: 0.5 },
      spent(0.3, 0.75, null, 0.6),
      false,
      'the largest cost of a case $0.75 is above the gate $0.5 for group all, in 2 of 4 cases: correct 1 0.75 ($0.75), correct 3 0.6 ($0.6)',
    ],
    [
      { max_case_cost_usd: 0.5 },
      [1, 2, 3].map((trial) => toResult('correct', { trial, cost_usd: trial / 4 })),
      false,
      part('in 1 of 3 cases: q1 trial 3 ($0.75)'),
    ],
    [
      { max_case_cost_usd: 0.5 },
      [toResult('correct', { cost_usd: 0.4, judge: { ...JUDGE, cost_usd: 0.2 } })],
      false,
      part('the largest cost of a case $0.6 is above'),
    ],
    [{ max_case_cost_usd: 1 }, spent(0.75, null), null, 'the cost of 1 of 2 results is not known'],
    [{ max_case_cost_usd: 1 }, spent(null), null, 'no result reports the cost'],
    [
      { max_first_token_ms: 300 },
      [begun('correct', 200), begun('incorrect', 300.4), begun('timed_out')],
      false,
      'the longest time to a first token 300.4 ms is above the gate 300 ms for group all, in 1 of 3 cases: incorrect (300.4 ms)',
    ],
    [
      { max_first_token_ms: 300 },
      // What failed before it said anything has no first token.
      [begun('correct', 200), begun('errored'), begun('no_answer')],
      true,
      'the longest time to a first token 200 ms is within the gate 300 ms for group all',
    ],
    [
      { max_first_token_ms: 300 },
      [begun('correct', 200), begun('correct'), begun('timed_out')],
      null,
      'the time to the first token of 2 of 3 results is not known',
    ],
    [
      { max_first_token_ms: 300 },
      [begun('correct')],
      null,
      'no result reports the time to the first token',
    ],
    [{ max_p95_ms: 20 }, twenty, true, 'the p95 19 ms is within the gate 20 ms for group all'],
    [{ max_p95_ms: 20 }, twenty.slice(1), null, part('needs 20 timed results')],
  ])('%j: %#', (thresholds, run, holds, explanation) => {
    const [result] = checkGates([{ ...GATE, ...thresholds }], summarize(run), () => null, run);
    expect(result).toMatchObject({ holds, explanation });
  });
});

/**
 * 10 questions by law and art, each half by rent and loan; "rent" is a kind too. All of law are
 * right.
 */
const rows = Array.from({ length: 10 }, (_, index) => {
  const subject = index < 6 ? 'law' : 'art';
  const groups = { subject, topic: index % 2 ? 'rent' : 'loan', kind: index < 2 ? 'rent' : 'buy' };
  return toResult(index < 6 ? 'correct' : 'incorrect', {
    id: `q${index}`,
    group: subject,
    groups,
    scores: { total: index < 7 },
  });
});
const worse = rows.map((row, index) =>
  index === 2 ? toResult('incorrect', { ...row, scores: { total: false } }) : row,
);

it.each<[string, Partial<Gate>, boolean | null, string]>([
  ['loan', { min_accuracy: 0 }, true, 'accuracy 60.0 % meets the gate 0.0 % for group loan'],
  ['law', { min_accuracy: 0 }, true, 'accuracy 100.0 %'],
  ['topic rent', { min_accuracy: 0 }, true, 'accuracy 60.0 %'],
  ['kind rent', { min_accuracy: 0 }, true, 'accuracy 100.0 %'],
  [
    'rent',
    { min_accuracy: 0 },
    null,
    'rent is a group by topic and by kind: write "topic rent" or "kind rent"',
  ],
  ['all', { min_accuracy: 0 }, true, 'accuracy 60.0 %'],
  ['sale', { min_accuracy: 0 }, null, 'there is no group sale in this run.'],
  ['buy', { min_pass_rate_per_case: 1 }, false, '4 of 8 questions'],
  ['loan', { min_score: { name: 'total', at_least: 0.8 } }, true, '80.0 %'],
  ['loan', { max_drop: 0.7 }, true, 'at most 39.6 pp'],
  ['kind rent', { max_score_drop: { name: 'total', at_most: 0.9 } }, true, 'at most'],
])('a gate on the group %s of some grouping: %j', (group, thresholds, holds, explanation) => {
  const gates = [{ ...GATE, group, ...thresholds }];
  const comparison = compare(rows, rows);
  const [result] = checkGates(gates, summarize(rows), () => comparison, rows);
  expect(result).toMatchObject({ holds, explanation: expect.stringContaining(explanation) });
});

it('takes the drop of the questions of the group alone', () => {
  const dropOf = (group: string) => {
    const gates = [{ ...GATE, group, max_drop: 1 }];
    return checkGates(gates, summarize(worse), () => compare(rows, worse), worse)[0]?.value;
  };
  expect(dropOf('loan')).toBeGreaterThan(dropOf('topic rent') ?? 1);
});
