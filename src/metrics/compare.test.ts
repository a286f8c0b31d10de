import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SampleResult } from '../types.ts';
import { compare, pairQuestions } from './compare.ts';
import { toTrials } from './result.fixture.ts';

/** A run from one text of trial marks per question: q1, q2, ... */
const toRun = (questions: readonly string[], group = 'level 1'): readonly SampleResult[] =>
  questions.flatMap((marks, index) => toTrials(`q${index + 1}`, marks, { group }));

it('compares two runs as by hand', () => {
  // 20 questions: 6 fixed, 1 broken, 8 right and 5 wrong in both.
  const a = toRun([...'------+++++++++-----']);
  const b = toRun([...'++++++-++++++++-----']);
  expect(compare(a, b)).toEqual({
    questions: 20,
    accuracy_a: 9 / 20,
    accuracy_b: 14 / 20,
    difference: 0.25,
    ci95: [expect.closeTo(-0.0226, 3), expect.closeTo(0.4771, 3)],
    unpaired: { only_a: [], only_b: [], unfinished: [] },
    flips: { fixed: ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'], broken: ['q7'] },
    shifts: { improved: [], worsened: [] },
    p_value: expect.closeTo(0.125, 12),
    exact: true,
    detectable_drop: expect.closeTo(0.3775, 3),
    latency_ratio: null,
    cost_ratio: null,
    groups: [
      {
        group: 'level 1',
        questions: 20,
        accuracy_a: 9 / 20,
        accuracy_b: 14 / 20,
        difference: 0.25,
        ci95: [expect.closeTo(-0.0226, 3), expect.closeTo(0.4771, 3)],
      },
    ],
  });
});

it('calls all wrong to all right fixed, the reverse broken, and anything less a shift', () => {
  const a = toRun(['--', '++', '+-', '+-', '+-', '-', '++']);
  const b = toRun(['++', '--', '++', '--', '-+', '++', '+++']);
  expect(compare(a, b)).toMatchObject({
    flips: { fixed: ['q1', 'q6'], broken: ['q2'] },
    shifts: { improved: ['q3'], worsened: ['q4'] },
  });
});

it('weighs questions, not trials', () => {
  expect(compare(toRun(['++++++', '-']), toRun(['------', '+']))).toMatchObject({
    accuracy_a: 0.5,
    accuracy_b: 0.5,
    difference: 0,
    p_value: 1,
  });
});

it('tests questions, so that trials which always agree add no evidence', () => {
  const once = compare(toRun([...'------']), toRun([...'+++++-']));
  const often = compare(toRun(['--', '--', '--', '--', '--', '--']), toRun(['++', '++', '++', '++', '++', '--']));
  expect(often).toEqual(once);
});

it.each<[string, readonly SampleResult[], readonly SampleResult[]]>([
  ['both runs are empty', [], []],
  ['no id is in both', toTrials('q1', '+'), toTrials('q2', '+')],
  ['no question is finished in both', toTrials('q1', '.'), toTrials('q1', '+')],
])('has null figures when %s', (_why, a, b) => {
  expect(compare(a, b)).toMatchObject({
    questions: 0,
    accuracy_a: null,
    accuracy_b: null,
    difference: null,
    ci95: null,
    p_value: null,
    exact: true,
    detectable_drop: null,
    latency_ratio: null,
    cost_ratio: null,
    groups: [],
  });
});

it('lists what is not compared', () => {
  const a = [...toTrials('x', '+'), ...toTrials('z', '.')];
  const b = [...toTrials('y', '+'), ...toTrials('z', '+')];
  expect(compare(a, b).unpaired).toEqual({ only_a: ['x'], only_b: ['y'], unfinished: ['z'] });
});

it.each([
  ['one question that flips', '-', '+', 1, 1],
  ['one question that does not', '+', '+', 0, 1],
  ['no flips', '++--+', '++--+', 0, 1],
  ['all flips', '------', '++++++', 1, 2 / 64],
])('%s: p', (_rule, a, b, difference, p_value) => {
  const comparison = compare(toRun([...a]), toRun([...b]));
  expect(comparison).toMatchObject({ difference, p_value: expect.closeTo(p_value, 12) });
  expect(comparison.ci95?.[0]).toBeLessThanOrEqual(difference);
  expect(comparison.ci95?.[1]).toBeGreaterThanOrEqual(difference);
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
  const anyRun = fc.array(fc.string({ unit: fc.constantFrom('+', '-', 'u', '.', '!'), minLength: 1, maxLength: 3 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(anyRun, anyRun, (left, right) => {
      const there = compare(toRun(left), toRun(right));
      const back = compare(toRun(right), toRun(left));
      expect(back.flips.broken).toEqual(there.flips.fixed);
      expect(back.shifts.worsened).toEqual(there.shifts.improved);
      expect(back.p_value).toBe(there.p_value);
      expect(back.difference ?? 0).toBeCloseTo(-(there.difference ?? 0), 12);
      expect(Object.values({ ...there, ...there.ci95 }).some(Number.isNaN)).toBe(false);
    }),
  );
});

it('gives the p-value that going through all signs gives, whatever the trials', () => {
  const anyQuestion = fc.tuple(
    ...[0, 1].map(() => fc.string({ unit: fc.constantFrom('+', '-'), minLength: 1, maxLength: 4 })),
  );
  fc.assert(
    fc.property(fc.array(anyQuestion, { minLength: 1, maxLength: 10 }), (questions) => {
      const { p_value } = compare(toRun(questions.map(([a = '']) => a)), toRun(questions.map(([, b = '']) => b)));
      expect(p_value).toBeCloseTo(enumerateSigns(questions.map(([a = '', b = '']) => 12 * (share(b) - share(a)))), 10);
    }),
  );
});

const share = (marks: string) => marks.replaceAll('-', '').length / marks.length;

/** The share of the 2^n sign patterns whose sum is as far from 0 as the one seen; the differences are whole numbers. */
function enumerateSigns(differences: readonly number[]): number {
  const whole = differences.map(Math.round);
  const seen = Math.abs(whole.reduce((sum, value) => sum + value, 0));
  const patterns = 2 ** whole.length;
  let hits = 0;
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    const sum = whole.reduce((total, value, bit) => total + ((pattern >> bit) & 1 ? value : -value), 0);
    if (Math.abs(sum) >= seen) hits += 1;
  }
  return hits / patterns;
}

const idsOf = (pairs: readonly { readonly id: string }[]) => pairs.map(({ id }) => id);

it('pairs what both runs finished, and names the rest', () => {
  const a = [...toTrials('both', '+'), ...toTrials('gone', '+'), ...toTrials('hidden', 'u'), ...toTrials('late', '+.')];
  const b = [...toTrials('late', '++'), ...toTrials('new', '+'), ...toTrials('hidden', '+'), ...toTrials('both', '-')];
  const { finished, unfinished, onlyA, onlyB } = pairQuestions(a, b);
  expect(idsOf(finished)).toEqual(['both']);
  expect(idsOf(unfinished)).toEqual(['late', 'hidden']);
  expect([onlyA, onlyB]).toEqual([['gone'], ['new']]);
});

it.each([
  ['.', '+'],
  ['+', '+.'],
  ['u', '+'],
  ['+', 'u'],
])('%j and %j are not both finished', (a, b) => {
  expect(pairQuestions(toTrials('q', a), toTrials('q', b)).finished).toEqual([]);
});

it('counts an error as a wrong answer of a finished question', () => {
  const [pair] = pairQuestions(toTrials('q', '+'), toTrials('q', '!')).finished;
  expect(pair?.b).toMatchObject({ correct: 0, graded: 1 });
});

it('pools the trials of a question and leaves the ungraded ones out', () => {
  const [pair] = pairQuestions(toTrials('q', '+-+'), toTrials('q', '-u')).finished;
  expect([pair?.a, pair?.b]).toMatchObject([
    { correct: 2, graded: 3 },
    { correct: 0, graded: 1 },
  ]);
});

it.each([{ suite: 'mcq' }, { dataset: 'other' }])(
  'does not pair the same id of another suite or dataset: %j',
  (fields) => {
    const { finished, onlyA, onlyB } = pairQuestions(toTrials('q', '+'), toTrials('q', '+', fields));
    expect([finished, onlyA, onlyB]).toEqual([[], ['q'], ['q']]);
  },
);

it('pairs across agents and takes the group of run b', () => {
  const a = toTrials('__proto__', '+', { agent: 'old', group: 'level 1' });
  const b = toTrials('__proto__', '+', { agent: 'new', group: 'level 2' });
  expect(pairQuestions(a, b).finished).toMatchObject([{ id: '__proto__', group: 'level 2' }]);
});
