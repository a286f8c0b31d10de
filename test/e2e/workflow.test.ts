import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { ROOT, readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';
import { type Job, runJob, type StepRun, type Workflow } from './run-workflow.ts';

const text = readFileSync(join(ROOT, '.github/workflows/evals.yml'), 'utf8');
const workflow: Workflow = parse(text);
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);

function jobOf(name: string): Job {
  const job = workflow.jobs[name];
  if (job !== undefined) return job;
  throw new Error(`The workflow has no job ${JSON.stringify(name)}, only ${Object.keys(workflow.jobs).join(', ')}.`);
}

const VALUES = {
  'inputs.agent': '',
  'github.run_id': '77',
  'github.run_attempt': '1',
  'secrets.OPENAI_API_KEY': '',
  'secrets.ANTHROPIC_API_KEY': '',
};

type Runs = { readonly shards: readonly StepRun[]; readonly merge: readonly StepRun[]; readonly cwd: string };

/** Runs the shards beside each other, each in a checkout of its own, then the merge in another. */
async function runAll(): Promise<Runs> {
  const [artifacts, caches] = [makeFolder(), makeFolder()];
  const numbers = jobOf('shard').strategy?.matrix['shard'] ?? [];
  const shards = numbers.map((number) => {
    const values = { ...VALUES, 'matrix.shard': `${number}`, 'strategy.job-total': `${numbers.length}` };
    return runJob(workflow, jobOf('shard'), { cwd: copyProject(), artifacts, caches, values, env: {} });
  });
  const shardRuns = (await Promise.all(shards)).flat();
  const cwd = copyProject();
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'page.md') };
  const merge = await runJob(workflow, jobOf('merge'), { cwd, artifacts, caches, values: VALUES, env });
  return { shards: shardRuns, merge, cwd };
}

describe('the workflow', () => {
  test('merges its shards to the figures of one run', { timeout: 180_000 }, async () => {
    const { shards, merge, cwd } = await runAll();
    expect(shards.map(({ code, output }) => [code, /exit 0: .*/.exec(output)?.[0]])).toEqual(
      Array(4).fill([0, 'exit 0: the shard is complete; gates are judged by --merge-reports']),
    );
    expect(merge.map(({ name, code }) => [name, code])).toEqual([['Merge and judge the gates', 0]]);
    expect(merge[0]?.output).toContain('exit 0: all 2 gates hold');
    const whole = await runVitest(['run', 'evals']);
    const merged = join(cwd, '.evals/latest');
    expect(readSummary(merged)).toEqual(readSummary(runFolderOf(whole.dir)));
    expect(readRows(merged)).toHaveLength(78);
    // Vitest's own reporter of GitHub Actions adds to the same page.
    expect(readFileSync(join(cwd, 'page.md'), 'utf8')).toContain(readFileSync(join(merged, 'summary.md'), 'utf8'));
    expect(existsSync(join(cwd, 'pnpm-lock.yaml'))).toBe(false);
  });

  test('asks nothing again that an earlier attempt of a shard has answered', { timeout: 60_000 }, async () => {
    const folder = makeFolder({ calls: '' });
    const agent = `import { appendFileSync } from 'node:fs';
      export default () => { appendFileSync(${JSON.stringify(join(folder, 'calls'))}, '.'); return '17'; };`;
    const values = {
      ...VALUES,
      'inputs.agent': `module:${join(makeFolder({ 'agent.ts': agent }), 'agent.ts')}`,
      'matrix.shard': '1',
      'strategy.job-total': '4',
    };
    const place = { artifacts: makeFolder(), caches: makeFolder(), values, env: {} };
    const calls: number[] = [];
    for (const attempt of ['1', '2']) {
      const numbered = { ...values, 'github.run_attempt': attempt };
      await runJob(workflow, jobOf('shard'), { ...place, values: numbered, cwd: copyProject() });
      calls.push(readFileSync(join(folder, 'calls'), 'utf8').length);
    }
    expect(calls[0]).toBeGreaterThan(10);
    expect(calls[1]).toBe(calls[0]);
    expect(readdirSync(place.caches)).toEqual(['evals-77-shard-1-attempt-1', 'evals-77-shard-1-attempt-2']);
  });

  test('ends a run before its job, and its job before GitHub does, and keeps what there is then', () => {
    const shard = jobOf('shard');
    const [, minutes] =
      /^timeout (\d+)m /.exec(shard.steps.find(({ name }) => name?.startsWith('Run'))?.run ?? '') ?? [];
    const limits = [Number(minutes), shard['timeout-minutes'] ?? Number.NaN, 360];
    expect(limits).toEqual(limits.toSorted((a, b) => a - b));
    const keeping = steps.filter(({ name }) => name?.startsWith('Keep'));
    expect(keeping).toHaveLength(3);
    for (const step of keeping) expect(step.if).toMatch(/^\$\{\{ always\(\)/);
  });

  test('gives itself no permission but to read the code', () => {
    expect(workflow.permissions).toEqual({});
    expect(jobs.map(([, { permissions }]) => permissions)).toEqual(jobs.map(() => ({ contents: 'read' })));
  });

  test('pins each action to a commit and says which version that is', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, reference]) => reference);
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const reference of uses)
      expect(reference).toMatch(/^[\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('leaves no credentials in the checkout that agents see', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual([false, false]);
  });

  test('puts no expression into a command, where a shell would read it as its own', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('installs as the README says', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const installs = steps.filter(({ name }) => name === 'Install').map(({ run = '' }) => run);
    expect(installs).toHaveLength(2);
    for (const run of installs) expect(readme).toContain(run.replace(' --frozen-lockfile', ''));
  });
});
