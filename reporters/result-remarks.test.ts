import { expect, test } from 'vitest';
import type { RuleFigures } from '../src/compare/audit.ts';
import { toResult } from '../src/metrics/result.fixture.ts';
import { readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import type { SampleResult, State } from '../src/types.ts';
import { makeRun } from '../test/make-run.ts';
import { toLines } from './plan-remarks.ts';
import {
  toAuditNotes,
  toAuditRemarks,
  toBudgetRemarks,
  toGaiaRemarks,
  toRateRemarks,
  toReasonRemarks,
} from './result-remarks.ts';

const IDS = Array.from({ length: 165 }, (_, index) => `made-up-${index}`);

const SUITE: SuiteManifest = {
  suite: 'gaia',
  dataset: 'GAIA/validation',
  source: null,
  placeholders: [],
  dataset_hash: '',
  prompt_hash: '',
  agents: ['replay'],
  trials: 1,
  notes: [],
  ids: IDS,
  groups: IDS.map((_, index) => `level ${index < 53 ? 1 : index < 139 ? 2 : 3}`),
  shard: null,
  unmatched_ids: [],
  plans: [],
  tools: [],
};

const toRows = (ids: readonly string[], state: State) => ids.map((id) => toResult(state, { id }));

test('a whole split stands beside published figures', () => {
  const remarks = toGaiaRemarks(SUITE, toRows(IDS, 'correct'))
    .map(({ text }) => text)
    .join('\n');
  expect(remarks).toContain("165 tasks in the leaderboard's form: the whole validation split.");
  expect(remarks).toContain('reference, not measured here');
});

test.each([
  ['a name, a tag or a shard left out', toRows(IDS.slice(0, 53), 'correct')],
  ['Ctrl-C or a budget left out', [...toRows(IDS.slice(0, 24), 'correct'), ...toRows(IDS.slice(24), 'not_run')]],
])('what %s is a part, and stands beside none', (_, rows) => {
  const remarks = toGaiaRemarks(SUITE, rows)
    .map(({ text }) => text)
    .join('\n');
  expect(remarks).toContain('a part, and the leaderboard takes whole splits only.');
  expect(remarks).not.toContain('reference');
});

test.each(['sample', 'own', 'questions/validation'])(
  'nothing is said of the dataset %s, which is not GAIA',
  (dataset) => {
    const rows = toRows(IDS, 'correct').map((row) => ({ ...row, dataset }));
    expect(toGaiaRemarks({ ...SUITE, dataset }, rows)).toEqual([]);
  },
);

test('a dry run has no submission', () => {
  expect(toGaiaRemarks(SUITE, [])).toEqual([]);
});

const figures = (
  rule: string,
  on: RuleFigures['on'],
  false_positives: number,
  false_negatives: number,
): RuleFigures => {
  return { rule, on, correct: 0, false_positives, false_negatives };
};

const suites = [
  {
    suite: 'gaia',
    dataset: 'sample',
    agent: 'replay',
    n: 10,
    correct: 7,
    rules: [
      figures('exact', 'answer', 0, 2),
      figures('contains', 'answer', 1, 0),
      figures('fuzzy', 'answer', 0, 0),
      figures('exact', 'output', 0, 7),
      figures('contains', 'output', 0, 0),
    ],
  },
];
const audit = { rules: [], suites, cases: new Map(), problems: [] };

test.each([
  ['only rules that disagree', [], 'rule audit: exact +0 -2, contains +1 -0; on whole outputs: exact +0 -7'],
  [
    'rules that were asked for though they agree',
    ['fuzzy'],
    'rule audit: exact +0 -2, contains +1 -0, fuzzy +0 -0; on whole outputs: exact +0 -7',
  ],
])('tells of %s', (_, named, text) => {
  expect(toAuditRemarks(audit, named)).toEqual([{ suite: 'gaia', agent: 'replay', text }]);
});

test('is silent where all rules agree', () => {
  const agreeing = {
    ...audit,
    suites: suites.map((suite) => ({ ...suite, rules: [figures('exact', 'answer', 0, 0)] })),
  };
  expect(toAuditRemarks(agreeing, [])).toEqual([]);
  expect(toAuditNotes(agreeing, [])).toEqual([]);
});

test('says once how to read the counts, and what could not be applied', () => {
  expect(toAuditNotes({ ...audit, problems: ['semantic:m was not applied: x'] }, [])).toEqual([
    'rule audit: + wrong answers that a rule would accept, - right ones that it would reject',
    'rule audit: semantic:m was not applied: x',
  ]);
});

test('says why a rule of meaning is applied to answers alone', () => {
  const semantic = {
    ...audit,
    suites: suites.map((suite) => ({ ...suite, rules: [figures('semantic:m', 'answer', 1, 0)] })),
  };
  expect(toAuditNotes(semantic, ['semantic:m']).at(-1)).toMatch(
    /^rule audit: semantic is applied to extracted answers/,
  );
  expect(toAuditNotes(audit, []).join()).not.toContain('semantic');
});

function cut(state: 'correct' | 'incorrect', reason: 'max_tokens' | 'incomplete'): SampleResult {
  return { ...toResult(state, { agent: 'a' }), reason } as SampleResult;
}

const failed = (fields: object) => toResult('errored', { agent: 'a', ...fields });

test.each<[string, readonly SampleResult[], readonly string[]]>([
  ['nothing where all is well', [toResult('correct'), toResult('incorrect'), toResult('no_answer')], []],
  [
    'what was cut short, right or wrong',
    [cut('correct', 'max_tokens'), cut('incorrect', 'max_tokens'), cut('incorrect', 'incomplete')],
    [
      'gaia, a: 3 outputs were cut short (max_tokens 2, incomplete 1) and graded as far as written. ' +
        "Raise the agent's limit of tokens (max_tokens, max_output_tokens).",
    ],
  ],
  ['how many errors of which kind', [failed({}), failed({ id: 'b' })], ['gaia, a: 2 errors (network 2)']],
  [
    'how errors that were kept are asked again',
    [failed({ cached: true })],
    ['gaia, a: 1 error (network 1); 1 from the cache, which EVAL_CACHE=retry asks again'],
  ],
  [
    'how many answers are later attempts, right or wrong',
    [2, 1, 3].map((attempts) => toResult('correct', { agent: 'a', attempts })),
    [
      'gaia, a: 2 of 3 answers are second or later attempts (EVAL_CACHE=retry): ' +
        'not comparable with a first attempt',
    ],
  ],
  [
    'each suite and agent apart',
    [failed({}), failed({ suite: 'mcq', agent: 'b' })],
    ['gaia, a: 1 error (network 1)', 'mcq, b: 1 error (network 1)'],
  ],
])('says %s', (_, results, remarks) => {
  expect(toLines(toReasonRemarks(results), [])).toEqual(remarks);
});

function call(slots: number, waited_ms = 0, cached = false) {
  return { ...toResult('correct', { agent: 'a', waited_ms, cached }), slots };
}

test.each([
  ['nothing of a run that was never refused', [call(20), call(20)], []],
  ['nothing of a replay', [toResult('correct'), toResult('incorrect')], []],
  [
    'how long calls waited and how far their number was cut',
    [call(20, 1500), call(10, 500), call(11)],
    [
      'a: 2 calls waited 2.0 s in all for the provider, which counts in no latency; ' +
        'rate limits cut the calls at once from 20 to 10',
    ],
  ],
  [
    'what it did for refusals that no call waited for',
    [call(2), call(1)],
    ['a: rate limits cut the calls at once from 2 to 1'],
  ],
  ['nothing of what an earlier run waited', [call(20), call(5, 900, true)], []],
])('says %s', (_, results, remarks) => {
  expect(toRateRemarks(results)).toEqual(remarks);
});

const paid = toResult('correct', { cost_usd: 0.5 });

test.each([
  ['all costs are known', [paid], '$0.50 were spent by 1 call'],
  ['one is not', [paid, toResult('timed_out')], 'at least $0.50 were spent by 2 calls, 1 answer without a cost'],
])('the budget where %s', (_, results, said) => {
  const manifest = readManifest(makeRun(results, { config: { maxCost: 2 } }));
  expect(toBudgetRemarks(manifest, results)).toEqual([`EVAL_MAX_COST=2: ${said}`]);
});
