import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluatePastRun } from '../../reporters/past-run.ts';
import { writeRunFiles } from '../../reporters/publish-run.ts';
import { startGithub, writeEvent } from '../../test/fake-github.ts';
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

const MARK = '<!-- viva my%20--%3E%20evals evals -->';

describe('viva comment', () => {
  test('writes the table, the paired test, the flips and the cost, without answers', async () => {
    const { comments, env } = await startGithub();
    const { code, output } = await runViva(['comment', makeFinished('++++++-', '------+')], env);
    expect([code, output]).toEqual([0, 'wrote https://github.test/octo/own/pull/7#issuecomment-1']);
    const [{ body } = { body: '' }] = comments;
    expect(body.split('\n').slice(0, 4)).toEqual([
      MARK,
      'Commit 0123456, [page of the job](https://github.test/octo/own/actions/runs/99).',
      '',
      '# Evaluation',
    ]);
    for (const said of [
      '| all | 7 | 6 | 85.7 % |',
      ' | $0.70 |',
      'p = 0.13: within noise',
      'broken 1: q7',
      'fixed 6: q1',
    ])
      expect(body).toContain(said);
    expect(body).not.toMatch(/truth|text ->/);
  });

  test('updates its comment, also on the second page, and leaves those of people, other bots and other jobs', async () => {
    const { comments, calls, env } = await startGithub();
    for (let id = 1; id <= 120; id++)
      comments.push({ id, body: 'well done', user: { type: 'User' } });
    comments.push({ id: 121, body: `${MARK}\nforged`, user: { type: 'User' } });
    comments.push({ id: 122, body: `> ${MARK}`, user: { type: 'Bot' } });
    const folder = makeFinished('+-');
    for (const job of ['other', 'evals', 'evals'])
      await runViva(['comment', folder], { ...env, GITHUB_JOB: job });
    const written = comments.filter(({ body }) => body.includes('| all | 2 |'));
    expect(written.map(({ id, body }) => [id, body.split('\n')[0]])).toEqual([
      [123, MARK.replace('evals -->', 'other -->')],
      [124, MARK],
    ]);
    expect(calls.at(-1)).toBe('PATCH /repos/octo/own/issues/comments/124');
  });

  test('cuts what GitHub would refuse at a line, and says where the rest is', async () => {
    const { comments, env } = await startGithub();
    const folder = makeFinished('+');
    const lines = Array.from({ length: 4000 }, (_, index) => `- line ${index} 👩‍👩‍👧‍👦`);
    writeFileSync(join(folder, 'summary.md'), ['# Evaluation', '', ...lines].join('\n'));
    await runViva(['comment', folder], env);
    const { body = '' } = comments[0] ?? {};
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body.length).toBeGreaterThan(65_400);
    expect(lines).toContain(body.split('\n').at(-1));
    expect(body).toContain(
      '[page of the job](https://github.test/octo/own/actions/runs/99), which has all of it',
    );
  });

  test('shows hostile names harmlessly: nobody is mentioned, nothing is markup', async () => {
    const { comments, env } = await startGithub();
    const hostile =
      '@octocat octo/own#12 GH-3 <img src=x> ![x](https://evil.test) | `@octocat` --> \n# x';
    await runViva(
      ['comment', makeFinished('+-', '-+', { agent: hostile, group: hostile, dataset: hostile })],
      env,
    );
    const [, ...lines] = comments[0]?.body.split('\n') ?? [];
    const text = lines.join('\n');
    expect(text).toContain(
      '&#8203;octocat octo/own\\#&#8203;12 GH-&#8203;3 &lt;img src=x&gt; \\!\\[x\\]',
    );
    expect(text).not.toMatch(/@octocat|#12|GH-3|<|\n# x|(?<!\\)`@|https?:\/\/evil/);
  });

  test.each([
    [
      { status: 403, message: 'Resource not accessible by integration' },
      '403: "Resource not accessible by integration". Give the job "permissions:',
    ],
    [
      { status: 403, message: 'x', headers: { 'x-ratelimit-remaining': '0' } },
      '403: "x". Run the job again',
    ],
    [
      { status: 502, message: 'not job-token-1\u001b[2J' },
      'GitHub wrote no comment: 502: "not [key]\\u001b[2J". Run the job again later. Its page has the table.',
    ],
  ])('fails where GitHub refuses (%j)', async (refusal, said) => {
    const { comments, env } = await startGithub((method) => (method === 'POST' ? refusal : null));
    const { code, output } = await runViva(['comment', makeFinished('+')], env);
    expect([code, output, comments]).toEqual([1, expect.stringContaining(said), []]);
  });

  const FORK =
    'No comment: the token of a pull request from a fork may not write one. The page of the job has the table.';
  const NOT_OF_A_PULL = 'This job has no pull request: there is nothing to comment on.';
  test.each([
    [{ number: 7, head: { repo: { full_name: 'stranger/own' } } }, FORK],
    [{ number: 7, head: { repo: null } }, FORK],
    [undefined, NOT_OF_A_PULL],
  ])('fails no job that cannot have a comment (%j)', async (pull, said) => {
    const { env } = await startGithub((method) =>
      method === 'POST' ? { status: 403, message: 'Resource' } : null,
    );
    const run = await runViva(['comment', makeFinished('+')], {
      ...env,
      GITHUB_EVENT_PATH: writeEvent(pull),
    });
    expect(run).toMatchObject({ code: 0, output: said });
  });

  test.each([
    [
      { GITHUB_EVENT_PATH: '' },
      'GITHUB_EVENT_PATH is not set. Run this in a job of GitHub Actions',
    ],
    [{ EVAL_DIR: '/nowhere' }, 'got "latest"'],
  ])('refuses a job with %j, and asks GitHub nothing', async (own, said) => {
    const { calls, env } = await startGithub();
    const { code, output } = await runViva(['comment'], { ...env, ...own });
    expect([code, output, calls]).toEqual([1, expect.stringContaining(said), []]);
  });
});
