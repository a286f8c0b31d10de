import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const QUESTION =
  'Of all the wooden boxes on the third shelf of the made-up museum, how many were moved twice';

/** Returns the right answer for a and c, and shows for a and b what its search found. */
const AGENT = `export default ({ id, prompt }) => {
  const question = prompt.match(/Of all .* of them/)?.[0] ?? '';
  const result = { a: 'A copy: ' + question, b: 'task_id,Question,Level,Final answer', c: 'Results for ' + question };
  if (id === 'd') return 'FINAL ANSWER: 17';
  const query = id === 'c' ? question : 'museum';
  const call = { name: 'search', arguments: JSON.stringify({ query }), result: result[id], failed: false };
  const trace = [{ text: null, reasoning: null, tool_calls: [call], stop: null, usage: null }];
  return { output: 'FINAL ANSWER: ' + (id === 'b' ? 1 : 17), trace };
};`;

const toRecord = (id: string) => ({
  task_id: id,
  Question: `${QUESTION} by ${id} of them?`,
  Level: 1,
  'Final answer': '17',
  file_name: '',
});

test('a copy of a public benchmark that a tool showed is counted, also in cached and replayed answers', async () => {
  const records = ['a', 'b', 'c', 'd'].map((id) => `${JSON.stringify(toRecord(id))}\n`).join('');
  const folder = makeFolder({
    'agent.ts': AGENT,
    'gaia/2023/validation/metadata.jsonl': records,
    'own.jsonl': records,
  });
  const dir = makeFolder();
  const ask = (dataset: string, EVAL_AGENT: string, EVAL_DIR = dir) =>
    runVitest(['run', 'evals/gaia'], {
      EVAL_GAIA: join(folder, dataset),
      EVAL_AGENT,
      EVAL_DIR,
      EVAL_MIN_ACCURACY: '0',
      CI: '1',
    });
  const module = `module:${folder}/agent.ts`;
  const live = await ask('gaia', module);
  expect(live.code, live.output.slice(-2000)).toBe(0);
  const first = runFolderOf(dir);
  const seen = (run: string) => readRows(run).map(({ seen_copy }) => seen_copy);
  expect(seen(first)).toEqual(['text', 'page', 'none', undefined]);
  const without = { questions: 2, graded: 2, accuracy: 1 };
  const copies = { checked: 3, text: ['a'], page: ['b'], without };
  expect(readSummary(first).suites).toMatchObject([{ copies }]);
  const line =
    '2 of 4 questions were seen with a copy of their text (1) or records of the benchmark (1); without them 100.0 % (a, b)';
  expect(live.report).toContain(line);
  for (const name of ['summary.json', 'summary.md'])
    expect(readFileSync(join(first, name), 'utf8')).not.toContain('wooden boxes');

  const again = await ask('gaia', `${module},replay:${first}`, dir);
  expect(again.report.match(/2 of 4 questions were seen/g)).toHaveLength(1);
  expect(again.report).toContain('each of the 2 agents: 2 of 4 questions were seen');

  // Tools may rightly hold the texts of own questions.
  const own = makeFolder();
  await ask('own.jsonl', module, own);
  expect(seen(runFolderOf(own))).toEqual([undefined, undefined, undefined, undefined]);
});
