import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluatePastRun } from '../../reporters/past-run.ts';
import { writeRunFiles } from '../../reporters/publish-run.ts';
import { makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { compareRuns, readComparedRun } from '../figures/compare-runs.ts';
import { toRun } from '../figures/result.fixture.ts';

/** A finished run, compared with one of these marks. */
function makeFinished(marks: string, base: string | null = null, fields = {}): string {
  const folder = makeRun(toRun(marks, { cost_usd: 0.1, ...fields }));
  const outcome = evaluatePastRun(folder, { ci: true });
  const baseline =
    base === null ? null : readComparedRun(makeRun(toRun(base, fields), { name: 'base' }));
  const comparison = baseline === null ? null : compareRuns(baseline, readComparedRun(folder));
  writeRunFiles({ ...outcome, comparison });
  return folder;
}

const JOB = {
  GITHUB_SERVER_URL: 'https://github.test',
  GITHUB_REPOSITORY: 'octo/own',
  GITHUB_RUN_ID: '99',
};
const PAGE = 'the [page of the job](https://github.test/octo/own/actions/runs/99)';
const NOT_COMPARED = 'Not compared with an earlier run: `EVAL_BASELINE` is not set.';

describe('viva comment', () => {
  test('prints the table, the paired test, the flips and the cost, without answers', async () => {
    const { code, output } = await runViva(['comment', makeFinished('++++++-', '------+')], JOB);
    expect(code).toBe(0);
    expect(output.split('\n').slice(0, 3)).toEqual([`See ${PAGE}.`, '', '# Evaluation']);
    for (const said of [
      '| all | 7 | 6 | 85.7 % |',
      ' | $0.70 |',
      'p = 0.13: within noise',
      'broken 1: q7',
      'fixed 6: q1',
    ])
      expect(output).toContain(said);
    expect(output).not.toMatch(/truth|text ->/);
  });

  test.each([
    ['on GitHub', JOB, [`See ${PAGE}.`, '', NOT_COMPARED]],
    [
      'on GitLab',
      { CI_JOB_URL: 'https://gitlab.test/-/jobs/1' },
      ['See the [page of the job](https://gitlab.test/-/jobs/1).', '', NOT_COMPARED],
    ],
    ['where GitHub says but a part', { GITHUB_RUN_ID: '99' }, [NOT_COMPARED, '', '# Evaluation']],
    ['elsewhere', {}, [NOT_COMPARED, '', '# Evaluation']],
  ])('links the page of the job, and says that nothing was compared: %s', async (_, env, lines) => {
    const { output } = await runViva(['comment', makeFinished('+')], env);
    expect(output.split('\n').slice(0, 3)).toEqual(lines);
  });

  test.each([
    ['with a job', JOB, PAGE],
    ['without one', {}, 'summary.md of the run'],
  ])(
    'cuts what GitHub would refuse at a line, and says where the rest is: %s',
    async (_, env, place) => {
      const folder = makeFinished('+');
      const lines = Array.from({ length: 4000 }, (_, index) => `- line ${index} 👩‍👩‍👧‍👦`);
      writeFileSync(join(folder, 'summary.md'), ['# Evaluation', '', ...lines].join('\n'));
      const { output } = await runViva(['comment', folder], env);
      expect(output.length).toBeLessThanOrEqual(65_536);
      expect(output.length).toBeGreaterThan(65_400);
      expect(lines).toContain(output.trimEnd().split('\n').at(-1));
      expect(output).toContain(`This is the beginning: ${place} has all of it.`);
    },
  );

  test('cuts a line of more than a comment inside it', async () => {
    const folder = makeFinished('+');
    writeFileSync(join(folder, 'summary.md'), 'x'.repeat(70_000));
    const { output } = await runViva(['comment', folder]);
    expect(output.length).toBeLessThanOrEqual(65_536);
    expect(output).toMatch(/x{60000}\n$/);
  });

  test('shows hostile names harmlessly: nobody is mentioned, nothing is markup', async () => {
    const hostile =
      '@octocat octo/own#12 GH-3 <img src=x> ![x](https://evil.test) | `@octocat` --> \n# x';
    const fields = { agent: hostile, group: hostile, dataset: hostile };
    const { output } = await runViva(['comment', makeFinished('+-', '-+', fields)]);
    expect(output).toContain(
      '&#8203;octocat octo/own\\#&#8203;12 GH-&#8203;3 &lt;img src=x&gt; \\!\\[x\\]',
    );
    expect(output).not.toMatch(/@octocat|#12|GH-3|<|\n# x|(?<!\\)`@|https?:\/\/evil/);
  });

  test('an edited summary steers neither a terminal nor a CI log', async () => {
    const folder = makeFinished('+');
    writeFileSync(join(folder, 'summary.md'), 'a\u001b[2J\n::error::b\n');
    const { output } = await runViva(['comment', folder], {}, true);
    expect(output).toMatch(/a\\u001b\[2J\n\\::error::b\n$/);
  });

  test('refuses where there is no run', async () => {
    const { code, output } = await runViva(['comment'], { EVAL_DIR: '/nowhere' });
    expect([code, output]).toEqual([1, expect.stringContaining('got "latest"')]);
  });
});
