import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import type { SampleResult } from '../src/types.ts';
import { toReasonRemarks } from './reason-remarks.ts';
import { toLines } from './remark.ts';

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
