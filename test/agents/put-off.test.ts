import { describe, expect, test } from 'vitest';
import { obtain } from '../../src/run/ask.ts';
import { ProviderGate } from '../../src/run/limits.ts';
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
    const gate = new ProviderGate({ concurrency: 1, budget: null, pilot: false });
    const station = { agent, gate, budget: null, answers: null };
    const asked = await obtain(station, question, null, { ...options, cancelled: new AbortController().signal });
    expect(asked).toMatchObject({ outcome: 'failed', latencyMs: null, error: { kind: reason, status } });
    const message = asked.outcome === 'failed' ? asked.error.message : '';
    expect(message).toContain(`No answer within 2 s, in which the server had answered ${status}`);
    expect(message).toContain(remedy);
    expect(server.requests).toHaveLength(1);
  });
});
