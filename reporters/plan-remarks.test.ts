import { expect, test } from 'vitest';
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
    '3 questions, 0 cached, 3 to ask, cost not known before the first answer ' +
      '(prices 1.0.0: $2.50 per million input tokens, $10.00 per million output tokens)',
  ],
  [
    'a priced agent with earlier answers',
    { price, expected_cost_usd: 0.2 },
    '3 questions, 0 cached, 3 to ask, cost about $0.20 (estimated)',
  ],
  [
    'an agent that tells its costs',
    { expected_cost_usd: 1 },
    '3 questions, 0 cached, 3 to ask, cost about $1.00',
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
  [
    'an agent whose cache another run is using',
    { shared: true },
    '3 questions, 0 cached, 3 to ask, cost not known; ' +
      'another run uses this answer cache now, and both pay for a question that both ask',
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

test('nothing is said of a replay before it runs', () => {
  const suite = { suite: 'gaia', trials: 1, plans: [{ ...PLAN, kept: false }] };
  expect(toPlanRemarks(suite)).toEqual([]);
});

test.each([
  [1, '2 prompts x 2 agents x 3 questions = 12 questions'],
  [3, '2 prompts x 2 agents x 1 question x 3 trials = 12 questions'],
])('the plan of several prompts with %i trials says how much is asked', (trials, text) => {
  const plans = ['a', 'b'].flatMap((agent) =>
    ['x', 'y'].map((prompt) => ({ ...PLAN, agent, prompt })),
  );
  const [product, first] = toPlanRemarks({ suite: 'gaia', plans, trials });
  expect(product).toEqual({ suite: 'gaia', agent: null, text });
  expect(first?.text).toMatch(trials === 1 ? /^3 questions, / : /^3 trials, /);
});

const PICKED_PLAN: AgentPlan = {
  agent: 'a',
  kept: true,
  trials: 4,
  cached: 1,
  oldest: '2026-01-01T00:00:00Z',
  newest: '2026-01-01T00:00:00Z',
  to_ask: 3,
  expected_cost_usd: 3,
  missed_because: '2: prompt changed; 1: not asked before',
};

const plan = (fields: Partial<AgentPlan>) => ({ ...PICKED_PLAN, ...fields });

function toTests(agent: string, picks: string) {
  const hashes = { prompt_hash: '', question_hash: '', run: '' };
  return [...picks].map((letter, index) => {
    const meta = {
      suite: 'gaia',
      dataset: 'd',
      agent,
      id: `q${index}`,
      trial: 1,
      group: 'level 1',
      ...hashes,
    };
    return {
      picked: letter !== '-',
      meta: letter === 'k' ? { ...meta, cached: true as const } : meta,
    };
  });
}

test('a run of everything keeps its plan', () => {
  expect(toPickedPlans([PICKED_PLAN], toTests('a', 'kaaa'))).toEqual([PICKED_PLAN]);
});

test.each([
  [
    'a cached and an asked trial',
    'ka--',
    { trials: 2, cached: 1, to_ask: 1, expected_cost_usd: 1 },
  ],
  ['cached trials alone', 'k---', { trials: 1, cached: 1, to_ask: 0, expected_cost_usd: 0 }],
])('a narrowed run counts %s', (_, picks, counts) => {
  const narrowed = { ...counts, oldest: null, newest: null, missed_because: null };
  expect(toPickedPlans([PICKED_PLAN], toTests('a', picks))).toEqual([plan(narrowed)]);
});

test('a narrowed run under EVAL_CACHE=only asks nothing either', () => {
  const plans = toPickedPlans([plan({ to_ask: 0 })], toTests('a', 'ka--'));
  expect(plans).toMatchObject([{ trials: 2, cached: 1, to_ask: 0 }]);
});

test('a reason that holds for all holds for a part', () => {
  const missed_because = 'all: prompt changed';
  expect(toPickedPlans([plan({ missed_because })], toTests('a', 'a---'))).toMatchObject([
    { missed_because },
  ]);
});

test('an agent of which nothing was picked has no plan', () => {
  expect(toPickedPlans([PICKED_PLAN, plan({ agent: 'b' })], toTests('a', 'a--'))).toMatchObject([
    { agent: 'a' },
  ]);
});

test.each([
  [{}, 'j: at most 30 verdicts by each criterion to ask, cost not known'],
  [{ to_ask: 12, expected_cost_usd: 0.5 }, 'j: 12 verdicts to ask, cost about $0.50'],
  [
    { to_ask: 40, price },
    expect.stringContaining(
      'j: 30 verdicts to ask, cost not known before the first answer (prices',
    ),
  ],
  [{ to_ask: 0 }, 'j: nothing to ask'],
])('the plan of a judge: %j', (facts, text) => {
  const judge = { judge: 'j', fingerprint: 'f', prompt_hash: 'p', ...facts };
  expect(describeJudges([judge, judge], 30).slice('judged by '.length).split('; ')).toEqual([
    text,
    text,
  ]);
});
