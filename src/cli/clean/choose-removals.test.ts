import { expect, test } from 'vitest';
import { chooseRemovals, type Kept } from './choose-removals.ts';

/** Entries of 10 bytes, written at these times. */
const written = (...times: readonly number[]): Kept[] =>
  times.map((writtenMs) => ({ path: `${writtenMs}`, bytes: 10, writtenMs }));

const NOW = 1000;

test.each([
  ['removes what is older than the age', { olderThanMs: 500, largerThan: null }, ['100', '499']],
  ['removes the oldest until the rest is below the size', { olderThanMs: null, largerThan: 20 }, ['100', '499']],
  ['removes nothing that is within the size', { olderThanMs: null, largerThan: 40 }, []],
  ['removes everything for a size of nothing', { olderThanMs: null, largerThan: 0 }, ['100', '499', '500', '900']],
  ['counts what the age removed as gone', { olderThanMs: 800, largerThan: 30 }, ['100']],
  ['applies the age also below the size', { olderThanMs: 800, largerThan: 1000 }, ['100']],
  ['removes nothing without a limit', { olderThanMs: null, largerThan: null }, []],
])('%s', (_, limits, removed) => {
  const chosen = chooseRemovals(written(900, 100, 500, 499), limits, NOW, () => false);
  expect(chosen.map(({ path }) => path)).toEqual(removed);
});

test('leaves what is held, and removes newer entries for its size', () => {
  const limits = { olderThanMs: null, largerThan: 10 };
  const chosen = chooseRemovals(written(100, 200, 300), limits, NOW, ({ path }) => path === '100');
  expect(chosen.map(({ path }) => path)).toEqual(['200', '300']);
});
