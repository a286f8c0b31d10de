import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { type FixtureRecord, writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, readSummary, runFolderOf } from './run-vitest.ts';
import { watchVitest } from './watch-vitest.ts';

const records: readonly FixtureRecord[] = [
  { id: 'a1', level: 1, output: 'FINAL ANSWER: 17' },
  { id: 'a2', level: 1, output: 'FINAL ANSWER: 18' },
  { id: 'b1', level: 2, output: 'FINAL ANSWER: 17' },
  { id: 'b2', level: 2 },
];

function figures(dir: string) {
  return readSummary(runFolderOf(dir)).suites[0]?.groups.map(({ group, n, accuracy }) => [group, n, accuracy]);
}

describe('watch mode', () => {
  test('keeps the totals right through edits of predictions and dataset, names and reruns of failures', async () => {
    const { env, folder, predictions } = writeGaiaFixture(records);
    const dir = makeFolder();
    const watch = watchVitest(['evals/gaia'], { ...env, EVAL_DIR: dir });
    await watch.nextReport();
    expect(figures(dir)).toEqual([
      ['level 1', 2, 0.5],
      ['level 2', 2, 0.5],
      ['all', 4, 0.5],
    ]);

    appendFileSync(predictions, '{"task_id": "b2", "output": "FINAL ANSWER: 17"}\n');
    await watch.nextReport();
    expect(figures(dir)?.at(-1)).toEqual(['all', 4, 0.75]);

    watch.press('f');
    const failed = await watch.nextReport();
    expect(figures(dir)?.at(-1)).toEqual(['all', 4, 0.75]);
    expect(failed).not.toContain('DUPLICATE');

    watch.press('t');
    await sleep(300);
    watch.press('level 2');
    await sleep(300);
    watch.press('\r');
    const narrowed = await watch.nextReport();
    expect(narrowed).toContain('This turn ran 2 tests; 2 keep their result from an earlier turn.');
    expect(figures(dir)).toEqual([
      ['level 1', 2, 0.5],
      ['level 2', 2, 1],
      ['all', 4, 0.75],
    ]);

    // The name still narrows the turn: what it leaves out belongs to the old questions and is not counted.
    const metadata = join(folder, '2023/validation/metadata.jsonl');
    writeFileSync(metadata, readFileSync(metadata, 'utf8').replaceAll('What is', 'What exactly is'));
    const edited = await watch.nextReport();
    expect(edited).toContain('PARTIAL: 2 of 4 generated tests were not picked and are not counted.');
    expect(figures(dir)).toEqual([
      ['level 2', 2, 1],
      ['all', 2, 1],
    ]);
  });

  test('never mixes the results of two prompts', async () => {
    const { env } = writeGaiaFixture(records);
    const dir = makeFolder();
    const project = copyProject();
    const watch = watchVitest(['evals/gaia'], { ...env, EVAL_DIR: dir }, project);
    await watch.nextReport();
    appendFileSync(join(project, 'evals/gaia/prompt.md'), '\nThink twice.\n');
    await watch.nextReport();
    const hashes = readRows(runFolderOf(dir)).map(({ prompt_hash }) => prompt_hash);
    expect(new Set(hashes.slice(0, 4)).size).toBe(1);
    expect(new Set(hashes.slice(4, 8)).size).toBe(1);
    expect(hashes[4]).not.toBe(hashes[0]);
    expect(figures(dir)?.at(-1)).toEqual(['all', 4, 0.5]);
  });
});
