import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { readPids, survivors } from '../processes.ts';
import { type Faults, faultSettings, runFaults, totalsOf } from './run-faults.ts';

/**
 * The tool that the question calls once. A model is told of the others' faults, and then answers.
 */
const FAULTS: Faults = {
  echo: 'correct',
  // The end of the server repeats a call that hangs: its sample is asked again, and is not kept as
  // a timeout.
  hang: 'errored server',
  die: 'errored server',
  garbage: 'correct',
  flood: 'correct',
  // It ends after its reply, maybe in the next call.
  leave: 'correct',
  hostile: 'correct',
  large: 'correct',
  'no tool at all': 'correct',
  nonsense: 'correct',
  ['__proto__']: 'correct',
};

const [api] = APIS;

/**
 * A model that calls the tool that its question names, and answers once it has been told the
 * result.
 */
function reply({ body }: SeenRequest): Reply {
  const prompt = JSON.stringify(body.input);
  const name = /What is ([^?]*)\?/.exec(prompt)?.[1] ?? '';
  if (api === undefined || prompt.includes('function_call_output'))
    return api?.text('FINAL ANSWER: 17') ?? { fault: 'reset' };
  return api.call(`odd__${name.replaceAll(' ', '_')}`, {});
}

test('faults of an MCP server cost only the samples that meet them', async () => {
  const model = await startScriptedServer(reply);
  const log = join(makeFolder(), 'pids');
  const server = {
    command: process.execPath,
    args: [join(ROOT, 'test/mcp/odd-server.ts'), 'hostile names', log],
  };
  const folder = makeFolder({ 'mcp.json': JSON.stringify({ mcpServers: { odd: server } }) });
  const run = await runFaults({
    ...faultSettings(Object.keys(FAULTS), 'openai:m'),
    EVAL_MCP: join(folder, 'mcp.json'),
    EVAL_TIMEOUT: '12',
    EVAL_CONCURRENCY: String(Object.keys(FAULTS).length),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
  });
  expect(run.outcomes).toEqual(FAULTS);
  expect(run.report).not.toContain('RUN ERROR');
  expect(totalsOf(run)).toMatchObject({ complete: true });
  expect(await survivors(await readPids(log, 3))).toEqual([]);
  const died = run.rows.find(({ id }) => id === 'die');
  expect(died?.error?.message).toMatch(/^The MCP server "odd" was lost twice/);
  const names: readonly string[] = model.requests[0]?.body.tools.map(
    ({ name }: { name: string }) => name,
  );
  expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
});
