import { expect, test } from 'vitest';
import type { Gate } from '../types.ts';
import { compare } from './compare.ts';
import { judgeGates } from './gates.ts';
import { toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

/** 10 questions by law and art, each half by rent and loan; "rent" is a kind too. All of law are right. */
const rows = Array.from({ length: 10 }, (_, index) => {
  const subject = index < 6 ? 'law' : 'art';
  const groups = { subject, topic: index % 2 ? 'rent' : 'loan', kind: index < 2 ? 'rent' : 'buy' };
  return toResult(index < 6 ? 'correct' : 'incorrect', {
    id: `q${index}`,
    group: subject,
    groups,
    scores: { total: index < 7 },
  });
});
const worse = rows.map((row, index) =>
  index === 2 ? toResult('incorrect', { ...row, scores: { total: false } }) : row,
);

test.each<[string, Partial<Gate>, boolean | null, string]>([
  ['loan', { min_accuracy: 0 }, true, 'accuracy 60.0 % meets the gate 0.0 % for group loan'],
  ['law', { min_accuracy: 0 }, true, 'accuracy 100.0 %'],
  ['topic rent', { min_accuracy: 0 }, true, 'accuracy 60.0 %'],
  ['kind rent', { min_accuracy: 0 }, true, 'accuracy 100.0 %'],
  [
    'rent',
    { min_accuracy: 0 },
    null,
    'rent is a group by topic and by kind: write "topic rent" or "kind rent"',
  ],
  ['all', { min_accuracy: 0 }, true, 'accuracy 60.0 %'],
  ['sale', { min_accuracy: 0 }, null, 'there is no group sale in this run.'],
  ['buy', { min_pass_rate_per_case: 1 }, false, '4 of 8 questions'],
  ['loan', { min_score: { name: 'total', at_least: 0.8 } }, true, '80.0 %'],
  ['loan', { max_drop: 0.7 }, true, 'at most 39.6 pp'],
  ['kind rent', { max_score_drop: { name: 'total', at_most: 0.9 } }, true, 'at most'],
])('a gate on the group %s of some grouping: %j', (group, thresholds, holds, explanation) => {
  const gates = [{ suite: 'gaia', dataset: 'made-up', group, ...thresholds }];
  const comparison = compare(rows, rows);
  const [result] = judgeGates(gates, summarize(rows), () => comparison, rows);
  expect(result).toMatchObject({ holds, explanation: expect.stringContaining(explanation) });
});

test('a drop is that of the questions of the group alone', () => {
  const dropOf = (group: string) => {
    const gates = [{ suite: 'gaia', dataset: 'made-up', group, max_drop: 1 }];
    return judgeGates(gates, summarize(worse), () => compare(rows, worse), worse)[0]?.value;
  };
  expect(dropOf('loan')).toBeGreaterThan(dropOf('topic rent') ?? 1);
});
