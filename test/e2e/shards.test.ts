import { cpSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest } from '../../src/store/manifest.ts';
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
  narrow: readonly string[] = [],
): Promise<Shards> {
  const [dir, blobs] = [makeFolder(), makeFolder()];
  for (const index of indices) await runShard({ dir, blobs, env }, index, count, narrow);
  return { dir, blobs, env };
}

function runShard({ dir, blobs, env }: Shards, index: number, count: number, narrow: readonly string[] = []) {
  const args = [
    'run',
    'evals/gaia',
    `--shard=${index}/${count}`,
    '--reporter=blob',
    `--outputFile=${join(blobs, `${index}-${count}`)}.json`,
    ...narrow,
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
      expect(one).toBe(other);
    }
    const ids = readFileSync(join(merged.folder, 'answers.csv'), 'utf8').match(/^q\d+/gm);
    expect(ids).toEqual(records.map(({ id }) => id));
  });

  test.each([['-t', 'level 1'], ['--tags-filter=level2']])(
    'narrowed by %s merge to the figures of such a run',
    async (...narrow) => {
      const { env } = writeGaiaFixture(records);
      const [dir, blobs] = [makeFolder(), makeFolder()];
      const blob = ['--reporter=blob', `--outputFile=${join(blobs, 'whole.json')}`];
      const settings = { ...env, EVAL_DIR: dir, EVAL_MIN_ACCURACY: '0.6' };
      const whole = await runVitest(['run', 'evals/gaia', ...narrow, ...blob], settings);
      const summary = readSummary(runFolderOf(dir));
      const alone = await merge({ dir, blobs, env });
      const merged = await merge(await runShards(2, [1, 2], env, narrow));
      for (const { folder } of [alone, merged]) expect(readSummary(folder)).toEqual(summary);
      for (const { report, code } of [whole, alone, merged]) {
        expect(code).toBe(whole.code);
        expect(report).toMatch(/PARTIAL: 1[34] of 22 generated tests were not picked/);
        expect(report).toMatch(/exit code left to Vitest: a run narrowed by -t, tags or --last-failed/);
      }
    },
  );

  test('narrowed by different names are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const shards = await runShards(2, [1], env, ['-t', 'level 1']);
    await runShard(shards, 2, 2, ['-t', 'level 2', '--tags-filter=level2']);
    const { code, report } = await merge(shards);
    expect(code).toBe(1);
    expect(report).toContain('shard 2 of 2 differs from shard 1 of 2 in -t ("level 2", not "level 1").');
    expect(report).toContain('in --tags-filter (["level2"], not none).');
    expect(report).toContain('exit 1: 2 errors outside the answers');
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
    expect(merged.report).toMatch(/NOT COMPLETE: [56] of 22 results were not run \(no report [56]\)/);
    expect(merged.report).toMatch(/exit 1: error outside the answers: shard 3 of 4 is missing\. Add its report and/);
    expect(readSummary(merged.folder).suites[0]?.groups.at(-1)).toMatchObject({ n: 22, accuracy: null });
  });

  test('of which one is doubled are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const shards = await runShards(2, [1, 2], env);
    cpSync(join(shards.blobs, '1-2.json'), join(shards.blobs, '3.json'));
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
    expect(merged.report).toContain('gaia: shard 2 of 2 differs from shard 1 of 2 in dataset_hash.');
  });

  test('of another agent or deadline are refused, by name', async () => {
    const { env } = writeGaiaFixture(records);
    const folder = makeFolder({ 'agent.ts': "export default () => 'FINAL ANSWER: 17';" });
    const agent = { ...env, EVAL_AGENT: `module:${join(folder, 'agent.ts')}` };
    const shards = await runShards(3, [1], agent);
    await runShard({ ...shards, env: { ...agent, EVAL_TIMEOUT: '7' } }, 2, 3);
    writeFileSync(join(folder, 'agent.ts'), "export default () => 'FINAL ANSWER: 18';");
    await runShard(shards, 3, 3);
    const merged = await merge({ ...shards, env });
    expect(merged.code).toBe(1);
    expect(merged.report).toMatch(
      /gaia: shard 2 of 3 differs from shard 1 of 3 in the deadlines in seconds of module:\S+agent\.ts \(\[\["level 1",7\],.* not \[\["level 1",180\]/,
    );
    expect(merged.report).toMatch(/gaia: shard 3 of 3 differs from shard 1 of 3 in the fingerprint \(code, model/);
    expect(basename(merged.folder)).toMatch(/^\d{8}T\d{6}Z-module-.*agent\.ts$/);
    expect(readManifest(merged.folder)).toMatchObject({
      config: { agents: [{ kind: 'module' }], trials: 1 },
      suites: [{ shard: null, trials: 1 }],
      merged_from: [/-shard-1-of-3$/, /-shard-2-of-3$/, /-shard-3-of-3$/].map((name) => expect.stringMatching(name)),
    });
  });

  test('of other predictions are refused', async () => {
    const { env, predictions } = writeGaiaFixture(records);
    const shards = await runShards(2, [1], env);
    writeFileSync(predictions, readFileSync(predictions, 'utf8').replace('FINAL ANSWER: 18', 'FINAL ANSWER: 19'));
    await runShard(shards, 2, 2);
    const merged = await merge(shards);
    expect(merged.code).toBe(1);
    expect(merged.report).toMatch(/shard 2 of 2 differs from shard 1 of 2 in the predictions of replay:/);
  });

  test('of different splits are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const shards = await runShards(3, [1], env);
    await runShard(shards, 2, 4);
    const merged = await merge(shards);
    expect(merged.code).toBe(1);
    expect(merged.report).toMatch(/shard \d of \d beside shard \d of \d: shards of different splits\./);
  });

  test('whose run folder was not copied are refused', async () => {
    const { env } = writeGaiaFixture(records);
    const shards = await runShards(2, [1, 2], env);
    const [first] = readdirSync(join(shards.dir, 'runs')).toSorted();
    rmSync(join(shards.dir, 'runs', first ?? ''), { recursive: true });
    const merged = await merge(shards);
    expect(merged.code).toBe(1);
    expect(merged.report).toMatch(
      /exit 1: error outside the answers: the run folder of shard 1 of 2 cannot be merged:/,
    );
    expect(merged.report).toMatch(/NOT COMPLETE: 11 of 22 results were not run \(no report 11\)/);
    expect(merged.report).not.toContain('u001b');
  });
});
