import { expect, test } from 'vitest';
import type { RuleFigures } from '../src/compare/audit.ts';
import { JUDGE, toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import type { JudgeVerdicts, SampleResult } from '../src/types.ts';
import { toSentences } from './remarks.ts';
import { toAuditRemarks, toCostRemarks, toResultRemarks } from './result-remarks.ts';

type Figures = readonly [rule: string, on: RuleFigures['on'], accepts: number, rejects: number];

function toAudit(rules: readonly Figures[]) {
  const figures = rules.map(([rule, on, false_positives, false_negatives]) => {
    return { rule, on, correct: 0, false_positives, false_negatives };
  });
  const names = { suite: 'gaia', dataset: 'sample', agent: 'replay' };
  const suites = [{ ...names, n: 10, correct: 7, rules: figures }];
  return { rules: [], suites, cases: new Map() };
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
    [`the rule contains accepts 1 wrong answer; the rule fuzzy accepts 2 wrong answers${SEE}`],
  ],
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

const waited = (waited_ms = 0, cached = false) =>
  toResult('correct', { agent: 'a', waited_ms, cached });

test.each<[string, readonly SampleResult[], readonly string[]]>([
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
      toResult('errored', { suite: 'mcq', agent: 'b', slots: 1 }),
    ],
    [
      'gaia, replay: 2 errors (network 2)',
      'mcq, b: 1 error (network 1); the next run asks 1 of them again',
    ],
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
  ['nothing of what an earlier run waited', [waited(), waited(900, true)], []],
  [
    'how long calls waited',
    [waited(1500), waited(500), waited()],
    [
      'gaia, a: 2 calls waited 2.0 s in total to retry after rate limits, server errors or lost connections; latency excludes this',
    ],
  ],
])('says %s', (_, results, remarks) => {
  expect(toSentences(toResultRemarks(results), [])).toEqual(remarks);
});

const paid = toResult('correct', { cost_usd: 0.5 });

test.each([
  [
    'one is not',
    [paid, toResult('timed_out', { id: 'b' })],
    ['cost: at least $0.50; the cost of 1 answer is not known'],
  ],
  [
    'answers are free, and a call was under way when the run stopped',
    [
      toResult('correct', { cost_usd: 0 }),
      { ...toResult('not_run', { id: 'b' }), reason: 'interrupted' } as SampleResult,
    ],
    ['cost: free so far; calls under way when the run stopped are not counted'],
  ],
])('the cost where %s', (_, results, cost) => {
  expect(toCostRemarks(summarize(results)).map(({ text }) => text)).toEqual(cost);
});

function toJudged(
  verdicts: JudgeVerdicts['verdicts'],
  fields: Partial<SampleResult> = {},
  models = ['openai:j', 'anthropic:k'],
) {
  const reasons = verdicts.map(() => 'r');
  const judge = { ...JUDGE, models: models.slice(0, verdicts.length), verdicts, reasons };
  const wins = verdicts.filter((verdict) => verdict === 'pass').length > verdicts.length / 2;
  return {
    ...toResult(wins ? 'correct' : 'not_run', { ...fields, judge } as object),
    ...(wins ? {} : { reason: 'judge' }),
  };
}

const say = (...rows: readonly object[]) =>
  toResultRemarks(rows as SampleResult[]).map(({ text }) => text);

test('missing and differing verdicts are counted', () => {
  expect(say(toJudged(['pass', 'pass']), toJudged(['pass']), toResult('correct'))).toEqual([]);
  expect(
    say(
      toJudged(['pass', 'fail']),
      toJudged(['pass', 'error']),
      toJudged(['cannot_tell', 'cannot_tell']),
      toJudged(['pass', 'pass']),
    ),
  ).toEqual([
    '3 of 4 judged answers have no verdict (no majority 1, judge failed 1, cannot tell 1): neither right nor wrong. ' +
      'The next run asks failed judges again. The first error: "r".',
    'the judges disagree on 1 of 4 answers; report.html has their reasons',
  ]);
});

test('each answer without a verdict is counted, by score, also where another score decides', () => {
  const open = (score: string) => ({ ...JUDGE, verdicts: ['cannot_tell'], score }) as const;
  const toScored = (other: boolean | null) => {
    const others = other === null ? [open('other')] : [];
    return toResult(other === false ? 'incorrect' : 'not_run', {
      scores: { other, reason: null },
      judge: { ...open('reason'), others },
    });
  };
  const decided = toResult('correct', {
    scores: { other: true, reason: null },
    judge: { ...JUDGE, score: 'other' },
  });
  const undecided = [true, null].map((other) => ({ ...toScored(other), reason: 'judge' }));
  expect(say(toScored(false))).toContain(
    '1 of 1 judged answer has no verdict (cannot tell 1): wrong by another score',
  );
  expect(say(decided, toScored(false), toScored(false), ...undecided)).toEqual([
    '4 of 5 judged answers have no verdict (cannot tell 4): 2 neither right nor wrong, 2 wrong by another score',
    '1 answer has no verdict for the score "other": its mean is not known',
    '4 answers have no verdict for the score "reason": its mean is not known',
  ]);
});

test.each([
  ['openai:m', null, 'openai:m?temperature=0', true],
  ['replay:run', 'm', 'anthropic:m', true],
  ['openai:m', null, 'openai:m-mini', false],
  ['openai:m', 'm-2026-01-01', 'anthropic:k', false],
])(
  'the agent %s (model %s) and the judge %s are of one model: %s',
  (agent, model, judge, isOwn) => {
    const remark = `${judge} judges answers of its own model, which it may prefer`;
    expect(say(toJudged(['pass'], { agent, model }, [judge]))).toEqual(isOwn ? [remark] : []);
  },
);
