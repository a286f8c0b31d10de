import { expect, test } from 'vitest';
import { toResult, toTrials } from '../src/metrics/result.fixture.ts';
import type { SampleResult } from '../src/types.ts';
import { renderAnswers } from './gaia-files.ts';

const rowsOf = (results: readonly SampleResult[]) => renderAnswers(results).trimEnd().split('\r\n');

test('one trial of each question needs no column for it', () => {
  expect(rowsOf(toTrials('a', '+', { target: '17' }))).toEqual([
    'task_id,level,expected_answer,actual_answer,match',
    'a,1,17,text,true',
  ]);
});

test('several trials are numbered in a last column', () => {
  expect(rowsOf(toTrials('a', '+-', { target: '17' }))).toEqual([
    'task_id,level,expected_answer,actual_answer,match,trial',
    'a,1,17,text,true,1',
    'a,1,17,text,false,2',
  ]);
});

test.each(['ungraded', 'errored', 'no_answer', 'not_run'] as const)(
  'no match is told where %s has no target',
  (state) => {
    expect(rowsOf([toResult(state, { id: 'a', target: null })])[1]).toMatch(/^a,1,\?,.*,$/);
  },
);
