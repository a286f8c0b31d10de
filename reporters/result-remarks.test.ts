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
  ['whole', 'GAIA/validation', toRows(IDS, 'correct'), 'the whole validation split.'],
  ['narrowed by a name, a tag or a shard', 'GAIA/validation', toRows(IDS.slice(0, 53), 'correct'), 'a part, and the'],
  [
    'ended by Ctrl-C or a budget',
    'GAIA/validation',
    [...toRows(IDS.slice(0, 24), 'correct'), ...toRows(IDS.slice(24), 'not_run')],
    'a part, and the leaderboard takes whole splits only.',
  ],
])('of a split that is %s it is said what its submission is', (how, dataset, rows, part) => {
  const [first = '', ...references] = sayOf(dataset, rows);
  expect(first).toContain(`the submission has 165 tasks in the leaderboard's form: ${part}`);
  expect(references.join().includes('reference, not measured here')).toBe(how === 'whole');
});

test('nothing is said of a dataset that is not GAIA, and of a dry run', () => {
  for (const dataset of ['sample', 'own', 'questions/validation']) {
    expect(sayOf(dataset, toRows(IDS, 'correct'))).toEqual([]);
  }
  expect(sayOf('GAIA/validation', [])).toEqual([]);
});

function toAudit(
  ...rules: readonly (readonly [rule: string, on: RuleFigures['on'], accepts: number, rejects: number])[]
) {
  const figures = rules.map(([rule, on, false_positives, false_negatives]) => {
    return { rule, on, correct: 0, false_positives, false_negatives };
  });
  const suite = { suite: 'gaia', dataset: 'sample', agent: 'replay', n: 10, correct: 7, rules: figures };
  return { rules: [], suites: [suite], cases: new Map(), problems: [] };
}

const audit = toAudit(
  ['exact', 'answer', 0, 2],
  ['contains', 'answer', 1, 0],
  ['fuzzy', 'answer', 0, 0],
  ['exact', 'output', 0, 7],
  ['contains', 'output', 0, 0],
);

test('the rule audit tells of rules that disagree, and is silent where all agree', () => {
  const text =
    'rule audit (+ wrongly accepts, - wrongly rejects): exact +0 -2, contains +1 -0; on whole outputs: exact +0 -7';
  expect(toAuditRemarks(audit)).toEqual([{ suite: 'gaia', agent: 'replay', text }]);
  expect(toAuditRemarks(toAudit(['exact', 'answer', 0, 0]))).toEqual([]);
});

const cut = (reason: 'max_tokens' | 'incomplete') => ({ ...toResult('incorrect'), reason }) as SampleResult;

test.each<[string, readonly SampleResult[], readonly string[]]>([
  ['nothing where all is well', [toResult('correct'), toResult('incorrect'), toResult('no_answer')], []],
  [
    'what was cut short',
    [cut('max_tokens'), cut('max_tokens'), cut('incomplete')],
    [
      'gaia, replay: 3 outputs were cut short (max_tokens 2, incomplete 1) and graded as far as written. ' +
        "Raise the agent's limit of tokens (max_tokens, max_output_tokens).",
    ],
  ],
  [
    'how many errors of which kind, each suite and agent apart',
    [toResult('errored'), toResult('errored', { id: 'b' }), toResult('errored', { suite: 'mcq', agent: 'b' })],
    ['gaia, replay: 2 errors (network 2)', 'mcq, b: 1 error (network 1)'],
  ],
  [
    'how errors from the cache are asked again',
    [toResult('errored', { cached: true })],
    ['gaia, replay: 1 error (network 1); 1 from the cache, which EVAL_CACHE=retry asks again'],
  ],
  [
    'how many answers are later attempts',
    [2, 1, 3].map((attempts) => toResult('correct', { attempts })),
    [
      'gaia, replay: 2 of 3 answers are second or later attempts (EVAL_CACHE=retry): ' +
        'not comparable with a first attempt',
    ],
  ],
])('says %s', (_, results, remarks) => {
  expect(toSentences(toReasonRemarks(results), [])).toEqual(remarks);
});

function call(slots: number, waited_ms = 0, cached = false) {
  return { ...toResult('correct', { agent: 'a', waited_ms, cached }), slots };
}

const WAITED =
  'a: 2 calls waited 2.0 s in all for repeats after rate limits, server errors or lost connections, which counts in no latency';

test.each([
  ['nothing of a run that was never refused', [call(20), call(20)], []],
  ['nothing of a replay', [toResult('correct'), toResult('incorrect')], []],
  ['nothing of what an earlier run waited', [call(20), call(5, 900, true)], []],
  [
    'how long calls waited and how far their number was cut',
    [call(20, 1500), call(10, 500), call(11)],
    [`${WAITED}; rate limits cut the calls at once from 20 to 10`],
  ],
  ['of a rate limit that no call waited for', [call(2), call(1)], ['a: rate limits cut the calls at once from 2 to 1']],
])('says %s', (_, results, remarks) => {
  expect(toRateRemarks(results)).toEqual(remarks);
});

const paid = toResult('correct', { cost_usd: 0.5 });

test.each([
  ['all costs are known', [paid], '$0.50 were spent by 1 call', []],
  [
    'one is not',
    [paid, toResult('timed_out', { id: 'b' })],
    'at least $0.50 were spent by 2 calls, 1 answer without a cost',
    ['cost: at least $0.50, 1 answer without a cost'],
  ],
])('the budget and the cost where %s', (_, results, said, cost) => {
  expect(toCostRemarks(summarize(results)).map(({ text }) => text)).toEqual(cost);
  const manifest = readManifest(makeRun(results, { config: { maxCost: 2 } }));
  expect(toBudgetRemarks(manifest, results)).toEqual([`EVAL_MAX_COST=2: ${said}`]);
});
