import { expect, test } from 'vitest';
import type { AgentPlan } from '../src/runs/manifest.ts';
import { toPickedPlans } from './picked-plans.ts';

const PLAN: AgentPlan = {
  agent: 'a',
  kept: true,
  trials: 4,
  cached: 1,
  oldest: '2026-01-01T00:00:00Z',
  newest: '2026-01-01T00:00:00Z',
  to_ask: 3,
  expected_cost_usd: 3,
  missed_because: '2 missed: prompt changed; 1: new question',
};

const plan = (fields: Partial<AgentPlan>) => ({ ...PLAN, ...fields });

function toTests(agent: string, picks: string) {
  const hashes = { prompt_hash: '', question_hash: '', run: '' };
  return [...picks].map((letter, index) => {
    const meta = { suite: 'gaia', dataset: 'd', agent, id: `q${index}`, trial: 1, group: 'level 1', ...hashes };
    return { picked: letter !== '-', meta: letter === 'k' ? { ...meta, kept: true as const } : meta };
  });
}

test('a run of everything keeps its plan', () => {
  expect(toPickedPlans([PLAN], toTests('a', 'kaaa'))).toEqual([PLAN]);
});

test.each([
  ['a kept and an asked trial', 'ka--', { trials: 2, cached: 1, to_ask: 1, expected_cost_usd: 1 }],
  ['kept trials alone', 'k---', { trials: 1, cached: 1, to_ask: 0, expected_cost_usd: 0 }],
])('a narrowed run counts %s', (_, picks, counts) => {
  const narrowed = { ...counts, oldest: null, newest: null, missed_because: null };
  expect(toPickedPlans([PLAN], toTests('a', picks))).toEqual([plan(narrowed)]);
});

test('a reason that holds for all holds for a part', () => {
  const missed_because = 'all missed: prompt changed';
  expect(toPickedPlans([plan({ missed_because })], toTests('a', 'a---'))).toMatchObject([{ missed_because }]);
});

test('an agent of which nothing was picked has no plan', () => {
  const tests = [...toTests('a', 'a--'), ...toTests('b', '---')];
  expect(toPickedPlans([PLAN, plan({ agent: 'b' })], tests).map(({ agent }) => agent)).toEqual(['a']);
});
