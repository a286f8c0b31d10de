import { expect, test } from 'vitest';
import { checkBaseline } from './check-baseline.ts';

const side = (changes: object = {}) => ({ suite: 'gaia', dataset: 'd', dataset_hash: 'h', agent: 'x', ...changes });
const baseline = { name: 'old', sides: [side(), side({ agent: 'y' })] };

test.each([
  ['there is none', null, [side()], 1],
  ['an agent has a counterpart', baseline, [side({ agent: 'z' }), side()], 1],
  ['another suite may have one', baseline, [side({ suite: 'mcq' })], 2],
])('a suite may run where %s', (_rule, given, sides, suites) => {
  expect(() => checkBaseline(given, sides, { suites })).not.toThrow();
});

test.each([
  ['the baseline lacks the only suite', [side({ suite: 'mcq' })], 'mcq, x is not compared: A has no such suite.'],
  ['it is about other data', [side({ dataset: 'e', dataset_hash: 'i' })], 'A is about the dataset d, B about e.'],
  ['none of its agents is there', [side({ agent: 'z' })], 'in A the agents are x, y.'],
])('a suite is refused where %s', (_rule, sides, reason) => {
  expect(() => checkBaseline(baseline, sides, { suites: 1 })).toThrow(reason);
});
