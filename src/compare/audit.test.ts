import { expect, test } from 'vitest';
import { toResult } from '../figures/result.fixture.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import type { SampleResult } from '../words/row.ts';
import { auditRules } from './audit.ts';

/** The row of an output as an eval writes it. */
function row(id: string, output: string, target: string, agent = 'a'): SampleResult {
  const { state, answer, how, rules, explanation } = gradeGaia(output, target);
  const head = toResult('correct', { id, target, agent });
  const body = { output, how, rules, explanation, error: null, latency_ms: 1 };
  if (state === 'no_answer') return { ...head, ...body, state, reason: 'empty', answer: null };
  return { ...head, ...body, state, reason: null, answer };
}

const ROWS = [
  row('right', 'It is there.\nFINAL ANSWER: 17', '17'),
  row('loose', 'I see 17 of them.\nFINAL ANSWER: 17 apples', '17'),
  row('said before', 'Iron? No.\nFINAL ANSWER: gold', 'iron'),
  row('formatted', 'FINAL ANSWER: $1,700', '1700'),
  row('silent', '', '17'),
];

test('counts the false positives and false negatives of each rule', () => {
  const [suite] = auditRules(ROWS).suites;
  expect(suite).toMatchObject({ suite: 'gaia', agent: 'a', n: 5, correct: 2 });
  const figures = suite?.rules.map(({ rule, on, correct, false_positives, false_negatives }) => {
    return [rule, on, correct, false_positives, false_negatives];
  });
  expect(figures).toEqual([
    ['exact', 'answer', 1, 0, 1],
    ['contains', 'answer', 2, 1, 1],
    ['bidirectional', 'answer', 3, 1, 0],
    ['official', 'output', 0, 0, 2],
    ['exact', 'output', 0, 0, 2],
    ['contains', 'output', 3, 2, 1],
    ['bidirectional', 'output', 4, 2, 0],
  ]);
});

test('lists which rules accept each case, a bit for each', () => {
  const { rules, cases } = auditRules(ROWS);
  const names = (bits: number) =>
    rules.filter((_, place) => Math.floor(bits / 2 ** place) % 2 === 1);
  const said = [...cases].map(([{ id }, { answer, output }]) => [id, names(answer), names(output)]);
  expect(said).toEqual([
    ['right', ['official', 'exact', 'contains', 'bidirectional'], ['contains', 'bidirectional']],
    ['loose', ['contains', 'bidirectional'], ['contains', 'bidirectional']],
    ['said before', [], ['contains', 'bidirectional']],
    ['formatted', ['official', 'bidirectional'], ['bidirectional']],
    ['silent', [], []],
  ]);
});

test('keeps agents apart, and leaves out what no rule scored', () => {
  const other = row('right', 'FINAL ANSWER: 17', '17', 'b');
  const unscored = [
    toResult('errored', { agent: 'c' }),
    toResult('not_run', { agent: 'd' }),
    toResult('correct', { agent: 'e' }),
  ];
  const { suites, cases } = auditRules([...ROWS, other, ...unscored]);
  expect(suites.map(({ agent, n }) => [agent, n])).toEqual([
    ['a', 5],
    ['b', 1],
  ]);
  expect(cases.size).toBe(6);
});
