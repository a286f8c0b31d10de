import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { isFields } from '../src/words/fields.ts';
import { startServer } from './loopback-server.ts';
import { makeFolder } from './make-folder.ts';

type FakeComment = { readonly id: number; body: string; readonly user: { readonly type: string } };

type Refusal = Readonly<{
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}>;

/**
 * What `viva comment` uses of GitHub's REST API, on the loopback, for pull request 7 of octo/own:
 * `comments` are those that it has, `calls` what it was asked, `env` is the environment of a job.
 * What `refuse` answers to a method is refused.
 */
export async function startGithub(refuse: (method: string) => Refusal | null = () => null) {
  const comments: FakeComment[] = [];
  const calls: string[] = [];
  const api = await startServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    calls.push(`${method} ${url}`);
    const isKnown = headers.authorization === `Bearer ${JOB.GITHUB_TOKEN}`;
    const refusal: Refusal | null = isKnown
      ? refuse(method)
      : { status: 401, message: 'Bad credentials' };
    const [status, reply] =
      refusal === null ? await answer(comments, request) : [refusal.status, refusal];
    response
      .writeHead(status, { 'content-type': 'application/json', ...refusal?.headers })
      .end(JSON.stringify(reply));
  });
  return {
    comments,
    calls,
    env: { ...JOB, GITHUB_API_URL: api, GITHUB_EVENT_PATH: writeEvent(PULL) },
  };
}

async function answer(
  comments: FakeComment[],
  request: IncomingMessage,
): Promise<[number, unknown]> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://github');
  const known = comments.find(({ id }) => pathname === `/repos/octo/own/issues/comments/${id}`);
  const isList = pathname === '/repos/octo/own/issues/7/comments';
  if (isList && request.method === 'GET') {
    const size = Number(searchParams.get('per_page'));
    const end = size * Number(searchParams.get('page'));
    return [200, comments.slice(end - size, end)];
  }
  const sent = await json(request);
  const body = isFields(sent) ? String(sent['body']) : '';
  if (isList && request.method === 'POST') {
    const made = { id: comments.length + 1, body, user: { type: 'Bot' } };
    comments.push(made);
    return [201, toReply(made)];
  }
  if (known === undefined || request.method !== 'PATCH') return [404, { message: 'Not Found' }];
  known.body = body;
  return [200, toReply(known)];
}

const toReply = (comment: FakeComment) => {
  return { ...comment, html_url: `https://github.test/octo/own/pull/7#issuecomment-${comment.id}` };
};

const PULL = { number: 7, head: { sha: '0123456789abcdef', repo: { full_name: 'octo/own' } } };

const JOB = {
  GITHUB_TOKEN: 'job-token-1',
  GITHUB_REPOSITORY: 'octo/own',
  GITHUB_SERVER_URL: 'https://github.test',
  GITHUB_RUN_ID: '99',
  GITHUB_WORKFLOW: 'my --> evals',
  GITHUB_JOB: 'evals',
};

/** The event of a job: of a pull request, or of a push if it has none. */
export function writeEvent(pull_request?: object): string {
  return `${makeFolder({ 'event.json': JSON.stringify({ pull_request }) })}/event.json`;
}
