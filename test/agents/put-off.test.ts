import { describe, expect, test } from 'vitest';
import { askInTurn } from '../../src/run/ask.ts';
import { makeLane } from '../../src/run/lanes.fixture.ts';
import { Workdir } from '../../src/run/workdir.ts';
import { APIS } from './apis.ts';
import { makeAgent } from './ask-agent.ts';
import { startScriptedServer } from './scripted-server.ts';

describe.each(APIS)('$kind', ({ kind, base }) => {
  test.each([
    [500, 'server', 'Run it again later.'],
    [429, 'rate_limit', 'Lower EVAL_CONCURRENCY, or run it again later.'],
  ])('has no time-out at a server that says %i until the deadline', async (status, reason, remedy) => {
    const down = { status, body: { error: { message: 'down' } }, headers: { 'retry-after': '30' } };
    const server = await startScriptedServer([down]);
    const agent = await makeAgent(`${kind}:m?base_url=${base(server.url)}`);
    const question = { id: 'q', suite: 'mcq', input: 'why?', prompt: 'why?', group: 'all', attachments: [] };
    const options = { trial: 1, deadlineMs: 2000, maxSteps: null, workdir: new Workdir([]) };
    const asked = await askInTurn(makeLane({ agent }), question, null, {
      ...options,
      cancelled: new AbortController().signal,
    });
    expect(asked).toMatchObject({ outcome: 'failed', latency_ms: null, error: { kind: reason, status } });
    const message = asked.outcome === 'failed' ? asked.error.message : '';
    expect(message).toContain(`No answer within 2 s: the server had answered ${status}`);
    expect(message).toContain(remedy);
    expect(server.requests).toHaveLength(1);
  });
});
