import { expect, test } from 'vitest';
import { PLANNED, planned } from '../../test/make-run.ts';
import { toResult, toTrials } from '../figures/result.fixture.ts';
import type { SampleResult } from '../words/row.ts';
import { listExports, renderAnswers, renderSubmission, submissionIds } from './exports.ts';

const rowsOf = (results: readonly SampleResult[]) => renderAnswers(results).trimEnd().split('\r\n');

test('one trial of each question needs no column for it', () => {
  expect(rowsOf(toTrials('a', '+', { target: '17' }))).toEqual([
    'task_id,level,expected_answer,actual_answer,match',
    'a,1,17,text,true',
  ]);
});

test('named scores have a column each', () => {
  const rows = [
    toResult('correct', { id: 'a', scores: { near: 0.5, constructor: true } }),
    toResult('errored', { id: 'b' }),
  ];
  expect(rowsOf(rows)).toEqual([
    'task_id,level,expected_answer,actual_answer,match,score: near,score: constructor',
    'a,1,truth,text,true,0.5,true',
    'b,1,truth,,false,,',
  ]);
});

test.each(['ungraded', 'errored', 'no_answer', 'not_run'] as const)(
  'no match is told where %s has no target',
  (state) => {
    expect(rowsOf([toResult(state, { id: 'a', target: null })])[1]).toMatch(/^a,1,\?,.*,$/);
  },
);

test('a submission has a line for each task, from its first trial, "" where no answer came', () => {
  const rows = [...toTrials('b', '+-'), toResult('errored', { id: 'a' })];
  const lines = [...renderSubmission(['a', 'b', 'c'], rows)].map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { task_id: 'a', model_answer: '', reasoning_trace: '' },
    { task_id: 'b', model_answer: 'text', reasoning_trace: 'text' },
    { task_id: 'c', model_answer: '', reasoning_trace: '' },
  ]);
  const value = { ...toResult('correct', { id: 'd' }), answer: { z: 3 }, output: [1] };
  const [line = ''] = renderSubmission(['d'], [value as SampleResult]);
  expect(JSON.parse(line)).toMatchObject({ model_answer: '{"z":3}', reasoning_trace: '[1]' });
});

test("a submission of GAIA's whole test split, and of no part of it, ends with the placeholder row", () => {
  const toIds = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const [easy, ...rest] = [93, 159, 48].flatMap((count, index) =>
    planned(toIds(`${index}-`, count), `level ${index + 1}`),
  );
  const submit = (questions: typeof rest) =>
    submissionIds({ ...PLANNED, questions, placeholders: ['0-0'] });
  expect(submit(rest)).toEqual(rest.map(({ id }) => id));
  const whole = easy === undefined ? [] : [easy, ...rest];
  expect(submit(whole)).toEqual([...whole.map(({ id }) => id), '0-0']);
});

test('several suites, agents and prompts have files of their own', () => {
  const results = ['x@11111111', 'y@22222222'].flatMap((prompt) => {
    const facts = { suite: 'a', id: 'a', prompt, prompt_hash: prompt.slice(2) };
    return ['one', 'two'].map(
      (agent) => ({ ...toResult('correct', { ...facts, agent }), answer: prompt }) as SampleResult,
    );
  });
  const prompts = [
    { hash: '11111111', file: '', name: 'x' },
    { hash: '22222222', file: '', name: 'y' },
  ];
  const exports = ['submission.jsonl'] as const;
  const suites = [
    { ...PLANNED, suite: 'a', exports, agents: ['one', 'two'], prompts },
    { ...PLANNED, suite: 'b', exports },
  ];
  const files = listExports('submission.jsonl', { suites }, results);
  const [first] = files;
  expect(files.map(({ name }) => name)).toEqual([
    ...['1-11111111', '1-22222222', '2-11111111', '2-22222222'].map(
      (own) => `submission-a-${own}.jsonl`,
    ),
    'submission-b.jsonl',
  ]);
  expect([...(first?.lines ?? [])].join('')).toContain('"model_answer":"x@11111111"');
});
