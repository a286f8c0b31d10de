import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const records = [
  { id: 'a', output: 'FINAL ANSWER: 17' },
  { id: 'b', output: 'FINAL ANSWER: 17' },
];

describe('predictions', () => {
  test('that miss a sample leave it without an answer, and it counts as wrong', async () => {
    const { env } = writeGaiaFixture([...records, { id: 'c' }]);
    const run = await runVitest(['run', 'evals/gaia'], env);
    const row = readRows(runFolderOf(run.dir)).find(({ id }) => id === 'c');
    expect(row).toMatchObject({ state: 'no_answer', reason: 'missing', output: null, latency_ms: null });
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)?.accuracy).toBeCloseTo(2 / 3);
  });

  test.each([
    ['{"task_id": "a", "output": "again"}', 'predictions.jsonl:3: the sample already has a prediction on line 1'],
    [
      '{"task_id": "c", "output": 17}',
      'predictions.jsonl:3: "output" must be text, got 17 (number). Write it in quotes.',
    ],
    ['{"task_id": "c", "output": "1", "model_answer": "2"}', '"model_answer" stands beside "output", got "2"'],
    ['{"task_id": "c", "output": "1", "trial": 0}', '"trial" must be a whole number from 1 up, got 0'],
    ['{"task_id": "c"}', 'predictions.jsonl:3: "output" is missing, and so is "model_answer"'],
    ['{"task_id": ', 'predictions.jsonl:3: the line is not valid JSON'],
    ['{"task_id": "c", "output": "", "latency_ms": -1}', '"latency_ms" must be a number from 0 up, got -1'],
  ])('with the line %s stop the suite', async (line, message) => {
    const { env, predictions } = writeGaiaFixture(records);
    appendFileSync(predictions, `${line}\n`);
    const run = await runVitest(['run', 'evals/gaia'], env);
    expect(run.code).toBe(1);
    expect(run.output).toContain(message);
  });

  test('do not show in CI what an agent said', async () => {
    const { env, predictions } = writeGaiaFixture(records);
    appendFileSync(predictions, '{"task_id": "c", "output": ["QSECRET"]}\n');
    const run = await runVitest(['run', 'evals/gaia'], { ...env, CI: 'true' });
    expect(run.code).toBe(1);
    expect(run.output).toContain(
      'predictions.jsonl:3: "output" must be text, the value (array) is withheld. Write it in quotes.',
    );
    expect(run.output).not.toContain('QSECRET');
  });

  test('for another dataset are refused', async () => {
    const { env, predictions } = writeGaiaFixture(records);
    writeFileSync(predictions, '{"task_id": "x", "output": "17"}\n');
    const run = await runVitest(['run', 'evals/gaia'], env);
    expect(run.code).toBe(1);
    expect(run.output).toContain("holds none of the dataset's ids");
  });

  test('for ids that the dataset does not have are said', async () => {
    const { env, predictions } = writeGaiaFixture(records);
    appendFileSync(predictions, '{"task_id": "stranger", "output": "17"}\n');
    const run = await runVitest(['run', 'evals/gaia'], env);
    expect(run.report).toContain('1 prediction is for no sample of the dataset, such as "stranger".');
  });

  test('of one trial are not taken for several', async () => {
    const { env } = writeGaiaFixture(records);
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_TRIALS: '3' });
    expect(run.code).toBe(1);
    expect(run.output).toContain('EVAL_TRIALS is 3, and replay:');
  });

  test('of the sample are not taken for those of another dataset', async () => {
    const { env } = writeGaiaFixture(records);
    const run = await runVitest(['run', 'evals/gaia'], { EVAL_GAIA: env.EVAL_GAIA });
    expect(run.output).toContain('EVAL_AGENT names no file of predictions, and the committed one of gaia holds none');
  });

  test('in the form of the leaderboard are scored as they are', async () => {
    const { env, predictions } = writeGaiaFixture(records);
    writeFileSync(
      predictions,
      '{"task_id": "a", "model_answer": "FINAL ANSWER: 17"}\n{"task_id": "b", "model_answer": "17"}\n',
    );
    const run = await runVitest(['run', 'evals/gaia'], env);
    const states = readRows(runFolderOf(run.dir)).map(({ id, state, how }) => [id, state, how]);
    expect(states.toSorted()).toEqual([
      ['a', 'incorrect', 'as given'],
      ['b', 'correct', 'as given'],
    ]);
  });

  test('may be an earlier run, which is scored again with the same figures', async () => {
    const { env } = writeGaiaFixture([...records, { id: 'c' }, { id: 'd', output: 'FINAL ANSWER: 18' }]);
    const first = await runVitest(['run', 'evals/gaia'], env);
    const folder = runFolderOf(first.dir);
    const second = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: `replay:${folder}` });
    const [before, after] = [folder, runFolderOf(second.dir)].map((run) => readSummary(run).suites[0]?.groups);
    expect(after).toEqual(before);
  });
});

describe('records', () => {
  test.each([
    [
      '{"task_id": "c", "Question": "q", "Level": 4, "Final answer": "x", "file_name": ""}',
      '"Level" must be 1, 2 or 3, got 4',
    ],
    ['{"task_id": "a", "Question": "q", "Level": 1, "Final answer": "x", "file_name": ""}', 'metadata.jsonl:3'],
    ['{"task_id": "c", "Level": 1, "Final answer": "x", "file_name": ""}', '"Question"'],
    ['{"task_id": "c", "Question": "q", "Level": 1, "Final answer": "x", "file_name": "no.txt"}', 'no.txt'],
    [
      '{"task_id": "c", "Question": "q", "Level": 1, "Final answer": "x", "file_name": "../../../x"}',
      'metadata.jsonl:3',
    ],
    ['[1, 2', 'metadata.jsonl:3: the line is not valid JSON'],
  ])('with the line %s stop the suite', async (line, message) => {
    const { env, folder } = writeGaiaFixture(records);
    appendFileSync(join(folder, '2023/validation/metadata.jsonl'), `${line}\n`);
    const run = await runVitest(['run', 'evals/gaia'], env);
    expect(run.code).toBe(1);
    expect(run.output).toContain(message);
    expect(run.output).toContain('metadata.jsonl:3');
    expect(run.output).toMatch(/^ {2}exit 1: nothing was asked: see the error above$/m);
  });
});
