import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shardSamples } from '../../src/datasets/selection.ts';
import { readSelection } from '../../src/store/manifest.ts';
import type { Sample } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';
import { runScript } from './run-script.ts';
import { readRows, readSummary, runFolderOf, runVitest, type VitestRun } from './run-vitest.ts';

const ids = Array.from({ length: 8 }, (_, index) => `q${index}`);
const group = 'level 1';
const samples = ids.map(
  (id): Sample => ({ id, suite: 'scripted', input: '', target: '17', group, attachments: [], metadata: {} }),
);
const [first = '', ...slow] = shardSamples(samples, { index: 1, count: 2 }).map(({ id }) => id);

/** Five questions, four of them of the second shard, are answered at once; the others are under way when a signal comes. */
const script = ids.map((id) => ({ id, group, say: '17', ...(slow.includes(id) ? { afterMs: 25_000 } : {}) }));
const gates = [{ suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5 }];

function expectStopped(run: VitestRun, said: string): void {
  const { complete, suites } = readSummary(join(run.dir, 'latest'));
  expect(complete).toBe(false);
  const states = { correct: 5, not_run: 3 };
  expect(suites[0]?.groups.at(-1)).toMatchObject({ n: 8, accuracy: null, bounds: [5 / 8, 1], states });
  expect(run.output.trimEnd().split('\n').at(-1)).toContain(said);
  expect(run.output).not.toMatch(/gates? holds?|\[object/);
}

test('SIGTERM ends a run of what a tag picks, which reports what was answered of that', async () => {
  const args = ['run', 'evals', '--tags-filter=level1'];
  const other = { id: 'other', group: 'level 2', say: '17' };
  const run = await runScript([...script, other], { args, gates, interrupt: { signal: 'SIGTERM', afterRows: 5 } });
  expectStopped(run, '  exit 143: the run was interrupted; 3 missing results (interrupted 3), the first: scripted');
  expect(run.code).toBe(143);
});

test('Ctrl-C ends one of two shards, and the merge reports what a whole run would', async () => {
  const dir = makeFolder();
  const runShard = (index: number) => {
    const args = ['run', 'evals', `--shard=${index}/2`, '--reporter=blob', `--outputFile=${dir}/blobs/${index}.json`];
    return { args, gates, env: { EVAL_DIR: dir } };
  };
  await runScript(script, { ...runShard(1), interrupt: { signal: 'SIGINT', afterRows: 1 } });
  expect(readSelection(runFolderOf(dir))).toMatchObject({ stopped: 'interrupted' });
  expect(readRows(runFolderOf(dir)).map(({ id }) => id)).toEqual([first]);
  expect((await runScript(script, runShard(2))).code).toBe(0);
  const merged = await runScript([], { gates, args: ['run', `--merge-reports=${dir}/blobs`], env: { EVAL_DIR: dir } });
  expectStopped(merged, '3 missing results (interrupted 3), the first: scripted');
  expect(merged.code).toBe(1);
  expect(merged.report).toContain('shard 1 of 2 left no report');
});

test('--bail leaves no complete run, and the wrong answer that ended it is a row', async () => {
  const run = await runVitest(['run', 'evals', '--bail=1']);
  expect(run.code).toBe(1);
  expect(readSummary(runFolderOf(run.dir)).complete).toBe(false);
  expect(readRows(runFolderOf(run.dir)).map(({ state }) => state)).toContain('incorrect');
  expect(run.report).not.toContain('OUTSIDE THE ANSWERS: Q');
});
