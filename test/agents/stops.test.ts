import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRows, readStopped, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { APIS, specOf } from './apis.ts';
import { SECRET } from './ask-agent.ts';
import { type SeenRequest, startScriptedServer } from './scripted-server.ts';

function refuse(status: number, type: string) {
  return { status, body: { type: 'error', error: { type, message: 'not with me' } } };
}

/**
 * Servers that refuse the key, refuse it for model "one" alone, and say that the account is used
 * up.
 */
const SERVERS = [
  { reason: 'auth', stops: 'both', reply: () => refuse(401, 'authentication_error') },
  {
    reason: 'auth',
    stops: 'one',
    reply: ({ body }: SeenRequest) =>
      body.model === 'one' ? refuse(403, 'permission_error') : null,
  },
  { reason: 'quota', stops: 'both', reply: () => refuse(402, 'billing_error') },
] as const;

test('a refused key or an empty account stops every model of its server in all suites, a refused model itself', async () => {
  const places = await Promise.all(
    APIS.flatMap(({ kind, base, text }) =>
      SERVERS.map(async ({ reply, ...rest }) => {
        const server = await startScriptedServer(
          (request) => reply(request) ?? text('{"answer": "A"}'),
        );
        const agents = ['one', 'two'].map(
          (model) => `${specOf(kind, model)}?base_url=${base(server.url)}`,
        );
        return { ...rest, agents, server };
      }),
    ),
  );
  const run = await runVitest(['run', 'evals'], {
    EVAL_AGENT: places.flatMap(({ agents }) => agents).join(),
    EVAL_LIMIT: '3',
    EVAL_LEVEL: '1',
    EVAL_CONCURRENCY: '1',
    OPENAI_API_KEY: SECRET,
    ANTHROPIC_API_KEY: SECRET,
  });
  expect(run.code).toBe(1);
  const folder = runFolderOf(run.dir);
  readStopped(folder);
  const rows = readRows(folder);
  // Multiple choice has no levels, so the level picks nothing there.
  expect(new Set(rows.map(({ suite, group }) => (suite === 'gaia' ? group : suite)))).toEqual(
    new Set(['level 1', 'mcq']),
  );
  for (const { agents, stops, reason, server } of places) {
    const [one = '', two] = agents;
    const count = (agent: string | undefined, state: string) =>
      rows.filter((row) => row.agent === agent && row.state === state).length;
    const both = (state: string) => count(one, state) + count(two, state);
    const stopped = rows.filter((row) => agents.includes(row.agent) && row.state === 'not_run');
    if (stops === 'one') {
      expect([agents, count(one, 'errored'), count(one, 'not_run'), count(two, 'not_run')]).toEqual(
        [agents, 1, 5, 0],
      );
      const ofOne = server.requests.filter(({ body }) => body.model === 'one');
      expect(ofOne.length).toBeLessThanOrEqual(2);
    } else {
      expect([agents, both('errored'), both('not_run')]).toEqual([agents, 1, 11]);
      // One that fails after a pause of the machine is asked once more.
      expect(server.requests.length).toBeLessThanOrEqual(2);
    }
    expect(new Set(stopped.map((row) => row.reason))).toEqual(new Set([reason]));
    for (const { explanation } of stopped)
      expect(explanation).toMatch(/[:/](one|two)\S* was refused: .*not with me/);
  }
  expect(run.output).toMatch(/STOPPED: openai:(one|two)\S* was refused: .*not with me/);
  expect(run.output).toMatch(
    /exit 1: \d+ of \d+ results are missing \((auth \d+|quota \d+).*see STOPPED above/,
  );
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(/STOPPED: .*not with me/);
});
