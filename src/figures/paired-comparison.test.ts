import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NamedScores, SampleResult } from '../words/row.ts';
import { compare } from './paired-comparison.ts';
import { JUDGE, toResult, toRun, toTrials } from './result.fixture.ts';

it('compares two runs as by hand', () => {
  // 20 questions: 6 fixed, 1 broken, 8 right and 5 wrong in both.
  const a = toRun('------+++++++++-----');
  const b = toRun('++++++-++++++++-----');
  const figures = {
    questions: 20,
    accuracy_a: 9 / 20,
    accuracy_b: 14 / 20,
    difference: 0.25,
    ci95: [expect.closeTo(-0.0226, 3), expect.closeTo(0.4771, 3)],
  };
  expect(compare(a, b)).toEqual({
    ...figures,
    unpaired: { only_a: [], only_b: [], unfinished: [], ungraded: [] },
    flips: { fixed: ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'], broken: ['q7'] },
    shifts: { improved: [], worsened: [] },
    p_value: expect.closeTo(0.125, 12),
    test: 'sign-flip',
    exact: true,
    // By hand: d = 9/22, t of 19 degrees 2.0930 and 0.8610: sqrt(20) x = 2.0930 sqrt(d) + 0.8610 sqrt(d - x^2).
    detectable_drop: expect.closeTo(0.39603, 4),
    latency_ratio: null,
    cost_ratio: null,
    groups: [{ group: 'level 1', ...figures }],
  });
});

it('gives the same digits of any order of rows', () => {
  const toSide = (trials: string, shift: number) =>
    toRun(Array.from({ length: 40 }, (_, index) => trials.slice(index % 4))).map((row, index) => ({
      ...row,
      cluster: `passage ${Number(row.id.slice(1)) % 7}`,
      cost_usd: ((index * shift) % 97) / 10,
      latency_ms: (index * shift) % 89,
      scores: { quality: ((index * shift) % 101) / 100 },
    }));
  const [a, b] = [toSide('+-+--', 13), toSide('-+++-+', 29)];
  const { flips, shifts, ...figures } = compare(a, b);
  expect(compare(a.toReversed(), b.toReversed())).toMatchObject(figures);
});

it('calls all wrong to all right fixed, the reverse broken, and anything less a shift', () => {
  const a = toRun(['--', '++', '+-', '+-', '+-', '-', '++']);
  const b = toRun(['++', '--', '++', '--', '-+', '++', '+++']);
  expect(compare(a, b)).toMatchObject({
    flips: { fixed: ['q1', 'q6'], broken: ['q2'] },
    shifts: { improved: ['q3'], worsened: ['q4'] },
  });
});

it.each<[string, readonly SampleResult[], readonly SampleResult[]]>([
  ['both runs are empty', [], []],
  ['no id is in both', toTrials('q1', '+'), toTrials('q2', '+')],
  ['no question is finished in both', toTrials('q1', '.'), toTrials('q1', '+')],
])('has null figures when %s', (_why, a, b) => {
  const { unpaired: _, flips: __, shifts: ___, groups, ...figures } = compare(a, b);
  const known = Object.entries(figures).filter(([, value]) => value !== null);
  expect([groups, Object.fromEntries(known)]).toEqual([
    [],
    { questions: 0, test: 'sign-flip', exact: true },
  ]);
});

/** Questions by trials of a and of b, each pair in a cluster of its own or in that of its letter. */
const toSides = (pairs: readonly string[], clusters = '') =>
  [0, 1].map((side) =>
    pairs.flatMap((pair, index) => {
      const cluster = clusters[index];
      const named = cluster === undefined ? {} : { cluster };
      return toTrials(`q${index}`, pair.split(' ')[side] ?? '', named);
    }),
  ) as [SampleResult[], SampleResult[]];

it.each<[string, readonly string[], string, object]>([
  // Eight questions in four clusters: two signs of 2^4 are as far. The interval alone is above 0.
  [
    'whole clusters change sign, and few of them say nothing',
    Array.from({ length: 8 }, () => '- +'),
    'aabbccdd',
    { p_value: 0.125, ci95: [0, 1], clusters: 4, detectable_drop: null },
  ],
  // Alone, the same questions are 2 of 2^8 signs.
  ['questions alone', Array.from({ length: 8 }, () => '- +'), '', { p_value: 2 / 256 }],
])('p and the interval never disagree: %s', (_, pairs, clusters, expected) => {
  expect(compare(...toSides(pairs, clusters))).toMatchObject(expected);
});

it('an interval beyond 0 is moved to it where p is large, and one across it where p is small', () => {
  const marks = fc.array(fc.constantFrom('-', '+'), { minLength: 1, maxLength: 4 });
  const pair = fc.tuple(marks, marks).map(([a, b]) => `${a.join('')} ${b.join('')}`);
  const clusters = fc.stringMatching(/^[a-f]{12}$/);
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 12 }), clusters, (pairs, letters) => {
      const { p_value, ci95, difference } = compare(...toSides(pairs, letters));
      const [low = Number.NaN, high = Number.NaN] = ci95 ?? [];
      const contains = low <= 0 && 0 <= high;
      expect(low <= (difference ?? Number.NaN) && (difference ?? Number.NaN) <= high).toBe(true);
      expect((p_value ?? 1) < 0.05 ? low >= 0 || high <= 0 : contains).toBe(true);
    }),
  );
});

it('takes the clusters of b, or of a where b names none', () => {
  const [a, b] = toSides(['- +', '- +', '- -'], 'aab');
  const unnamed = toSides(['- +', '- +', '- -']);
  for (const sides of [
    [a, b],
    [unnamed[0], b],
    [a, unnamed[1]],
  ] as const)
    expect(compare(...sides).clusters).toBe(2);
  expect(compare(...unnamed).clusters).toBeUndefined();
});

it('lists what is not compared', () => {
  const a = [...toTrials('x', '+'), ...toTrials('z', '.')];
  const b = [...toTrials('y', '+'), ...toTrials('z', '+')];
  expect(compare(a, b).unpaired).toEqual({
    only_a: ['x'],
    only_b: ['y'],
    unfinished: ['z'],
    ungraded: [],
  });
});

it('compares groups in natural order, leaving "all" to the whole', () => {
  const groups = ['level 10', 'all', 'level 2'];
  const toGroups = (marks: string) => groups.flatMap((group) => toTrials(group, marks, { group }));
  const comparison = compare(toGroups('-'), toGroups('+'));
  expect(comparison.groups.map(({ group, questions }) => [group, questions])).toEqual([
    ['level 2', 1],
    ['level 10', 1],
  ]);
  expect(comparison.questions).toBe(3);
});

it('is mirrored when the runs change places, and never NaN', () => {
  const anyRun = fc.array(
    fc.string({ unit: fc.constantFrom('+', '-', 'u', '.', '!'), minLength: 1, maxLength: 3 }),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(anyRun, anyRun, (left, right) => {
      const there = compare(toRun(left), toRun(right));
      const back = compare(toRun(right), toRun(left));
      expect(back.flips.broken).toEqual(there.flips.fixed);
      expect(back.shifts.worsened).toEqual(there.shifts.improved);
      expect(back.p_value ?? 2).toBeCloseTo(there.p_value ?? 2, 12);
      expect(back.difference ?? 0).toBeCloseTo(-(there.difference ?? 0), 12);
      expect(Object.values({ ...there, ...there.ci95 }).some(Number.isNaN)).toBe(false);
    }),
  );
});

it.each([
  ['.', '+', 'unfinished'],
  ['+', '+.', 'unfinished'],
  ['u', '+', 'ungraded'],
  ['+', 'u', 'ungraded'],
])('%j and %j are not compared: %s', (a, b, why) => {
  expect(compare(toTrials('q', a), toTrials('q', b))).toMatchObject({
    questions: 0,
    unpaired: { [why]: ['q'] },
  });
});

it.each([
  ['+', '!', 1, 0],
  ['+-+', '-u', 2 / 3, 0],
])(
  '%j against %j: an error is wrong, ungraded trials are left out',
  (a, b, accuracy_a, accuracy_b) => {
    expect(compare(toTrials('q', a), toTrials('q', b))).toMatchObject({ accuracy_a, accuracy_b });
  },
);

/** Two runs of right answers; "100:150 -:9" are the values of a field in both, question by question. */
function compareBy(field: 'latency_ms' | 'cost_usd', questions: string) {
  const toRunOf = (side: number) =>
    questions.split(' ').map((values, index) => {
      const value = values.split(':')[side] ?? '-';
      return toResult('correct', {
        id: `q${index}`,
        [field]: value === '-' ? null : Number(value),
      });
    });
  return compare(toRunOf(0), toRunOf(1));
}

it.each([
  ['100:150 100:50 10:30', 1.5],
  ['100:150 -:900 100:-', 1.5],
  ['0:150', null],
  ['100:0', 0],
  ['-:-', null],
])('the latency ratio of %s is the median over questions, %d', (latencies, ratio) => {
  expect(compareBy('latency_ms', latencies).latency_ratio).toBe(ratio);
});

it('uses the median of the trials of a question, timeouts at their deadline, without errors', () => {
  const a = [100, 300, 200].map((latency_ms, index) =>
    toResult('correct', { trial: index + 1, latency_ms }),
  );
  const b = [
    toResult('timed_out', { latency_ms: 500 }),
    toResult('errored', { trial: 2, latency_ms: 1 }),
  ];
  expect(compare(a, b).latency_ratio).toBe(2.5);
  // The same deadline twice is no ratio of 1.
  expect(compare(b, b).latency_ratio).toBe(null);
});

it.each([
  ['1:3 -:5 7:-', 3],
  ['0:3', null],
  ['2:0', 0],
  ['-:-', null],
])('the cost ratio of %s is of the sums, %d', (costs, ratio) => {
  expect(compareBy('cost_usd', costs).cost_ratio).toBe(ratio);
});

it('compares costs per trial', () => {
  const [one, three] = ['+', '+++'].map((marks) => toTrials('q', marks, { cost_usd: 2 }));
  expect([
    compare(one ?? [], three ?? []).cost_ratio,
    compare(three ?? [], one ?? []).cost_ratio,
  ]).toEqual([1, 1]);
});

/** Rows of q1, q2, ... with one trial each and these values of the score "s". */
const toScored = (values: readonly (boolean | number | null)[], others: NamedScores = {}) =>
  values.map((s, index) => toResult('correct', { id: `q${index + 1}`, scores: { s, ...others } }));

it.each<[string, readonly SampleResult[], readonly SampleResult[], object | undefined]>([
  [
    'the paired difference of a share',
    toScored([false, false, true, true]),
    toScored([true, true, true, false]),
    {
      questions: 4,
      mean_a: 0.5,
      mean_b: 0.75,
      difference: 0.25,
      // Differences 1, 1, 0, -1 and the two added ones: mean 1 / 6, mean square 5 / 6.
      ci95: [expect.closeTo(-0.5514, 3), expect.closeTo(0.8848, 3)],
      kind: 'rate',
    },
  ],
  [
    'that of a mean, if one run has numbers',
    toScored([0.5, 0.25]),
    toScored([true, false]),
    { mean_a: 0.375, mean_b: 0.5, difference: 0.125, kind: 'mean' },
  ],
  [
    'that of the questions with a value in both, where an error is 0',
    toScored([0.5, null, 0.5]),
    [...toScored([1, 1]), toResult('errored', { id: 'q3' })],
    { questions: 2, mean_a: 0.5, mean_b: 0.5, difference: 0 },
  ],
  ['none of a score that one run lacks', [toResult('correct')], toScored([true]), undefined],
  [
    'unknown where no question has a value in both',
    toScored([null, 1]),
    toScored([1, null]),
    { questions: 0, mean_a: null, difference: null, ci95: null },
  ],
])('compares named scores: %s', (_, a, b, wanted) => {
  const { scores, groups } = compare(a, b);
  if (wanted === undefined) expect(scores).toBeUndefined();
  else expect(scores?.['s']).toMatchObject(wanted);
  expect(groups[0]?.scores).toEqual(scores);
});

it('compares no question with a trial without a verdict', () => {
  const judge = { ...JUDGE, verdicts: ['cannot_tell'], score: 's' } as const;
  const open = toResult('incorrect', { trial: 2, scores: { s: null }, judge });
  const { scores } = compare(toScored([1, 1]), [...toScored([1, 0]), open]);
  expect(scores?.['s']).toMatchObject({ questions: 1, mean_b: 0 });
});

it('averages the trials of a question before it compares them', () => {
  const trials = (values: readonly number[]) =>
    values.map((s, index) => toResult('correct', { trial: index + 1, scores: { s } }));
  const { scores } = compare(
    [...trials([1, 0]), ...toScored([0.5, 0.5]).slice(1)],
    [...trials([1, 0.5]), ...toScored([0.5, 0.5]).slice(1)],
  );
  expect(scores?.['s']).toMatchObject({ questions: 2, mean_a: 0.5, mean_b: 0.625 });
});
