import { expect, test } from 'vitest';
import type { RuleFigures } from '../src/audit/audit-rules.ts';
import { toAuditRemarks } from './audit-remarks.ts';

const figures = (
  rule: string,
  on: RuleFigures['on'],
  false_positives: number,
  false_negatives: number,
): RuleFigures => {
  return { rule, on, correct: 0, false_positives, false_negatives };
};

test('gives two lines of counts for each suite and agent, and what could not be applied', () => {
  const rules = [
    figures('exact', 'answer', 0, 2),
    figures('contains', 'answer', 1, 0),
    figures('exact', 'output', 0, 7),
  ];
  const suites = [{ suite: 'gaia', dataset: 'sample', agent: 'replay', n: 10, correct: 7, rules }];
  expect(toAuditRemarks({ rules: [], suites, cases: new Map(), problems: ['semantic:m was not applied: x'] })).toEqual([
    'gaia, replay: rule audit (+ false positives, - false negatives; official: 7 of 10 right) on the answers: exact +0 -2, contains +1 -0',
    'gaia, replay: rule audit on whole outputs: exact +0 -7',
    'rule audit: semantic:m was not applied: x',
  ]);
  expect(toAuditRemarks({ rules: [], suites: [], cases: new Map(), problems: [] })).toEqual([]);
});
