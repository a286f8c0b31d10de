import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runViva } from '../run-viva.ts';
import { copyProject } from './copy-project.ts';
import { readRows, runVitest } from './run-vitest.ts';

const OPTIONS = { A: 'ant', B: 'bee', C: 'cow', D: 'dog' };

/** Knows q1 by its text, says A to q2, and claims for q3 an order in which its letter would be right. */
const SUITE = `
import { appendFileSync } from 'node:fs';
import { defineEval, gradeMcq } from 'viva';
await defineEval('animals', {
  data: './animals.jsonl',
  score: ({ output, target, sample }) => gradeMcq(output, target, sample),
  trials: 3,
  free: true,
  public: true,
  agent: ({ id, choices }, { trial }) => {
    appendFileSync('calls', id + ' ' + trial + '\\n');
    const letter = Object.keys(choices).find((label) => choices[label] === 'cow');
    const claimed = 'The options are in the order C, A, B, D.\\n';
    const presented = { seed: 7, order: ['C', 'A', 'B', 'D'], target: [1], answer: [1] };
    const output = { q1: 'Answer: ' + letter, q2: 'Answer: A', q3: claimed + 'Answer: A' }[id];
    return { output, presented };
  },
});`;

const RECORDS = ['q1', 'q2', 'q3']
  .map((id) => JSON.stringify({ id, question: `Which is ${id}?`, choices: OPTIONS, target: 'C' }))
  .join('\n');

test('each trial has an order of its own, also from the cache and in replays', async () => {
  const project = copyProject();
  mkdirSync(join(project, 'evals/animals'));
  writeFileSync(join(project, 'evals/animals/animals.eval.ts'), SUITE);
  writeFileSync(join(project, 'evals/animals/animals.jsonl'), RECORDS);
  const run = (env: Record<string, string>) =>
    runVitest(['run', 'evals/animals'], env, { cwd: project });
  const listStates = (rows: ReturnType<typeof readRows>, id: string) =>
    rows.flatMap((row) => (row.id === id ? row.state : []));
  const listFacts = (rows: ReturnType<typeof readRows>) =>
    rows.map(({ id, trial, answer, target, presented }) => ({
      ...{ id, trial, answer, target, presented },
    }));

  const asked = await run({ EVAL_SHUFFLE_CHOICES: '7' });
  const folder = realpathSync(join(asked.dir, 'latest'));
  const rows = readRows(folder);
  expect(rows.map(({ target }) => target)).toEqual(Array(9).fill('C'));
  const orders = rows.map(({ id, presented }) => `${id} ${presented?.order.join('')}`);
  expect(orders).toEqual([
    ...['q1 ADBC', 'q1 DABC', 'q1 BCDA', 'q2 CABD', 'q2 ABDC', 'q2 CADB'],
    ...['q3 CBDA', 'q3 BDCA', 'q3 CBDA'],
  ]);
  expect(new Set(rows.map(({ question_hash }) => question_hash)).size).toBe(3);
  // Who knows the text is right in every order. What an answer says of the order changes nothing.
  expect(listStates(rows, 'q1')).toEqual(['correct', 'correct', 'correct']);
  for (const id of ['q2', 'q3'])
    expect(listStates(rows, id)).toEqual(['correct', 'incorrect', 'correct']);
  expect(asked.output).toContain('by position of the right option, as presented');

  const replayed = await run({ EVAL_AGENT: `replay:${folder}` });
  expect(listFacts(readRows(join(replayed.dir, 'latest')))).toEqual(listFacts(rows));
  expect(await runViva(['verify', folder])).toMatchObject({
    code: 0,
    output: expect.stringContaining('animals: its verdicts are not checked, '),
  });

  const fourth = { EVAL_TRIALS: '4', EVAL_BASELINE: folder, EVAL_DIR: asked.dir };
  const more = await run({ EVAL_SHUFFLE_CHOICES: '7', ...fourth });
  expect(more.output).toMatch(/12 trials, 9 cached \(.+\), 3 to ask \(3: new trial\)/);
  expect(more.output).toContain('trials of each question: 3 in A, 4 in B');
  expect(more.output).not.toContain('The options had another order');
  const calls = readFileSync(join(project, 'calls'), 'utf8').trim().split('\n');
  expect(calls.slice(9)).toEqual(['q1 4', 'q2 4', 'q3 4']);

  // A row that names an order in which its letter would be right.
  const log = join(folder, 'samples.jsonl');
  const forged = readFileSync(log, 'utf8').replace('["A","B","D","C"]', '["C","B","D","A"]');
  writeFileSync(log, forged);
  expect((await runViva(['verify', folder])).output).toContain(
    'MISMATCH: animals: 1 of 9 results names another order of the options than its seed gives: q2',
  );
  const refused = await run({ EVAL_AGENT: `replay:${folder}` });
  expect(refused.output).toContain(
    'or to another order of them, than 7 as a seed gives: "q2", trial 2.',
  );
});
