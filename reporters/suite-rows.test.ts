import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import type { SampleResult } from '../src/types.ts';
import { toSuiteTable } from './suite-rows.ts';

/** The cells of the columns about cost, by their heads. */
function costCells(results: readonly SampleResult[]): Readonly<Record<string, string | undefined>> {
  const [suite] = summarize(results).suites;
  if (suite === undefined) throw new Error('no suite');
  const { rows } = toSuiteTable(suite);
  const [head = [], all = []] = [rows[0], rows.at(-1)];
  return Object.fromEntries(
    head.map((name, index) => [name, all[index]]).filter(([name]) => /cost|new/.test(name ?? '')),
  );
}

const paid = (fields: object) => toResult('correct', { cost_usd: 0.5, ...fields });
const estimated = { cost_estimated: true as const };

test.each<[string, readonly SampleResult[], Readonly<Record<string, string>>]>([
  ['nothing where no cost is known', [toResult('correct')], {}],
  ['a cost that was told', [paid({}), paid({ id: 'b' })], { cost: '$1.00' }],
  ['an estimate as one', [paid({}), paid({ id: 'b', ...estimated })], { 'cost (estimated)': '$1.00' }],
  [
    'what is new apart from what was kept',
    [paid(estimated), paid({ id: 'b', cached: true, ...estimated })],
    { 'cost (estimated)': '$1.00', 'of it new (estimated)': '$0.50' },
  ],
  ['that nothing is new', [paid({ cached: true })], { cost: '$0.50', 'of it new': '$0.00' }],
])('shows %s', (_, results, cells) => {
  expect(costCells(results)).toEqual(cells);
});
