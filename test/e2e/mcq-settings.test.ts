import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** Ten questions whose right option says so, and one that must keep its order. */
const QUESTIONS = [
  'question,A,B,C,D,answer',
  ...Array.from({ length: 10 }, (_, index) => `Which ${index}?,right ${index},x,y,z,A`),
  'Which is last?,p,q,right here,Both A and B,C',
].join('\n');

const KNOWING = `export default ({ choices }) =>
  JSON.stringify({ answer: Object.keys(choices).find((label) => choices[label].startsWith('right')), confidence: 'high' });`;
const FIRST = `export default (question) => {
  if ('presentation' in question || 'target' in question) throw new Error('seen');
  return '{"answer": "A", "confidence": "low"}';
};`;

describe('EVAL_SHUFFLE_CHOICES', () => {
  test('moves options, and rows name them as the dataset does', async () => {
    const run = await runShuffled(KNOWING);
    const rows = readRows(runFolderOf(run.dir));
    expect(rows.map(({ target, answer }) => [target, answer])).toEqual(rows.map(({ target }) => [target, target]));
    expect(rows.map(({ target }) => target).toSorted()).toEqual([...'AAAAAAAAAAC']);
    expect(new Set(rows.map(({ presented }) => presented?.target[0])).size).toBeGreaterThan(1);
    expect(rows.every(({ presented }) => presented?.answer?.[0] === presented?.target[0])).toBe(true);
    expect(run.output).toContain('EVAL_SHUFFLE_CHOICES=3: the options of');
  });

  test('shows an agent that always names the first option', async () => {
    const run = await runShuffled(FIRST);
    const folder = runFolderOf(run.dir);
    expect(readRows(folder).map(({ state }) => state)).not.toContain('errored');
    const [suite] = readSummary(folder).suites;
    expect(suite?.positions?.[0]).toMatchObject({ position: 1, accuracy: 1, chosen: 11 });
    expect(suite?.positions?.slice(1).map(({ correct, chosen }) => [correct, chosen])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(
      '| position | n | correct | accuracy | chosen |',
    );
    expect(run.report).toContain('by position');
  });

  test('is undone when its run is graded again, whatever is set then', async () => {
    const { dir, env } = await runShuffled(KNOWING);
    const { EVAL_SHUFFLE_CHOICES: _, ...unset } = env;
    const again = await runVitest(['run', 'evals/mcq'], { ...unset, EVAL_AGENT: `replay:${runFolderOf(dir)}` });
    expect(readSummary(runFolderOf(again.dir)).suites[0]?.groups.at(-1)).toMatchObject({ n: 11, accuracy: 1 });
  });

  test('leaves replayed predictions as they are', async () => {
    const run = await runVitest(['run', 'evals/mcq'], { EVAL_SHUFFLE_CHOICES: '3' });
    expect(run.code).toBe(0);
    expect(run.output).toContain('EVAL_SHUFFLE_CHOICES has no effect');
    expect(readRows(runFolderOf(run.dir)).every(({ presented }) => presented === undefined)).toBe(true);
  });
});

test('EVAL_MCQ_FIELDS says which fields mean what', async () => {
  const folder = makeFolder({
    'own.csv': 'nr,q,first,second,gold\n1,Which?,x,y,1\n',
    'predictions.jsonl': '{"id": "1", "output": "B"}\n',
  });
  const env = { EVAL_MCQ: join(folder, 'own.csv'), EVAL_AGENT: `replay:${join(folder, 'predictions.jsonl')}` };
  const fields = '{"question": "q", "choices": ["first", "second"], "answer": "gold", "id": "nr", "index_base": 0}';
  const run = await runVitest(['run', 'evals/mcq'], { ...env, EVAL_MCQ_FIELDS: fields });
  expect(readRows(runFolderOf(run.dir))).toMatchObject([{ id: '1', target: 'B', state: 'correct', options: 2 }]);
  const wrong = await runVitest(['run', 'evals/mcq'], { ...env, EVAL_MCQ_FIELDS: '{"qestion": "q"}' });
  expect(wrong.code).toBe(1);
  expect(wrong.output).toContain('EVAL_MCQ_FIELDS must be a JSON object of field names such as');
});

async function runShuffled(agent: string) {
  const folder = makeFolder({ 'q.csv': QUESTIONS, 'agent.mjs': agent });
  const env = {
    EVAL_MCQ: join(folder, 'q.csv'),
    EVAL_AGENT: `module:${join(folder, 'agent.mjs')}`,
    EVAL_SHUFFLE_CHOICES: '3',
  };
  return { ...(await runVitest(['run', 'evals/mcq'], env)), env };
}
