import { expect, test } from 'vitest';
import type { RuleFigures } from '../src/audit/audit-rules.ts';
import { toAuditNotes, toAuditRemarks } from './audit-remarks.ts';

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
