import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import type { SampleResult } from '../src/types.ts';
import { toSuiteTable } from './suite-rows.ts';

/** The cells of "all" in the columns whose heads match, by their heads. */
function findCells(results: readonly SampleResult[], heads: RegExp): Readonly<Record<string, string | undefined>> {
  const [suite] = summarize(results).suites;
  if (suite === undefined) throw new Error('no suite');
  const { rows } = toSuiteTable(suite);
  const [head = [], all = []] = [rows[0], rows.at(-1)];
  return Object.fromEntries(head.map((name, index) => [name, all[index]]).filter(([name]) => heads.test(name ?? '')));
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
  [
    'the least it can be where one has no cost',
    [paid({}), toResult('correct', { id: 'b' })],
    { cost: 'at least $0.50' },
  ],
  ['that nothing is new', [paid({ cached: true })], { cost: '$0.50', 'of it new': '$0.00' }],
])('shows %s', (_, results, cells) => {
  expect(findCells(results, /cost|new/)).toEqual(cells);
});

const hidden = { id: 'hidden', target: null };

test.each<[string, readonly SampleResult[], Readonly<Record<string, string>>]>([
  ['n alone where every target is known', [toResult('correct')], { n: '1', correct: '1' }],
  [
    'how many are graded, and the failures among the others',
    [toResult('correct'), toResult('errored', hidden)],
    { n: '2', graded: '1', correct: '1', accuracy: '100.0 %', errors: '1' },
  ],
  ['no correct ones where nothing is graded', [toResult('errored', hidden)], { n: '1', graded: '0', correct: '-' }],
])('shows %s', (_, results, cells) => {
  expect(findCells(results, /^n$|graded|correct|accuracy|errors/)).toMatchObject(cells);
  expect('graded' in findCells(results, /graded/)).toBe('graded' in cells);
});
