import { expect, test } from 'vitest';
import type { PairVerdicts, SampleResult } from '../words/row.ts';
import { computePreference } from './preference.ts';
import { PAIR, toResult } from './result.fixture.ts';

type Mark = 'w' | 't' | 'l' | 'r' | '=' | '?' | '!' | '.' | 'x';

const OUTCOMES: Readonly<Record<string, Partial<PairVerdicts>>> = {
  w: { outcome: 'win', verdicts: [['first', 'second']] },
  t: { outcome: 'tie', verdicts: [['tie', 'tie']] },
  l: { outcome: 'loss', verdicts: [['second', 'first']] },
  r: { outcome: 'tie', tie: 'turned', verdicts: [['first', 'first']] },
  '=': { outcome: 'tie', tie: 'equal', models: [], verdicts: [], reasons: [], cost_usd: 0 },
  '?': { outcome: null, verdicts: [['error', 'first']], reasons: [['It is down.', '']] },
  '!': { outcome: null, verdicts: [['not_asked', 'not_asked']], reasons: [['No budget.', '']] },
};

/**
 * Two sides of questions, each with its trials, by what is in the rows of b: "." is a pair without
 * verdicts, "x" one without an answer of a.
 */
function toSides(questions: readonly string[], clusters: readonly string[] = []) {
  const rows = questions.flatMap((marks, question) =>
    [...marks].map((mark, trial) => {
      const facts = { id: `q${question}`, trial: trial + 1, ...inCluster(clusters[question]) };
      const pair = OUTCOMES[mark];
      const b = toResult('ungraded', { ...facts, agent: 'b' });
      return {
        a: toResult(mark === 'x' ? 'errored' : 'ungraded', { ...facts, agent: 'a' }),
        b: pair === undefined ? b : { ...b, pairs: [{ ...PAIR, ...pair }] },
      };
    }),
  );
  const toSide = (agent: 'a' | 'b') => {
    return {
      run: 'r',
      agent,
      prefers: true,
      results: rows.map((each): SampleResult => each[agent]),
    };
  };
  return [toSide('a'), toSide('b')] as const;
}

const inCluster = (cluster?: string) => (cluster === undefined ? {} : { cluster });

test.each<[string, readonly (Mark | `${Mark}${Mark}`)[], readonly string[], object]>([
  [
    'nothing but wins',
    ['w', 'w', 'w', 'w', 'w', 'w'],
    [],
    { wins: 6, difference: 1, p_value: 2 / 64 },
  ],
  [
    'as many wins as losses',
    ['w', 'l', 't'],
    [],
    { wins: 1, ties: 1, losses: 1, difference: 0, p_value: 1 },
  ],
  [
    'ties of three kinds',
    ['t', 'r', '='],
    [],
    { ties: 3, turned: 1, equal: 1, difference: 0, p_value: 1 },
  ],
  [
    'trials of one question',
    ['ww', 'wl'],
    [],
    { wins: 3, losses: 1, questions: 2, difference: 0.5 },
  ],
  [
    'questions of one cluster',
    ['w', 'w', 'w'],
    ['c', 'c', 'c'],
    { questions: 3, clusters: 1, p_value: 1 },
  ],
  [
    'a judge that failed',
    ['w', '?'],
    [],
    { pairs: 2, wins: 1, no_verdict: 1, questions: 1, why: 'It is down.' },
  ],
  [
    'a judge that was not asked',
    ['!', '.'],
    [],
    { not_asked: 2, questions: 0, difference: null, p_value: null, why: 'No budget.' },
  ],
  ['a missing answer', ['w', 'x'], [], { missing: 1, missing_a: 1, missing_b: 0, wins: 1 }],
  ['no pair at all', ['.'], [], { pairs: 1, not_asked: 1 }],
])('preferences of %s', (_, marks, clusters, expected) => {
  const [a, b] = toSides(marks, clusters);
  const preference = computePreference(a, b);
  expect(preference).toMatchObject(expected);
  const { pairs = 0, wins, ties, losses, no_verdict, not_asked, missing } = preference ?? {};
  expect(
    [wins, ties, losses, no_verdict, not_asked, missing].reduce((sum = 0, n = 0) => sum + n),
  ).toBe(pairs);
});

test('the other side has the reverse', () => {
  const [a, b] = toSides(['w', 'w', 'l', 't', 'r', '?', 'x']);
  const [one, other] = [computePreference(a, b), computePreference(b, a)];
  expect(other).toMatchObject({
    wins: 1,
    losses: 2,
    ties: 2,
    turned: 1,
    missing_b: 1,
    missing_a: 0,
  });
  expect(other?.difference).toBeCloseTo(-(one?.difference ?? 0));
  expect(other?.p_value).toBe(one?.p_value);
});

test('the interval agrees with the test', () => {
  const wins = Array.from({ length: 12 }, (): Mark => 'w');
  const [few, many] = [['w', 'w', 'w', 'w'] as const, wins].map((marks) =>
    computePreference(...toSides(marks)),
  );
  expect([few?.p_value, few?.ci95?.[0]]).toEqual([0.125, 0]);
  expect(many?.ci95?.[0]).toBeGreaterThan(0.3);
});

test.each<[string, readonly Partial<PairVerdicts>[], object]>([
  ['all were paid', [{}, { asked_hashes: ['2', '3'] }], { cost_usd: 0.004 }],
  [
    'equal answers share verdicts, in either order',
    [{}, { asked_hashes: ['11', '00'], new_cost_usd: 0 }],
    { cost_usd: 0.002, new_cost_usd: 0.002 },
  ],
  [
    'some were known before',
    [{ new_cost_usd: 0 }, { asked_hashes: ['2', '3'], new_cost_usd: 0.001 }],
    { cost_usd: 0.004, new_cost_usd: 0.001 },
  ],
  [
    'a failed one has no known cost',
    [{}, { asked_hashes: ['2', '3'], cost_usd: null }],
    { cost_usd: null, cost_at_least_usd: 0.002 },
  ],
  [
    'a failed one was asked again for an equal answer',
    [{ cost_usd: null }, { new_cost_usd: 0.001 }],
    { cost_usd: 0.002 },
  ],
])('what verdicts cost where %s', (_, pairs, expected) => {
  const [a, b] = toSides(pairs.map(() => 'w'));
  const results = b.results.map((row, at) => ({ ...row, pairs: [{ ...PAIR, ...pairs[at] }] }));
  const paid = new Set<string>();
  const { cost_usd, cost_at_least_usd, new_cost_usd } =
    computePreference(a, { ...b, results }, paid) ?? {};
  expect({ cost_usd, cost_at_least_usd, new_cost_usd }).toEqual(expected);
  expect(computePreference(a, { ...b, results }, paid)?.cost_usd).toBe(0);
});

test('pairs are those of two runs, or of one', () => {
  const [a, b] = toSides(['w']);
  const elsewhere = { ...a, run: 'before' };
  expect(computePreference(elsewhere, b)).toBeNull();
  const results = b.results.map((row) => ({
    ...row,
    pairs: [{ ...PAIR, other: { agent: 'a', run: 'before' } }],
  }));
  expect(computePreference(elsewhere, { ...b, results })).toMatchObject({ wins: 1 });
  const renamed = { ...elsewhere, run: 'renamed' };
  expect(computePreference(renamed, { ...b, results })).toMatchObject({ wins: 1 });
  const replaced = a.results.map((row) => Object.assign({}, row, { output: 'another answer' }));
  for (const run of ['before', 'renamed'])
    expect(
      computePreference({ ...elsewhere, run, results: replaced }, { ...b, results }),
    ).toMatchObject({ wins: 0, not_asked: 1, why: expect.stringContaining('another baseline') });
  expect(computePreference({ ...a, prefers: false }, { ...b, prefers: false, results })).toBeNull();
  const changed = a.results.map((row) => ({ ...row, question_hash: 'changed' }));
  expect(computePreference({ ...elsewhere, results: changed }, { ...b, results })).toBeNull();
});
