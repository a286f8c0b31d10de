import { expect, it } from 'vitest';
import { averagePartial } from './partial.ts';
import { toResult } from './result.fixture.ts';

const half = toResult('incorrect', { partial: { jaccard: 0.5, option_f1: 0.75 } });
const full = toResult('correct', { partial: { jaccard: 1, option_f1: 1 } });

it('is the mean by name', () => {
  expect(averagePartial([half, full])).toEqual({ jaccard: 0.75, option_f1: 0.875 });
});

it('counts an error as none', () => {
  expect(averagePartial([full, toResult('timed_out')])).toEqual({ jaccard: 0.5, option_f1: 0.5 });
});

it('leaves out what has no truth', () => {
  expect(averagePartial([full, toResult('ungraded')])).toEqual({ jaccard: 1, option_f1: 1 });
});

it.each(['errored', 'not_run'] as const)('leaves out what has no target and is %s', (state) => {
  expect(averagePartial([full, toResult(state, { target: null })])).toEqual({ jaccard: 1, option_f1: 1 });
});

it.each([
  ['without any', [toResult('correct')]],
  ['without results', []],
  ['while something is not run', [full, toResult('not_run')]],
])('is null %s', (_, results) => {
  expect(averagePartial(results)).toBeNull();
});
