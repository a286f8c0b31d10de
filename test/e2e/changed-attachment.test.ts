import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readRows, runVitest } from './run-vitest.ts';
import { watchVitest } from './watch-vitest.ts';

/** A GAIA folder with two questions, each on a text file that says its truth, and an agent that says what it reads. */
function makeDataset() {
  const record = (id: string, truth: string) =>
    `${JSON.stringify({ task_id: id, Question: `${id}?`, Level: 1, 'Final answer': truth, file_name: `${id}.txt` })}\n`;
  const folder = makeFolder({
    '2023/validation/metadata.jsonl': record('a', '17') + record('b', '19'),
    '2023/validation/a.txt': '17',
    '2023/validation/b.txt': '18',
    'once.txt': '',
  });
  const b = join(folder, '2023/validation/b.txt');
  const agent = join(makeFolder(), 'agent.mjs');
  writeFileSync(
    agent,
    `import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const [once, b] = ${JSON.stringify([join(folder, 'once.txt'), b])};
export default ({ attachments: [file] }) => {
  if (existsSync(once)) {
    rmSync(once);
    writeFileSync(b, '19');
  }
  return readFileSync(file.path, 'utf8');
};`,
  );
  const env = { EVAL_GAIA: folder, EVAL_AGENT: `module:${agent}`, EVAL_CONCURRENCY: '1', EVAL_DIR: makeFolder() };
  return { b, env };
}

test('an attachment that is edited during a run is not asked about, and is asked about by the next run', async () => {
  const { env } = makeDataset();
  const read = () => readRows(join(env.EVAL_DIR, 'latest')).toSorted((x, y) => x.id.localeCompare(y.id));
  const first = await runVitest(['run', 'evals/gaia'], env);
  expect(read(), first.output).toMatchObject([
    { id: 'a', state: 'correct' },
    { id: 'b', state: 'errored', reason: 'machine', output: null, cached: false },
  ]);
  expect(first.output).toContain('The attachment "b.txt" was changed while the run went on');
  await runVitest(['run', 'evals/gaia'], env);
  expect(read()).toMatchObject([
    { id: 'a', state: 'correct', cached: true },
    { id: 'b', state: 'correct', cached: false, output: '19' },
  ]);
});

test('an attachment that is edited in watch mode is asked about as it is now', async () => {
  const { b, env } = makeDataset();
  const watch = watchVitest(['evals/gaia'], { ...env, EVAL_LIMIT: '5', EVAL_IDS: 'b' });
  // The agent's own edit of the file, on its first call, is a change too.
  await watch.nextReport();
  writeFileSync(b, '20');
  await expect.poll(() => readRows(join(env.EVAL_DIR, 'latest')).at(-1)?.output, { timeout: 20_000 }).toBe('20');
  writeFileSync(b, '19');
  await expect.poll(() => readRows(join(env.EVAL_DIR, 'latest')).at(-1)?.output, { timeout: 20_000 }).toBe('19');
});
