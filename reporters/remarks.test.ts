import { expect, test } from 'vitest';
import type { AgentPlan, SuiteManifest } from '../src/runs/manifest.ts';
import { toPlanRemarks } from './remarks.ts';

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
  ['an unpriced agent', {}, 'gaia, a: 3 trials, 0 from the cache, 3 to ask, cost not known'],
  ['one trial', { trials: 1, to_ask: 1 }, 'gaia, a: 1 trial, 0 from the cache, 1 to ask, cost not known'],
  [
    'a priced agent without earlier answers',
    { price },
    'gaia, a: 3 trials, 0 from the cache, 3 to ask, cost not known before a first answer ' +
      '(estimated by prices 1.0.0: $2.50 for a million tokens in, $10.00 out)',
  ],
  [
    'a priced agent with earlier answers',
    { price, expected_cost_usd: 0.2 },
    'gaia, a: 3 trials, 0 from the cache, 3 to ask, cost about $0.20 (estimated)',
  ],
  [
    'an agent that tells its costs',
    { expected_cost_usd: 1 },
    'gaia, a: 3 trials, 0 from the cache, 3 to ask, cost about $1.00',
  ],
  [
    'an agent that was asked before',
    { missed_because: '2 missed: prompt changed; 1: new question' },
    'gaia, a: 3 trials, 0 from the cache, 3 to ask, cost not known; 2 missed: prompt changed; 1: new question',
  ],
])('the plan of %s says what is known of its cost', (_, changes, remark) => {
  const suite = { suite: 'gaia', plans: [{ ...PLAN, ...changes }] };
  expect(toPlanRemarks(suite as unknown as SuiteManifest)).toEqual([remark]);
});

test.each([
  ['command:python3 agent.py', 1, 2],
  ['command:python3 agent.py', 0, 1],
  ['module:./agent.ts', 1, 1],
])('of %s with %i kept answers, %i sentences are said', (agent, cached, sentences) => {
  const suite = { suite: 'gaia', plans: [{ ...PLAN, agent, cached }] };
  const remarks = toPlanRemarks(suite as unknown as SuiteManifest);
  expect(remarks).toHaveLength(sentences);
  expect(remarks.slice(1).every((remark) => remark.endsWith('set EVAL_CACHE_KEY when that changes'))).toBe(true);
});

test('nothing is said of a replay', () => {
  const suite = { suite: 'gaia', plans: [{ ...PLAN, kept: false }] };
  expect(toPlanRemarks(suite as unknown as SuiteManifest)).toEqual([]);
});
