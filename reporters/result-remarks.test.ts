import { expect, test } from 'vitest';
import type { RuleFigures } from '../src/compare/audit.ts';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import type { SampleResult, State } from '../src/types.ts';
import { makeRun } from '../test/make-run.ts';
import { toSentences } from './remarks.ts';
import {
  toAuditRemarks,
  toBudgetRemarks,
  toCostRemarks,
  toGaiaRemarks,
  toRateRemarks,
  toReasonRemarks,
} from './result-remarks.ts';

const IDS = Array.from({ length: 165 }, (_, index) => `made-up-${index}`);
const groups = IDS.map((_, index) => `level ${index < 53 ? 1 : index < 139 ? 2 : 3}`);
const toRows = (ids: readonly string[], state: State) => ids.map((id) => toResult(state, { id }));

/** The sentences about a split of GAIA's size. */
function sayOf(dataset: string, rows: readonly SampleResult[]): readonly string[] {
  const { suites } = readManifest(makeRun(toRows(['x'], 'correct')));
  const entry = { ...suites[0], dataset, ids: IDS, groups } as SuiteManifest;
  return toGaiaRemarks(entry, rows).map(({ text }) => text);
}

test.each([
  ['whole', 'GAIA/validation', toRows(IDS, 'correct'), 'the whole validation split'],
  [
    'narrowed by a name, a tag or a shard',
    'GAIA/validation',
    toRows(IDS.slice(0, 53), 'correct'),
    'not a whole split, which the leaderboard requires',
  ],
  [
    'ended by Ctrl-C or a budget',
    'GAIA/validation',
    [...toRows(IDS.slice(0, 24), 'correct'), ...toRows(IDS.slice(24), 'not_run')],
    'not a whole split, which the leaderboard requires',
  ],
])('the submission of a split that is %s is described', (_, dataset, rows, part) => {
  const [first = ''] = sayOf(dataset, rows);
  expect(first).toContain(`the submission file has 165 tasks: ${part}`);
});

test('a dataset that is not GAIA, and a dry run, have no such line', () => {
  for (const dataset of ['sample', 'own', 'questions/validation']) {
    expect(sayOf(dataset, toRows(IDS, 'correct'))).toEqual([]);
  }
  expect(sayOf('GAIA/validation', [])).toEqual([]);
});

type Figures = readonly [rule: string, on: RuleFigures['on'], accepts: number, rejects: number];

function toAudit(rules: readonly Figures[]) {
  const figures = rules.map(([rule, on, false_positives, false_negatives]) => {
    return { rule, on, correct: 0, false_positives, false_negatives };
  });
  const suite = {
    suite: 'gaia',
    dataset: 'sample',
    agent: 'replay',
    n: 10,
    correct: 7,
    rules: figures,
  };
  return { rules: [], suites: [suite], cases: new Map() };
}

const SEE = '. See "Rules" in report.html.';

test.each<[string, readonly Figures[], readonly string[]]>([
  [
    'wrong answers that a looser rule accepts',
    [
      ['contains', 'answer', 1, 0],
      ['bidirectional', 'answer', 3, 0],
      ['fuzzy', 'answer', 2, 1],
    ],
    [`1 wrong answer contains the expected answer; the rule fuzzy accepts 2 wrong answers${SEE}`],
  ],
  ['nothing of what overlaps only', [['bidirectional', 'answer', 2, 0]], []],
  [
    'nothing of stricter rules and of whole outputs',
    [
      ['exact', 'answer', 0, 2],
      ['official', 'output', 0, 7],
      ['contains', 'output', 4, 0],
    ],
    [],
  ],
])('the rule audit says %s', (_, rules, texts) => {
  expect(toAuditRemarks(toAudit(rules))).toEqual(
    texts.map((text) => ({ suite: 'gaia', agent: 'replay', text })),
  );
});

const cut = (reason: 'max_tokens' | 'incomplete') =>
  ({ ...toResult('incorrect'), reason }) as SampleResult;

test.each<[string, readonly SampleResult[], readonly string[]]>([
  [
    'nothing where all is well',
    [toResult('correct'), toResult('incorrect'), toResult('no_answer')],
    [],
  ],
  [
    'what was cut short',
    [cut('max_tokens'), cut('max_tokens'), cut('incomplete')],
    [
      'gaia, replay: 3 outputs were cut short (max_tokens 2, incomplete 1) and graded as they are. ' +
        "Raise the agent's token limit (max_tokens, max_output_tokens).",
    ],
  ],
  [
    'how many errors of which kind, each suite and agent apart',
    [
      toResult('errored'),
      toResult('errored', { id: 'b' }),
      toResult('errored', { suite: 'mcq', agent: 'b' }),
    ],
    ['gaia, replay: 2 errors (network 2)', 'mcq, b: 1 error (network 1)'],
  ],
  [
    'how cached errors are asked again',
    [toResult('errored', { cached: true })],
    ['gaia, replay: 1 error (network 1), 1 of them cached: EVAL_CACHE=retry asks again'],
  ],
  [
    'how many answers are retries',
    [2, 1, 3].map((attempts) => toResult('correct', { attempts })),
    [
      'gaia, replay: 2 of 3 answers are retries (EVAL_CACHE=retry): ' +
        'do not compare this accuracy with one of first attempts',
    ],
  ],
])('says %s', (_, results, remarks) => {
  expect(toSentences(toReasonRemarks(results), [])).toEqual(remarks);
});

function call(slots: number, waited_ms = 0, cached = false) {
  return { ...toResult('correct', { agent: 'a', waited_ms, cached }), slots };
}

const WAITED =
  'a: 2 calls waited 2.0 s in total to retry after rate limits, server errors or lost connections; latency excludes this';

test.each([
  ['nothing of a run that was never refused', [call(20), call(20)], []],
  ['nothing of a replay', [toResult('correct'), toResult('incorrect')], []],
  ['nothing of what an earlier run waited', [call(20), call(5, 900, true)], []],
  [
    'how long calls waited and how far the concurrency was lowered',
    [call(20, 1500), call(10, 500), call(11)],
    [`${WAITED}; rate limits lowered the concurrency from 20 to 10`],
  ],
  [
    'of a rate limit that no call waited for',
    [call(2), call(1)],
    ['a: rate limits lowered the concurrency from 2 to 1'],
  ],
])('says %s', (_, results, remarks) => {
  expect(toRateRemarks(results)).toEqual(remarks);
});

const paid = toResult('correct', { cost_usd: 0.5 });

test.each([
  ['all costs are known', [paid], '1 call cost $0.50', []],
  [
    'one is not',
    [paid, toResult('timed_out', { id: 'b' })],
    '2 calls cost at least $0.50; the cost of 1 call is not known',
    ['cost: at least $0.50; the cost of 1 answer is not known'],
  ],
  [
    'answers are free, and a call was under way when the run stopped',
    [
      toResult('correct', { cost_usd: 0 }),
      { ...toResult('not_run', { id: 'b' }), reason: 'interrupted' } as SampleResult,
    ],
    '1 call cost $0.00',
    ['cost: free so far; calls under way when the run stopped are not counted'],
  ],
])('the budget and the cost where %s', (_, results, said, cost) => {
  expect(toCostRemarks(summarize(results)).map(({ text }) => text)).toEqual(cost);
  const manifest = readManifest(makeRun(results, { config: { maxCost: 2 } }));
  expect(toBudgetRemarks(manifest, results)).toEqual([`EVAL_MAX_COST=2: ${said}`]);
});
