import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRows, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { APIS } from './apis.ts';
import { SECRET } from './ask-agent.ts';
import { startScriptedServer } from './scripted-server.ts';

describe.each(APIS)('$kind', { timeout: 60_000 }, ({ kind, base, text }) => {
  test.each([
    [500, 'server', 'Run it again later.'],
    [429, 'rate_limit', 'Lower EVAL_CONCURRENCY, or run it again later.'],
  ])('has no time-out at a server that says %i, and is asked again later', async (status, reason, remedy) => {
    let isUp = false;
    const down = { status, body: { error: { message: 'down' } }, headers: { 'retry-after': '30' } };
    const server = await startScriptedServer(() => (isUp ? text('{"answer": "A"}') : down));
    const dir = makeFolder();
    const run = () =>
      runVitest(['run', 'evals/mcq'], {
        EVAL_AGENT: `${kind}:m`,
        EVAL_DIR: dir,
        EVAL_LIMIT: '1',
        EVAL_TIMEOUT: '2',
        OPENAI_API_KEY: SECRET,
        ANTHROPIC_API_KEY: SECRET,
        OPENAI_BASE_URL: base(server.url),
        ANTHROPIC_BASE_URL: base(server.url),
      });
    const first = await run();
    expect(readRows(join(dir, 'latest'))).toMatchObject([
      { state: 'errored', reason, latency_ms: null, error: { kind: reason, status } },
    ]);
    expect(first.output).toContain(`No answer within 2 s, in which the server had answered ${status}`);
    expect(first.output).toContain(remedy);
    expect(first.output).toContain(`1 error (${reason} 1)`);
    isUp = true;
    await run();
    expect(server.requests).toHaveLength(2);
    expect(readRows(join(dir, 'latest'))).toMatchObject([{ cached: false, error: null }]);
  });

  test('keeps a refused request, and says how it is asked again', async () => {
    const server = await startScriptedServer([{ status: 400, body: { error: { message: 'no such thing' } } }]);
    const dir = makeFolder();
    const run = (settings: Readonly<Record<string, string>> = {}) =>
      runVitest(['run', 'evals/mcq'], {
        EVAL_AGENT: `${kind}:m`,
        EVAL_DIR: dir,
        EVAL_LIMIT: '1',
        OPENAI_API_KEY: SECRET,
        ANTHROPIC_API_KEY: SECRET,
        OPENAI_BASE_URL: base(server.url),
        ANTHROPIC_BASE_URL: base(server.url),
        ...settings,
      });
    await run();
    const second = await run();
    expect(second.output).toContain('1 error (bad_request 1); 1 from the cache, which EVAL_CACHE=retry asks again');
    expect(server.requests).toHaveLength(1);
    await run({ EVAL_CACHE: 'retry' });
    expect(server.requests).toHaveLength(2);
  });
});
