import { expect, test } from 'vitest';
import { judgeGates } from '../src/metrics/gates.ts';
import { toResult, toTrials } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { type AgentPlan, readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import { plural } from '../src/text/wording.ts';
import type { SampleResult } from '../src/types.ts';
import { makeRun } from '../test/make-run.ts';
import { toCacheRemarks, toGateRemark, toPickedPlans, toPlanRemarks } from './plan-remarks.ts';

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

const PICKED_PLAN: AgentPlan = {
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

const plan = (fields: Partial<AgentPlan>) => ({ ...PICKED_PLAN, ...fields });

function toTests(agent: string, picks: string) {
  const hashes = { prompt_hash: '', question_hash: '', run: '' };
  return [...picks].map((letter, index) => {
    const meta = { suite: 'gaia', dataset: 'd', agent, id: `q${index}`, trial: 1, group: 'level 1', ...hashes };
    return { picked: letter !== '-', meta: letter === 'k' ? { ...meta, kept: true as const } : meta };
  });
}

test('a run of everything keeps its plan', () => {
  expect(toPickedPlans([PICKED_PLAN], toTests('a', 'kaaa'))).toEqual([PICKED_PLAN]);
});

test.each([
  ['a kept and an asked trial', 'ka--', { trials: 2, cached: 1, to_ask: 1, expected_cost_usd: 1 }],
  ['kept trials alone', 'k---', { trials: 1, cached: 1, to_ask: 0, expected_cost_usd: 0 }],
])('a narrowed run counts %s', (_, picks, counts) => {
  const narrowed = { ...counts, oldest: null, newest: null, missed_because: null };
  expect(toPickedPlans([PICKED_PLAN], toTests('a', picks))).toEqual([plan(narrowed)]);
});

test('a reason that holds for all holds for a part', () => {
  const missed_because = 'all missed: prompt changed';
  expect(toPickedPlans([plan({ missed_because })], toTests('a', 'a---'))).toMatchObject([{ missed_because }]);
});

test('an agent of which nothing was picked has no plan', () => {
  const tests = [...toTests('a', 'a--'), ...toTests('b', '---')];
  expect(toPickedPlans([PICKED_PLAN, plan({ agent: 'b' })], tests).map(({ agent }) => agent)).toEqual(['a']);
});

const SIZES = [
  ['level 1', 2],
  ['level 2', 26],
] as const;

function toLine(
  results: readonly SampleResult[],
  group = 'all',
  suite: Partial<SuiteManifest> = { group_sizes: SIZES },
) {
  const manifest = readManifest(makeRun(results, { suite }));
  const summary = summarize(results);
  const gate = { suite: 'gaia', dataset: 'made-up', group, min_accuracy: 0.5 };
  return judgeGates([gate], summary, () => null).map((result) =>
    toGateRemark(result, { manifest, summary, exit: { code: 0, reason: '' } }),
  )[0];
}

const two = [...toTrials('a', '+'), ...toTrials('b', '+')];
const LINE = 'gate holds: gaia (made-up, replay): accuracy 100.0 % meets the gate 50.0 % for group ';

test.each<[string, readonly SampleResult[], string, string]>([
  ['a selection', toTrials('a', '+'), 'all', ' (n = 1, a selection of 28)'],
  ['trials', toTrials('a', '+++'), 'all', ' (n = 3, 1 question, a selection of 28)'],
  [
    'hidden targets',
    [...two, toResult('errored', { id: 'c', target: null })],
    'all',
    ' (n = 3, 2 graded, a selection of 28)',
  ],
  ['a part of its group', toTrials('a', '+'), 'level 1', ' (n = 1, a selection of 2)'],
  ['its whole group', two, 'level 1', ''],
])('the line of a gate that was judged on %s', (_, results, group, selection) => {
  expect(toLine(results, group)).toBe(`${LINE}${group}${selection}`);
});

test('a gate of a run that is incomplete is not judged', () => {
  const lost = toResult('not_run', { id: 'c', target: null });
  expect(toLine([...two, lost])).toContain('gate not judged: gaia (made-up, replay): the run is incomplete (n = 3,');
});

test('a manifest of an older version does not say how large the dataset is', () => {
  expect(toLine(two, 'all', {})).toBe(`${LINE}all`);
});
