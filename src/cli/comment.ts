import { join } from 'node:path';
import { readSummary } from '../../reporters/summary-file.ts';
import { readText } from '../data/files/read-file.ts';
import { findRun } from '../store/find-run.ts';
import { field, textField } from '../words/fields.ts';
import { redact } from '../words/secrets.ts';
import { escapeLine, quote } from '../words/show.ts';
import { causesOf, messageOf } from '../words/thrown.ts';
import {
  type Command,
  type CommandContext,
  parseWords,
  RUN_HELP,
  readRunSettings,
  UsageError,
} from './command.ts';

/**
 * `viva comment`: shows a run in one comment on its pull request, which later runs update. Asks no
 * agent.
 */
export const comment: Command = {
  summary: 'shows a run in a comment on its GitHub pull request, and updates it',
  usage: `[RUN], in a job of GitHub Actions${RUN_HELP} (the default)`,
  run: async ({ args, env, print }) => {
    const { positionals } = parseWords(args, {}, true);
    if (positionals.length > 1)
      throw new UsageError(`Expected one run, got ${positionals.length}.`);
    const job = readJob(env);
    if (job === null) {
      print('This job has no pull request: there is nothing to comment on.');
      return 0;
    }
    const folder = findRun(positionals[0] ?? 'latest', readRunSettings(env).dir, 'RUN');
    const address = await writeComment(job, toBody(folder, job));
    print(address === null ? NOT_ALLOWED : escapeLine(`wrote ${address}`));
    return 0;
  },
};

const NOT_ALLOWED =
  'No comment: the token of a pull request from a fork may not write one. The page of the job has the table.';

/** A job of GitHub Actions for a pull request. */
type Job = Readonly<{
  /** The address of the repository in the REST API. */
  api: string;
  token: string;
  number: number;
  /** Whether the pull request comes from another repository: the token may then read alone. */
  isFromFork: boolean;
  /** A hidden line by which the next run finds the comment of this job. */
  mark: string;
  /** The address of its page. */
  page: string;
  /**
   * The commit at the head of the pull request. That of the checkout is a merge, which nobody
   * knows.
   */
  commit: string;
}>;

/**
 * The job from the environment that GitHub gives it; null if it has no pull request, as after a
 * push.
 */
function readJob(env: CommandContext['env']): Job | null {
  const need = (name: string) => {
    const value = env[name] ?? '';
    if (value !== '') return value;
    const remedy = `Run this in a job of GitHub Actions, whose step has "GITHUB_TOKEN: \${{ github.token }}" in its env.`;
    throw new Error(`${name} is not set. ${remedy}`);
  };
  const pull = field(JSON.parse(readText(need('GITHUB_EVENT_PATH'))), 'pull_request');
  const head = field(pull, 'head');
  const number = field(pull, 'number');
  if (typeof number !== 'number') return null;
  const repository = need('GITHUB_REPOSITORY');
  const names = [env['GITHUB_WORKFLOW'], env['GITHUB_JOB']].map((name) =>
    encodeURIComponent(name ?? ''),
  );
  return {
    api: `${env['GITHUB_API_URL'] ?? 'https://api.github.com'}/repos/${repository}`,
    token: need('GITHUB_TOKEN'),
    number,
    isFromFork: field(field(head, 'repo'), 'full_name') !== repository,
    // Each job of each workflow has its own comment.
    mark: `<!-- viva ${names.join(' ')} -->`,
    page: `${env['GITHUB_SERVER_URL'] ?? 'https://github.com'}/${repository}/actions/runs/${env['GITHUB_RUN_ID'] ?? ''}`,
    commit: String(field(head, 'sha') ?? '').slice(0, 7),
  };
}

/** The most characters of a comment. */
const LONGEST = 65_536;

/**
 * The Markdown of a comment: the run's summary.md, which may be published. What is said of the
 * comment itself comes first, so that a long summary can be cut at any line.
 */
function toBody(folder: string, { mark, page, commit }: Job): string {
  const summary = readText(join(folder, 'summary.md'));
  const isCompared = readSummary(folder)?.comparison !== undefined;
  const baseline = isCompared
    ? ''
    : '\n\nNot compared with an earlier run: `EVAL_BASELINE` is not set.';
  const toHead = (rest: string) =>
    `${mark}\nCommit ${commit}, [page of the job](${page})${rest}.${baseline}\n\n`;
  const whole = `${toHead('')}${summary}`;
  if (whole.length <= LONGEST) return whole;
  const head = toHead(', which has all of it: this is its beginning');
  return `${head}${summary.slice(0, summary.lastIndexOf('\n', LONGEST - head.length - 1))}`;
}

/**
 * Updates the bot's comment that begins with the job's mark, or adds one. Resolves to the comment's
 * address; null if the token of a fork may not write. Throws an Error that says what GitHub refused
 * and what to do.
 */
async function writeComment(job: Job, body: string): Promise<string | null> {
  const id = await findComment(job);
  const written =
    id === null
      ? await send(job, 'POST', `issues/${job.number}/comments`, { body })
      : await send(job, 'PATCH', `issues/comments/${id}`, { body });
  return textField(written, 'html_url');
}

const PAGE = 100;

/**
 * The id of the comment; null if there is none. A person may copy the mark, so only comments of
 * bots count.
 */
async function findComment(job: Job): Promise<number | null> {
  for (let page = 1; ; page++) {
    const reply = await send(
      job,
      'GET',
      `issues/${job.number}/comments?per_page=${PAGE}&page=${page}`,
    );
    const comments: readonly unknown[] = Array.isArray(reply) ? reply : [];
    const isOwn = (one: unknown) =>
      field(field(one, 'user'), 'type') === 'Bot' &&
      textField(one, 'body')?.startsWith(job.mark) === true;
    const id = field(comments.find(isOwn), 'id');
    if (typeof id === 'number') return id;
    if (comments.length < PAGE) return null;
  }
}

/** GitHub's reply; null if the token of a fork may not do this. */
async function send(job: Job, method: string, path: string, content?: object): Promise<unknown> {
  const response = await fetch(`${job.api}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${job.token}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    body: content === undefined ? null : JSON.stringify(content),
    signal: AbortSignal.timeout(30_000),
  }).catch((cause: unknown) => {
    const why = messageOf(causesOf(cause).at(-1) ?? cause);
    throw new Error(`GitHub cannot be reached at ${job.api} (${why}). ${AGAIN}`, { cause });
  });
  const reply: unknown = await response.json().catch(() => null);
  if (response.ok) return reply;
  const { status, headers } = response;
  const isBusy = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  if (status === 403 && job.isFromFork && !isBusy) return null;
  const message = redact(textField(reply, 'message') ?? '', [job.token]);
  const remedy = status < 500 && status !== 429 && !isBusy ? PERMIT : AGAIN;
  throw new Error(`GitHub wrote no comment: ${status}: ${quote(message)}. ${remedy}`);
}

const AGAIN = 'Run the job again later. Its page has the table.';
const PERMIT = `Give the job "permissions: { contents: read, pull-requests: write }" and the step "GITHUB_TOKEN: \${{ github.token }}".`;
