import { cpSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { type FixtureRecord, writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const records: readonly FixtureRecord[] = Array.from({ length: 22 }, (_, index) => ({
  id: `q${index}`,
  level: index < 9 ? 1 : index < 17 ? 2 : 3,
  latencyMs: 100 * (index + 1),
  ...(index === 5 ? {} : { output: `FINAL ANSWER: ${index % 3 === 0 ? 18 : 17}` }),
}));

type Shards = { readonly dir: string; readonly blobs: string; readonly env: Readonly<Record<string, string>> };

/** Runs some shards of the fixture, each with its own blob, into one folder of runs. */
async function runShards(
  count: number,
  indices: readonly number[],
  env: Readonly<Record<string, string>>,
): Promise<Shards> {
  const [dir, blobs] = [makeFolder(), makeFolder()];
  for (const index of indices) await runShard({ dir, blobs, env }, index, count);
  return { dir, blobs, env };
}

function runShard({ dir, blobs, env }: Shards, index: number, count: number, name = `${index}`) {
  const args = [
    'run',
    'evals/gaia',
    `--shard=${index}/${count}`,
    '--reporter=blob',
    `--outputFile=${join(blobs, name)}.json`,
  ];
  return runVitest(args, { ...env, EVAL_DIR: dir });
}

/** Merges blobs; gives the run and the run folder that it made. */
async function merge({ dir, blobs, env }: Shards) {
  const run = await runVitest(['run', `--merge-reports=${blobs}`], { ...env, EVAL_DIR: dir, EVAL_MIN_ACCURACY: '0.6' });
  return { ...run, folder: join(dir, readlinkSync(join(dir, 'latest'))) };
}

describe('shards', () => {
  test('merge to the figures and files of one run', async () => {
    const { env } = writeGaiaFixture(records);
    const whole = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MIN_ACCURACY: '0.6' });
    const shards = await runShards(4, [1, 2, 3, 4], env);
    const sizes = readdirSync(join(shards.dir, 'runs')).map((name) => readRows(join(shards.dir, 'runs', name)).length);
    expect(sizes.toSorted()).toEqual([5, 5, 6, 6]);
    const merged = await merge(shards);
    expect(merged.code).toBe(whole.code);
    const wholeFolder = runFolderOf(whole.dir);
    expect(readSummary(merged.folder)).toEqual(readSummary(wholeFolder));
    for (const file of ['answers.csv', 'submission.jsonl']) {
      const [one, other] = [merged.folder, wholeFolder].map((folder) => readFileSync(join(folder, file), 'utf8'));
      expect(one?.split('\n').toSorted()).toEqual(other?.split('\n').toSorted());
    }
  });

  test('may be more than the records', async () => {
    const { env } = writeGaiaFixture(records.slice(0, 2));
    const shards = await runShards(4, [1, 2, 3, 4], env);
    expect(readSummary((await merge(shards)).folder).suites[0]?.groups.at(-1)).toMatchObject({ n: 2 });
  });

  test('leave the judgement to the merge', async () => {
    const { env } = writeGaiaFixture(records);
    const [dir, blobs] = [makeFolder(), makeFolder()];
    const run = await runShard({ dir, blobs, env }, 1, 2);
    expect(run.code).toBe(0);
    expect(run.report).toContain('exit 0: the shard is complete; gates are judged by --merge-reports');
  });

  test('of which one is missing give no accuracy', async () => {
    const { env } = writeGaiaFixture(records);
    const merged = await merge(await runShards(4, [1, 2, 4], env));
    expect(merged.code).toBe(1);
    expect(merged.report).toMatch(/NOT COMPLETE: [56] of 22 results were not run/);
    expect(readSummary(merged.folder).suites[0]?.groups.at(-1)).toMatchObject({ n: 22, accuracy: null });
  });

  test('of which one is doubled are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const shards = await runShards(2, [1, 2], env);
    cpSync(join(shards.blobs, '1.json'), join(shards.blobs, '3.json'));
    const merged = await merge(shards);
    expect(merged.code).toBe(1);
    expect(merged.report).toContain('a shard is there twice');
  });

  test('of another dataset are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const other = writeGaiaFixture([...records.slice(0, 21), { id: 'q21', level: 3, truth: '99', output: '17' }]);
    const shards = await runShards(2, [1], env);
    await runShard({ ...shards, env: other.env }, 2, 2);
    const merged = await merge(shards);
    expect(merged.code).toBe(1);
    expect(merged.report).toContain('shards of gaia differ in dataset_hash');
  });

  test('whose run folder was not copied are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const shards = await runShards(2, [1, 2], env);
    const [first] = readdirSync(join(shards.dir, 'runs')).toSorted();
    rmSync(join(shards.dir, 'runs', first ?? ''), { recursive: true });
    const merged = await merge(shards);
    expect(merged.code).toBe(1);
    expect(merged.report).toContain('the run folder of a shard is not there');
  });
});
