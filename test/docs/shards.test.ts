import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { runShell } from '../run-shell.ts';
import { findBlocks } from './markdown.ts';

const page = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');

/** The block of the page that has this text. */
function blockWith(text: string): string {
  const found = findBlocks(page).filter((block) => block.text.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} blocks of the page have ${text}.`);
  return found[0]?.text ?? '';
}

/**
 * What the shell of a machine would start. Programs that print their words and EVAL_DIR stand in.
 */
async function listStarts(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const say = `#!/bin/sh\necho "\${EVAL_DIR:-.evals} $*"\n`;
  const bin = makeFolder({ npx: say, npm: '#!/bin/sh\n' });
  for (const name of ['npx', 'npm']) chmodSync(join(bin, name), 0o755);
  const runs = ['runs/a', 'runs/b', 'shard-1/runs/c', 'shard-2/runs/d'];
  const cwd = makeFolder(
    Object.fromEntries(runs.map((run) => [`.evals/${run}/manifest.json`, ''])),
  );
  const { output } = await runShell(script, {
    cwd,
    env: { PATH: `${bin}:${process.env['PATH']}`, ...env },
  });
  return output.trim().split('\n');
}

const start = (shard: number, dir = '.evals') => `${dir} vitest run evals --shard=${shard}/4`;

const MERGE = ['.evals viva merge .evals/runs/a .evals/runs/b'];
const MERGE_VOLUME = ['.evals viva merge .evals/shard-1/runs/c .evals/shard-2/runs/d'];

test('GitHub: a matrix counts from 1, and the report gets what the shards keep', async () => {
  const { shard, report } = parse(blockWith('fail-fast')).jobs;
  expect(shard.strategy.matrix.shard).toEqual([1, 2, 3, 4]);
  const [run, upload] = shard.steps;
  expect(await listStarts(run.run, { SHARD: '4' })).toEqual([start(4)]);
  const [download, merge] = report.steps;
  const whole = readFileSync(join(ROOT, '.github/workflows/evals.yml'), 'utf8');
  for (const step of [upload, download]) expect(whole).toContain(step.uses);
  expect([upload.with.path, upload.with['include-hidden-files']]).toEqual(['.evals/runs', true]);
  expect([report.needs, download.with]).toEqual([
    'shard',
    { pattern: 'evals-shard-*', path: '.evals/runs', 'merge-multiple': true },
  ]);
  expect(await listStarts(merge.run, {})).toEqual(MERGE);
});

test('GitLab: the parallel jobs count from 1, and the report gets what they keep', async () => {
  const { shard, report } = parse(blockWith('parallel: 4'));
  expect(
    await listStarts(shard.script.join('\n'), { CI_NODE_INDEX: '4', CI_NODE_TOTAL: '4' }),
  ).toEqual([start(4)]);
  expect(shard.artifacts).toMatchObject({ when: 'always', paths: ['.evals/runs'] });
  expect(report).toMatchObject({ needs: ['shard'], when: 'always' });
  expect(await listStarts(report.script.join('\n'), {})).toEqual(MERGE);
});

test('Kubernetes: the index counts from 0, and each shard has its folder on the volume', async () => {
  const { spec } = parse(blockWith('completionMode'));
  const [{ args, command, workingDir, volumeMounts }] = spec.template.spec.containers;
  expect([spec.completionMode, spec.completions, command]).toEqual(['Indexed', 4, ['sh', '-c']]);
  expect(volumeMounts[0].mountPath).toBe(`${workingDir}/.evals`);
  for (const index of [0, 3]) {
    const starts = await listStarts(args.join('\n'), { JOB_COMPLETION_INDEX: `${index}` });
    expect(starts).toEqual([start(index + 1, `.evals/shard-${index + 1}`)]);
  }
  const merge = blockWith('#SBATCH --job-name=evals-merge');
  const [last = ''] = merge.trim().split('\n').slice(-1);
  expect(findBlocks(page).map(({ text }) => text.trim())).toContain(last);
  expect(await listStarts(last, {})).toEqual(MERGE_VOLUME);
});

test('Slurm: the array counts from 1', async () => {
  const batch = blockWith('#SBATCH --array=1-4\n');
  expect(await listStarts(batch, { SLURM_ARRAY_TASK_ID: '4' })).toEqual([
    start(4, '.evals/shard-4'),
  ]);
  expect(await listStarts(blockWith('#SBATCH --job-name=evals-merge'), {})).toEqual(MERGE_VOLUME);
});
