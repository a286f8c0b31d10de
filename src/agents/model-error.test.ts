import { describe, expect, test } from 'vitest';
import { APIS, specOf } from '../../test/agents/apis.ts';
import { type AskOptions, askAgent, SECRET } from '../../test/agents/ask-agent.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import { AgentError, type Answer, type Progress } from '../words/answer.ts';
import { redactMessage } from '../words/secrets.ts';

/** Without it a retry waits half a second or more. */
const SOON = { 'retry-after-ms': '1' };

/** A key of another service, which is known only later. */
const LATER = 'Qx7-aB3dE5fG7hJ9kL1m';

function failure(
  status: number,
  error: object,
  headers: Readonly<Record<string, string>> = SOON,
): Reply {
  return {
    status,
    headers: { ...headers, 'request-id': 'req_1', 'x-request-id': 'req_1' },
    body: { type: 'error', error },
  };
}

describe.each(APIS)('$kind', ({ kind, base, text }) => {
  async function ask(script: readonly Reply[], options: AskOptions = {}, parameters = '') {
    const server = await startScriptedServer(script);
    const outcome = await askAgent(
      `${specOf(kind)}?base_url=${base(server.url)}${parameters}`,
      options,
    ).catch((error: unknown) => error);
    return { outcome, requests: server.requests };
  }

  async function fail(
    ...args: Parameters<typeof ask>
  ): Promise<AgentError & { readonly requests: number }> {
    const { outcome, requests } = await ask(...args);
    if (!(outcome instanceof AgentError))
      throw new Error(`No AgentError, but ${JSON.stringify(outcome)}`, { cause: outcome });
    return Object.assign(outcome, { requests: requests.length });
  }

  // `test/faults/api` has the statuses 400 and 500.
  test.each([
    ['rate_limit', 429, { message: 'slow down', type: 'rate_limit_error' }, 5],
    ['quota', 429, { message: 'pay', type: 'insufficient_quota', code: 'insufficient_quota' }, 1],
    ['quota', 400, { message: 'Your credit balance is too low', type: 'invalid_request_error' }, 1],
    ['quota', 402, { message: 'pay', type: 'billing_error' }, 1],
    ['auth', 401, { message: 'who are you?', type: 'authentication_error' }, 1],
    ['auth', 403, { message: 'not this model', type: 'permission_error' }, 1],
    ['bad_request', 404, { message: 'no such model', type: 'not_found_error' }, 1],
  ])(
    'is %s at status %i, with the words of the provider, and advice on base URLs at 404',
    async (expected, status, error, requests) => {
      const seen = await fail([failure(status, error)]);
      expect(seen).toMatchObject({ kind: expected, status, requestId: 'req_1', requests });
      expect(seen.message).toContain(error.message);
      expect(seen.message).toMatch(/\(status \d+, server 127\.0\.0\.1:\d+, request req_1\)/);
      const advice = "OpenAI's form ends in /v1, Anthropic's does not.";
      expect(seen.message.includes(advice)).toBe(status === 404);
    },
  );

  test.each<[string, Reply]>([
    [
      'a wrong body',
      kind === 'ai:openai'
        ? { body: `${'y'.repeat(184)}${LATER}` }
        : { body: { a: `${'y'.repeat(179)}${LATER}` } },
    ],
    ['a redirect', { status: 302, body: '', headers: { location: `${'y'.repeat(285)}${LATER}` } }],
  ])(
    'marks where it cuts %s, so that half a key beside the mark is redacted later',
    async (_, reply) => {
      const { message } = await fail([reply]);
      expect(message).toContain(LATER.slice(0, 15));
      expect(redactMessage(message, [LATER])).toContain('y[key]…');
    },
  );

  test.each([
    ['rate_limit', { code: 429, message: 'slow down' }],
    ['quota', { type: 'insufficient_quota', message: 'slow down' }],
    ['server', { code: 'odd', message: `slow down, ${SECRET}` }],
    ['server', `the gateway got an invalid reply, slow down, ${SECRET}`],
  ])('is %s when a reply with status 200 states the error %j', async (expected, error) => {
    const seen = await fail([{ body: { status: 'failed', error } }]);
    expect(seen).toMatchObject({ kind: expected, message: expect.stringContaining('slow down') });
    expect(seen.message).not.toContain(SECRET);
  });

  test('reports each refusal and the time spent waiting', async () => {
    let refusals = 0;
    const setting = { onRateLimit: () => void refusals++ };
    const heard: Progress[] = [];
    const context = { onProgress: (progress: Progress) => void heard.push(progress) };
    const wait = { 'retry-after-ms': '120' };
    const script = [
      failure(429, { message: 'later' }, wait),
      failure(529, { message: 'later' }, wait),
      text('42'),
    ];
    const { outcome } = await ask(script, { setting, context });
    const { waitedMs } = outcome as Answer;
    expect(outcome).toMatchObject({ output: '42' });
    expect(refusals).toBe(2);
    // The back-off has ended, so a deadline that passes now is the agent's fault.
    expect(heard[1]).toMatchObject({ backOff: { status: 429 } });
    expect(heard.at(-1)).not.toHaveProperty('backOff');
    expect(waitedMs).toBeGreaterThan(230);
    expect(waitedMs).toBeLessThan(20_000);
  });

  test.each([
    ['server', { status: 500, body: {}, headers: { 'retry-after': '30' } }, 500],
    ['rate_limit', { status: 429, body: {}, headers: { 'retry-after': '30' } }, 429],
    ['network', { fault: 'reset' } as const, null],
  ])(
    'reports a %s error before it asks again, and ends with its signal while it waits',
    async (kind, reply, status) => {
      const over = new AbortController();
      const seen: unknown[] = [];
      const onProgress = (progress: Progress) => {
        if (progress.backOff === undefined) return;
        seen.push(progress);
        over.abort(new AgentError('timed_out', 'late'));
      };
      const { outcome, requests } = await ask([reply], {
        context: { signal: over.signal, onProgress },
      });
      expect(outcome).toMatchObject({ kind: 'timed_out', progress: { backOff: { kind, status } } });
      expect(seen[0]).toMatchObject({ backOff: { kind, status } });
      expect(requests).toHaveLength(1);
    },
  );

  test.each([
    ['server', { type: 'overloaded_error', code: 'server_error', message: 'busy' }],
    ['rate_limit', { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'busy' }],
  ])('is %s when a stream says so', async (expected, error) => {
    const body = `event: error\ndata: ${JSON.stringify({ ...error, type: 'error', error })}\n\n`;
    const reply = { body, headers: { 'content-type': 'text/event-stream' } };
    const seen = await fail([reply], {}, '&stream=on');
    expect(seen).toMatchObject({ kind: expected, message: expect.stringContaining('busy') });
  });
});
