import { expect, test } from 'vitest';
import { toResult } from '../metrics/result.fixture.ts';
import type { SampleResult } from '../types.ts';
import { hideReason } from './hide-reason.ts';

test.each(['missing', 'empty', 'refusal', 'max_tokens'])('%s is a reason that viva words', (reason) => {
  const given = toResult('no_answer');
  if (given.state !== 'no_answer') throw new Error(`The fixture made ${given.state}.`);
  const result: SampleResult = { ...given, reason };
  expect(hideReason(result)).toBe(result);
});

test('the words of an agent are kept in the explanation alone', () => {
  const explanation = 'No answer: what is a1?.';
  const given = toResult('no_answer');
  if (given.state !== 'no_answer') throw new Error(`The fixture made ${given.state}.`);
  const result: SampleResult = { ...given, reason: 'what is a1?', explanation };
  expect(hideReason(result)).toEqual({ ...result, reason: 'in its own words' });
});

test.each(['incorrect', 'errored', 'not_run'] as const)('a reason of %s stays', (state) => {
  const result = toResult(state);
  expect(hideReason(result)).toBe(result);
});
