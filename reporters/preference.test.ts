import { expect, test } from 'vitest';
import { comparePairs, readComparedRun } from '../src/figures/compare-runs.ts';
import { PAIR, toResult } from '../src/figures/result.fixture.ts';
import type { PairVerdicts } from '../src/words/row.ts';
import { makeRun } from '../test/make-run.ts';
import { toPreferenceLines, toPreferenceTable } from './preference.ts';

/** The only comparison of a run whose answers of b were judged beside those of a. */
function compare(pairs: readonly Partial<PairVerdicts>[]) {
  const rows = pairs.flatMap((pair, at) => [
    toResult('ungraded', { id: `q${at}`, agent: 'a', model: 'm' }),
    toResult('ungraded', { id: `q${at}`, agent: 'b', model: 'n', pairs: [{ ...PAIR, ...pair }] }),
  ]);
  const prefer = { judges: [], criterion_hash: '', pairs: pairs.length };
  const { variants } = readComparedRun(makeRun(rows, { suite: { prefer } }));
  const names = { name: 'b against a', a: 'a', b: 'b' };
  return comparePairs(variants).map((comparison) => ({ ...names, comparison }));
}

const TURNED = { outcome: 'tie', tie: 'turned', verdicts: [['first', 'first']] } as const;
const EQUAL = {
  outcome: 'tie',
  tie: 'equal',
  models: [],
  verdicts: [],
  reasons: [],
  cost_usd: 0,
} as const;

test('the table has wins, ties and losses with their interval and test', () => {
  const won = Array.from({ length: 6 }, () => ({}));
  expect(toPreferenceTable(compare([...won, TURNED, EQUAL]))?.rows).toEqual([
    ['preferred', 'wins', 'ties', 'losses', 'wins - losses', '95 % interval', 'test'],
    ['b against a', '6', '2', '0', '+75.0 pp', '+18.9 to +100.0 pp', 'p = 0.031: more than noise'],
  ]);
  const none = { outcome: null, verdicts: [['error', 'error']] } as const;
  expect(toPreferenceTable(compare([none]))?.rows[1]).toEqual([
    'b against a',
    '0',
    '0',
    '0',
    '-',
    '-',
    '-',
  ]);
});

test("the lines say who judged, which ties are no judge's own, and who judges itself", () => {
  expect(toPreferenceLines(compare([{}, TURNED, EQUAL]))).toEqual([
    'preferred by openai:m, asked about each pair in both orders, which cost $0.0020',
    'b against a: of 2 ties 1 turned with the order, 1 of equal answers',
    'openai:m judges answers of a, its own model, which it may prefer',
  ]);
  const other = { asked_hashes: ['2', '3'] } as const;
  for (const [pair, said] of [
    [{ ...other, new_cost_usd: 0 }, '$0.0040 ($0.0020 of it new)'],
    [{ ...other, cost_usd: null }, 'at least $0.0020'],
  ] as const)
    expect(toPreferenceLines(compare([{}, pair]))[0]).toMatch(`which cost ${said}`);
  expect(toPreferenceLines(compare([EQUAL]))).toEqual(['b against a: of 1 tie 1 of equal answers']);
});
