import { expect, test } from 'vitest';
import { toResult } from '../src/figures/result.fixture.ts';
import type { AgentPlan } from '../src/store/manifest.ts';
import { toPickedPlans } from './plan-remarks.ts';

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
