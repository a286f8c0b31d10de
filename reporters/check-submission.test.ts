import { expect, test } from 'vitest';
import { checkSubmission } from './check-submission.ts';

const ROW = { task_id: 'a', model_answer: '17', reasoning_trace: 'because' };

test.each<[string, readonly unknown[], readonly string[], readonly string[]]>([
  ['a whole one', [ROW, { ...ROW, task_id: 'b' }], ['a', 'b'], []],
  ['one without reasoning', [{ task_id: 'a', model_answer: '' }], ['a'], []],
  ['a task twice', [ROW, ROW], ['a'], ['task "a" is there more than once']],
  ['a task missing', [ROW], ['a', 'b'], ['task "b" is missing']],
  ['a task too many', [ROW], [], ['task "a" is not of the dataset']],
  ['a number as answer', [{ ...ROW, model_answer: 17 }], ['a'], ['line 1 has no model_answer', 'task "a" is missing']],
  ['a number as id', [{ ...ROW, task_id: 1 }], [], ['line 1 has no task_id']],
  ['a list as reasoning', [{ ...ROW, reasoning_trace: [] }], [], ['line 1 has a reasoning_trace that is no text']],
  ['a text as row', ['x'], [], ['line 1 is not a JSON object']],
])('%s is judged as the leaderboard would', (_, rows, expected, problems) => {
  expect(checkSubmission(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), expected)).toEqual(problems);
});

test('a torn line is named', () => {
  expect(checkSubmission('{"task_id": "a"\n', [])).toEqual(['line 1 is not JSON']);
});
