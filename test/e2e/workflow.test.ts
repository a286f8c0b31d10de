import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findBlocks } from '../docs/markdown.ts';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { ROOT, readSummary } from './run-vitest.ts';
import { type Job, runJob, type Workflow } from './run-workflow.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const text = readFileSync(join(ROOT, '.github/workflows/evals.yml'), 'utf8');
const workflow: Workflow = parse(text);
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);

function jobOf(name: string): Job {
  const job = workflow.jobs[name];
  if (job !== undefined) return job;
  throw new Error(
    `The workflow has no job ${JSON.stringify(name)}, only ${Object.keys(workflow.jobs).join(', ')}.`,
  );
}

const VALUES = {
  'inputs.agent': '',
  'github.run_id': '77',
  'github.run_attempt': '1',
  'secrets.OPENAI_API_KEY': '',
  'secrets.ANTHROPIC_API_KEY': '',
  'inputs.pull_request': '7',
  'github.token': 'job-token-1',
};

/** Stands for GitHub's `gh`: it writes down its token, its words and the text that it would post. */
const GH = `#!/bin/sh
echo "$GH_TOKEN $*" >>"$GH_CALLS"
while [ "$1" != --body-file ]; do shift; done
cat "$2" >>"$GH_CALLS"
`;

const GH_CALL = 'job-token-1 pr comment 7 --edit-last --create-if-none --body-file comment.md';

/** The environment in which `gh` is found, and the file of its calls. */
function makeGh() {
  const bin = makeFolder({ gh: GH, calls: '' });
  chmodSync(join(bin, 'gh'), 0o755);
  const GH_CALLS = join(bin, 'calls');
  const calls = () => readFileSync(GH_CALLS, 'utf8');
  return { env: { PATH: `${bin}:${process.env['PATH']}`, GH_CALLS }, calls };
}

/** Says of each sample what its committed prediction says, and writes down that it was asked. */
const AGENT = `import { appendFileSync, readFileSync } from 'node:fs';
const lines = ['gaia', 'mcq'].flatMap((suite) =>
  readFileSync('evals/' + suite + '/sample/predictions.jsonl', 'utf8').trim().split('\\n'),
);
const said = new Map(lines.map((line) => JSON.parse(line)).map(({ task_id, id, output }) => [task_id ?? id, output]));
export default ({ id }) => {
  appendFileSync(new URL('calls', import.meta.url), id + ' ');
  return said.get(id) ?? '';
};`;

describe('the workflow', () => {
  test('asks nothing twice, and merges its shards to one run', async () => {
    const folder = makeFolder({ 'agent.mjs': AGENT, calls: '' });
    const place = { artifacts: makeFolder(), caches: makeFolder(), env: {} };
    const shard = async (number: string, attempt: string) => {
      const inputs = {
        'inputs.agent': `module:${folder}/agent.mjs`,
        'github.run_attempt': attempt,
      };
      const values = { ...VALUES, ...inputs, 'matrix.shard': number, 'strategy.job-total': '2' };
      const [run] = await runJob(workflow, jobOf('shard'), {
        ...place,
        values,
        cwd: copyProject(),
      });
      return [run?.code, /(?:exit 0|gate \w+): [\w ]+/i.exec(run?.output ?? '')?.[0]];
    };
    const complete = [0, 'exit 0: the shard is complete'];
    // A second attempt finds the answers of the first one.
    for (const [number, attempt] of [
      ['1', '1'],
      ['1', '2'],
      ['2', '1'],
    ] as const)
      expect(await shard(number, attempt)).toEqual(complete);
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split(' ');
    expect([calls.length, new Set(calls).size]).toEqual([78, 78]);
    expect(readdirSync(place.caches)).toEqual([
      'evals-77-shard-1-attempt-1',
      'evals-77-shard-1-attempt-2',
      'evals-77-shard-2-attempt-1',
    ]);

    const cwd = copyProject();
    const gh = makeGh();
    const page = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'page.md') };
    const env = { ...gh.env, ...page };
    const merge = await runJob(workflow, jobOf('merge'), { ...place, cwd, values: VALUES, env });
    expect(merge.map(({ name, code }) => [name, code])).toEqual([
      ['Merge and judge the gates', 0],
      ['Comment on the pull request', 0],
    ]);
    expect(gh.calls()).toMatch(new RegExp(`^${GH_CALL}\nNot compared .+\n\n# Evaluation\n`));
    expect(merge[0]?.output).toContain('exit 0: all 2 gates hold');
    // GitHub replaces the artifact of a first attempt, which is still here: the newest run counts.
    expect(merge[0]?.output).toMatch(/^shard 1 of 2: .+ counts; left out .+-1-of-2$/m);
    const merged = join(cwd, '.evals/latest');
    // The README shows the figures of a whole run.
    const figures = readSummary(merged).suites.flatMap(({ groups }) =>
      groups.map(({ group, n, states }) => [group, n, states.correct]),
    );
    const table = [...readme.matchAll(/^ {2}(\S.*?) +(\d+) +(\d+) +[\d.]+ % /gm)];
    expect(figures).toEqual(
      table.slice(0, 8).map(([, group, n, correct]) => [group, Number(n), Number(correct)]),
    );
    expect(readFileSync(join(cwd, 'page.md'), 'utf8').trim()).toBe(
      readFileSync(join(merged, 'summary.md'), 'utf8').trim(),
    );
  });

  test('ends a run before its job, and its job before GitHub does, and keeps what there is then', () => {
    const shard = jobOf('shard');
    const [, minutes] =
      /^timeout (\d+)m /.exec(shard.steps.find(({ name }) => name?.startsWith('Run'))?.run ?? '') ??
      [];
    const limits = [Number(minutes), shard['timeout-minutes'] ?? Number.NaN, 360];
    expect(limits).toEqual(limits.toSorted((a, b) => a - b));
    const keeping = steps.filter(({ name }) => name?.startsWith('Keep'));
    expect(keeping).toHaveLength(3);
    for (const step of keeping) expect(step.if).toMatch(/^\$\{\{ always\(\)/);
  });

  test('pins each action to a commit and says which version that is', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, reference]) => reference);
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const reference of uses)
      expect(reference).toMatch(/^[\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  test.each([
    ['the workflow has no permission', workflow.permissions, {}],
    [
      'its jobs may read the code, and the last one may comment',
      jobs.map(([, { permissions }]) => permissions),
      [{ contents: 'read' }, { contents: 'read', 'pull-requests': 'write' }],
    ],
    [
      'checkouts, which agents see, have no credentials',
      checkouts.map((step) => step.with?.['persist-credentials']),
      [false, false],
    ],
    [
      'no command has an expression, which a shell would read as its own',
      steps.filter(({ run = '' }) => run.includes('${{')),
      [],
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test('installs as the README says', () => {
    const installs = steps.filter(({ name }) => name === 'Install').map(({ run = '' }) => run);
    expect(installs).toHaveLength(2);
    for (const run of installs) expect(readme).toContain(run.replace(' --frozen-lockfile', ''));
  });
});

test('the workflow of docs/ci.md says on a pull request what changed against main', async () => {
  const page = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
  const yaml =
    findBlocks(page).find(({ text: block }) => block.includes('viva comment'))?.text ?? '';
  const answers = (place: number) =>
    `const answer = ({ choices = {} }) => ({ output: Object.keys(choices).at(${place}) ?? '', costUsd: 0.01 });
    export default { answer, priced: true };`;
  const agents = makeFolder({ 'first.mjs': answers(0), 'last.mjs': answers(-1) });
  const gh = makeGh();
  const place = { artifacts: makeFolder(), caches: makeFolder(), env: gh.env };
  const values = {
    'github.sha': 'a1',
    'github.token': 'job-token-1',
    'github.event.number': '7',
    'secrets.OPENAI_API_KEY': '',
  };
  const runOn = async (branch: 'main' | 'pull', agent: string) => {
    const here = yaml
      .replaceAll('npx ', 'pnpm --silent ')
      .replace('openai:MODEL', `module:${agents}/${agent}.mjs`);
    const filled: Workflow = parse(here);
    const [job = { steps: [] }] = Object.values(filled.jobs);
    const others = branch === 'main' ? 'pull_request' : 'refs/heads/main';
    const steps = job.steps.filter((step) => step.if?.includes(others) !== true);
    const runs = await runJob(filled, { ...job, steps }, { ...place, values, cwd: copyProject() });
    return { filled, runs, steps };
  };
  await runOn('main', 'first');
  expect(gh.calls()).toBe('');
  const { filled, runs, steps: taken } = await runOn('pull', 'last');
  expect(runs.at(-1)).toMatchObject({ name: 'Comment on the pull request', code: 0 });
  for (const line of [
    GH_CALL,
    /^- difference .* p = 0\.\d+: /m,
    /^- fixed \d+:/m,
    /^\| all \| 48 .* \$0\.48 \|$/m,
  ])
    expect(gh.calls()).toMatch(line);
  expect(filled.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  expect(
    taken.filter((step) => step.env !== undefined).map((step) => [step.name, step.env]),
  ).toEqual([
    [
      'Comment on the pull request',
      {
        GH_TOKEN: `$${'{{ github.token }}'}`,
        PULL_REQUEST: `$${'{{ github.event.number }}'}`,
      },
    ],
  ]);
});
