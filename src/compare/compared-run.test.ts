import { expect, test } from 'vitest';
import { checkBaseline } from './compared-run.ts';

const SIDE = { suite: 'gaia', dataset: 'd', dataset_hash: 'h', prompt_hash: 'p', agent: 'x' };
const variant = (changes: Partial<typeof SIDE> = {}) => ({ ...SIDE, ...changes });
const JUDGE = { judge: 'openai:j', fingerprint: 'f', prompt_hash: 'p' };
const baseline = {
  name: 'old',
  variants: [variant(), variant({ agent: 'y' })].map((each) => ({ ...each, judges: [] })),
};

test.each([
  ['there is none', null, [variant()], 1],
  ['an agent has a counterpart', baseline, [variant({ agent: 'z' }), variant()], 1],
  ['another suite may have one', baseline, [variant({ suite: 'mcq' })], 2],
  [
    'its judges are not known yet',
    { name: 'old', variants: [{ ...variant(), judges: [JUDGE] }] },
    [variant()],
    1,
  ],
])('a suite may run where %s', (_rule, given, variants, suites) => {
  expect(() => checkBaseline(given, variants, { suites })).not.toThrow();
});

test.each([
  [
    'the baseline lacks the only suite',
    [variant({ suite: 'mcq' })],
    'mcq, x is not compared: A does not have this suite.',
  ],
  [
    'it is about other data',
    [variant({ dataset: 'e', dataset_hash: 'i' })],
    'A asked the dataset d, B asked e.',
  ],
  [
    'other judges judge',
    [{ ...variant(), judges: [JUDGE] }],
    'A was judged by no model, B was judged by openai:j (f,',
  ],
  [
    'none of its agents is there',
    [variant({ agent: 'z' })],
    'A does not have this agent. Its agents: x, y.',
  ],
])('a suite is refused where %s', (_rule, variants, reason) => {
  expect(() => checkBaseline(baseline, variants, { suites: 1 })).toThrow(reason);
});
