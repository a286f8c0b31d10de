import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import type { AgentPlan } from '../src/runs/manifest.ts';
import { plural } from '../src/text/plural.ts';
import { toCacheRemarks, toPlanRemarks } from './plan-remarks.ts';

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
  ['an unpriced agent', {}, '3 trials, 0 from the cache, 3 to ask, cost not known'],
  ['one trial', { trials: 1, to_ask: 1 }, '1 trial, 0 from the cache, 1 to ask, cost not known'],
  [
    'a priced agent without earlier answers',
    { price },
    '3 trials, 0 from the cache, 3 to ask, cost not known before a first answer ' +
      '(estimated by prices 1.0.0: $2.50 for a million tokens in, $10.00 out)',
  ],
  [
    'a priced agent with earlier answers',
    { price, expected_cost_usd: 0.2 },
    '3 trials, 0 from the cache, 3 to ask, cost about $0.20 (estimated)',
  ],
  ['an agent that tells its costs', { expected_cost_usd: 1 }, '3 trials, 0 from the cache, 3 to ask, cost about $1.00'],
  [
    'an agent that was asked before',
    { missed_because: '2 missed: prompt changed; 1: new question' },
    '3 trials, 0 from the cache, 3 to ask, cost not known; 2 missed: prompt changed; 1: new question',
  ],
])('the plan of %s says what is known of its cost', (_, changes, remark) => {
  const suite = { suite: 'gaia', plans: [{ ...PLAN, ...changes }] };
  expect(toPlanRemarks(suite)).toEqual([{ suite: 'gaia', agent: 'a', text: remark }]);
});

const cached = toResult('correct', { agent: 'a', cached: true, answered_at: new Date().toISOString() });

test.each([
  ['how many answers were kept, and how old they are', 'a', [cached, toResult('correct', { agent: 'a' })], 1],
  ['nothing where none was', 'a', [toResult('correct', { agent: 'a' })], 0],
  ['what a kept answer of a command depends on', 'command:x', [{ ...cached, agent: 'command:x' }], 2],
])('says %s', (_, agent, results, sentences) => {
  const remarks = toCacheRemarks({ suite: 'gaia', plans: [{ ...PLAN, agent }] }, results);
  const texts = [
    `1 of ${plural(results.length, 'result')} is from the cache (0 min old)`,
    expect.stringContaining('set EVAL_CACHE_KEY when that changes'),
  ];
  expect(remarks).toEqual(texts.slice(0, sentences).map((text) => ({ suite: 'gaia', agent, text })));
});

test('nothing is said of a replay before it runs', () => {
  const suite = { suite: 'gaia', plans: [{ ...PLAN, kept: false }] };
  expect(toPlanRemarks(suite)).toEqual([]);
});
