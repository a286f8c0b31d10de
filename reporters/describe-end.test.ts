import { describe, expect, test } from 'vitest';
import { toResult } from '../src/figures/result.fixture.ts';
import { BEGUN, type StoredEnd } from '../src/store/run-end.ts';
import { readRunFiles, toKeyedTrials } from '../src/store/run-reader.ts';
import { toIdentity } from '../src/store/trial-meta.ts';
import type { SampleResult } from '../src/words/row.ts';
import { makeRun } from '../test/make-run.ts';
import { describeEnd, type EndedTest, type RunEnd } from './describe-end.ts';

const A = toResult('correct', { id: 'a' });

function toTest(row: SampleResult, facts: Partial<EndedTest> = {}): EndedTest {
  const error = facts.state === 'failed' ? 'it broke' : null;
  return {
    meta: { ...row, run: 'run' },
    picked: true,
    state: 'passed',
    error,
    place: null,
    ...facts,
  };
}

/** The end of a run that planned one question, and wrote these rows. */
function endOf(rows: readonly SampleResult[], facts: Partial<RunEnd>): StoredEnd {
  const folder = makeRun([A], {});
  const files = { ...readRunFiles(folder), rows, end: BEGUN };
  const nothing = { tests: [], neverRan: [], failures: [], refused: [], stop: null };
  const settings = { gates: [], calibrationOf: () => null };
  return describeEnd({ ...nothing, ...facts }, files, settings, toKeyedTrials(files));
}

describe('the end of a run', () => {
  test.each([
    ['pending', true, null, 'crash'],
    ['pending', true, 'interrupted', 'interrupted'],
    ['skipped', true, null, 'skipped'],
    ['skipped', true, 'bail', 'bail'],
    ['skipped', false, null, null],
  ] as const)(
    'has a reason for a %s test without a row, picked %s, stop %s: %s',
    (state, picked, stop, reason) => {
      const end = endOf([], { tests: [toTest(A, { state, picked })], stop });
      expect(end.absent).toEqual([{ ...toIdentity(A), reason }]);
      expect(end.errors).toEqual([]);
    },
  );

  test('lists a test that failed without a row, or with a right answer, as an error', () => {
    expect(endOf([], { tests: [toTest(A, { state: 'failed' })] }).errors).toEqual([
      'gaia a: it broke',
    ]);
    const right = endOf([A], { tests: [toTest(A, { state: 'failed' })] });
    expect(right.errors).toEqual(['gaia a: it broke']);
    const wrong = { ...A, state: 'incorrect' } as SampleResult;
    expect(endOf([wrong], { tests: [toTest(A, { state: 'failed' })] }).errors).toEqual([]);
  });

  test('lists tests that failed alike as one error with their count', () => {
    const tests = ['a', 'b', 'c'].map((id) => toTest({ ...A, id }, { state: 'failed' }));
    const other = toTest({ ...A, id: 'd' }, { state: 'failed', error: 'it fell' });
    expect(endOf([], { tests: [...tests, other] }).errors).toEqual([
      'gaia a and 2 more: it broke',
      'gaia d: it fell',
    ]);
  });

  test('lists a question that was generated twice', () => {
    expect(endOf([A], { tests: [toTest(A), toTest(A)] }).duplicates).toEqual([
      'gaia a (replay, trial 1)',
    ]);
  });
});
