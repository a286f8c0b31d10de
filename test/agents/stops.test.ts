import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRows, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { APIS } from './apis.ts';
import { SECRET } from './ask-agent.ts';
import { type Script, type SeenRequest, startScriptedServer } from './scripted-server.ts';

/** Two models at one server are asked three questions each, one call at a time. */
async function runBoth(kind: string, base: (url: string) => string, script: Script, evals = 'evals/mcq') {
  const server = await startScriptedServer(script);
  const run = await runVitest(['run', evals], {
    EVAL_AGENT: `${kind}:one,${kind}:two`,
    EVAL_LIMIT: '3',
    EVAL_CONCURRENCY: '1',
    OPENAI_API_KEY: SECRET,
    ANTHROPIC_API_KEY: SECRET,
    OPENAI_BASE_URL: base(server.url),
    ANTHROPIC_BASE_URL: base(server.url),
  });
  const rows = readRows(runFolderOf(run.dir));
  const states = (model: string) =>
    rows.filter(({ agent }) => agent.endsWith(model)).map(({ state, reason }) => (reason === null ? state : reason));
  return { ...run, rows, states, requests: server.requests };
}

function refuse(status: number, type: string) {
  return { status, body: { type: 'error', error: { type, message: 'not with me' } } };
}

describe.each(APIS)('$kind', { timeout: 60_000 }, ({ kind, base, text }) => {
  test('stops every model of a server that refuses the key, and says so last', async () => {
    const { code, output, rows, requests } = await runBoth(kind, base, [refuse(401, 'authentication_error')]);
    expect(requests).toHaveLength(1);
    expect(code).toBe(1);
    const stopped = rows.filter(({ state }) => state === 'not_run');
    expect(stopped).toHaveLength(5);
    expect(new Set(stopped.map(({ explanation }) => explanation))).toEqual(
      new Set([expect.stringMatching(new RegExp(`^${kind}:one was refused: .*not with me`))]),
    );
    expect(output).toMatch(new RegExp(`STOPPED: ${kind}:one was refused: .*not with me`));
    expect(output).toMatch(new RegExp(`exit 1: 5 missing results \\(auth 5: ${kind}:one was refused: .*not with me`));
  });

  test('asks no other suite with a key that one was refused with', async () => {
    const script = [refuse(401, 'authentication_error')];
    const { requests, rows } = await runBoth(kind, base, script, 'evals');
    expect(requests).toHaveLength(1);
    expect(rows.filter(({ state }) => state === 'not_run')).toHaveLength(11);
  });

  test('stops a model that the key may not use, and no other', async () => {
    const answer = text('{"answer": "A"}');
    const isOne = ({ body }: SeenRequest) => body.model === 'one';
    const script = (request: SeenRequest) => (isOne(request) ? refuse(403, 'permission_error') : answer);
    const { states, requests } = await runBoth(kind, base, script);
    expect(requests.filter(isOne)).toHaveLength(1);
    expect(states('one').toSorted()).toEqual(['auth', 'auth', 'auth']);
    expect(states('two')).toHaveLength(3);
    expect(states('two')).not.toContain('auth');
  });

  test('says at the end that the account is used up', async () => {
    const { output, dir } = await runBoth(kind, base, [refuse(402, 'billing_error')]);
    expect(output).toMatch(/exit 1: 5 missing results \(quota 5: .*not with me/);
    expect(readFileSync(join(runFolderOf(dir), 'summary.md'), 'utf8')).toMatch(/STOPPED: .*not with me/);
  });
});
