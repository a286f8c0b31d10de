import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { readManifest } from '../src/runs/manifest.ts';
import { makeRun } from '../test/make-run.ts';
import { toBudgetRemarks, toCostRemarks } from './budget-remarks.ts';

const paid = toResult('correct', { cost_usd: 0.5 });
const unknown = (id: string) => toResult('timed_out', { id });

test.each([
  ['all costs are known', [paid], [], 'EVAL_MAX_COST=2: $0.50 were spent by 1 call'],
  [
    'one is not',
    [paid, unknown('b')],
    ['cost: at least $0.50, 1 answer without a cost'],
    'EVAL_MAX_COST=2: at least $0.50 were spent by 2 calls, 1 answer without a cost',
  ],
  [
    'several are not',
    [paid, unknown('b'), unknown('c')],
    ['cost: at least $0.50, 2 answers without a cost'],
    'EVAL_MAX_COST=2: at least $0.50 were spent by 3 calls, 2 answers without a cost',
  ],
])('the total where %s', (_, results, said, budget) => {
  expect(toCostRemarks(summarize(results)).map(({ text }) => text)).toEqual(said);
  expect(toBudgetRemarks(readManifest(makeRun(results, { config: { maxCost: 2 } })), results)).toEqual([budget]);
});

test('nothing is said of an agent whose costs nobody knows', () => {
  expect(toCostRemarks(summarize([unknown('a')]))).toEqual([]);
});
