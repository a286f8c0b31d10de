import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import type { AgentPlan } from '../src/store/manifest.ts';
import { describeJudges, toPickedPlans, toPlanRemarks } from './plan-remarks.ts';

const PLAN: AgentPlan = {
  agent: 'a',
  kept: true,
  trials: 3,
  cached: 0,
  oldest: null,
  newest: null,
  to_ask: 3,
  expected_cost_usd: null,
  missed_because: null,
};

const price = { input: 2.5, output: 10, source: 'prices 1.0.0' };

test.each<[string, Partial<AgentPlan>, string]>([
  ['an unpriced agent', {}, '3 questions, 0 cached, 3 to ask, cost not known'],
  [
    'a priced agent without earlier answers',
    { price },
    '3 questions, 0 cached, 3 to ask, cost not known before the first answer',
  ],
  [
    'a priced agent with earlier answers',
    { price, expected_cost_usd: 0.2 },
    '3 questions, 0 cached, 3 to ask, cost about $0.20 (estimated)',
  ],
  [
    'an agent that was asked before',
    { missed_because: '2: prompt changed; 1: not asked before' },
    '3 questions, 0 cached, 3 to ask (2: prompt changed; 1: not asked before), cost not known',
  ],
  [
    'an agent that EVAL_CACHE=only does not ask',
    { to_ask: 0, missed_because: 'all: prompt changed' },
    '3 questions, 0 cached, EVAL_CACHE=only leaves out 3 (all: prompt changed)',
  ],
])('the plan of %s says what is known of its cost', (_, changes, remark) => {
  const suite = { suite: 'gaia', trials: 1, plans: [{ ...PLAN, ...changes }] };
  expect(toPlanRemarks(suite)).toEqual([{ suite: 'gaia', agent: 'a', text: remark }]);
});

test('the plan says which edits the cache cannot see', () => {
  const plans = [{ ...PLAN, seen_edits: 'the cache cannot follow import(path) in a.ts.' }];
  const [, edits] = toPlanRemarks({ suite: 'gaia', trials: 1, plans });
  expect(edits).toEqual({ suite: 'gaia', agent: 'a', text: plans[0]?.seen_edits });
});

test('prints nothing about a replay before it runs', () => {
  const suite = { suite: 'gaia', trials: 1, plans: [{ ...PLAN, kept: false }] };
  expect(toPlanRemarks(suite)).toEqual([]);
});

const PICKED_PLAN: AgentPlan = {
  ...PLAN,
  trials: 4,
  cached: 1,
  oldest: '2026-01-01T00:00:00Z',
  newest: '2026-01-01T00:00:00Z',
  expected_cost_usd: 3,
  missed_because: '2: prompt changed; 1: not asked before',
};

/** The tests of the agent "a": "k" is one whose answer is cached, "-" one that is not picked. */
const toTests = (picks: string) =>
  [...picks].map((letter, index) => {
    const row = toResult('correct', { agent: 'a', id: `q${index}`, cached: letter === 'k' });
    return { picked: letter !== '-', meta: { ...row, run: '' } };
  });

test('a narrowed run counts its own cached and asked trials', () => {
  const counts = { trials: 2, cached: 1, to_ask: 1, expected_cost_usd: 1 };
  expect(toPickedPlans([PICKED_PLAN], toTests('ka--'))).toEqual([{ ...PLAN, ...counts }]);
});

test('a narrowed run under EVAL_CACHE=only asks nothing either', () => {
  const plans = toPickedPlans([{ ...PICKED_PLAN, to_ask: 0 }], toTests('ka--'));
  expect(plans).toMatchObject([{ trials: 2, cached: 1, to_ask: 0 }]);
});

test('an agent without selected questions has no plan', () => {
  expect(
    toPickedPlans([PICKED_PLAN, { ...PICKED_PLAN, agent: 'b' }], toTests('a--')),
  ).toMatchObject([{ agent: 'a' }]);
});

test('the line on judges says what they may be asked, and at what price', () => {
  const judge = { judge: 'j', fingerprint: '', prompt_hash: '' };
  const price = { input: 1, output: 2, source: 'prices' };
  expect(describeJudges([judge, { ...judge, price }], 30)).toBe(
    'judged by j, cost not known; j, cost not known before the first answer: at most 30 verdicts by each criterion',
  );
});
