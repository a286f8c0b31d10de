import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { ROOT, readRows, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { readPids, survivors } from '../processes.ts';
import { type Faults, faultSettings, latest, runFaults, totalsOf } from './run-faults.ts';

/** The tool that the question calls once. A model is told of the others' faults, and then answers. */
const FAULTS: Faults = {
  echo: 'correct',
  // Before the server ends at another call: a call that had to wait for it is no time-out.
  hang: 'timed_out timed_out',
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

/** A model that calls the tool that its question names, and answers once it has been told the result. */
function reply({ body }: SeenRequest): Reply {
  const said = JSON.stringify(body.input);
  const name = /What is ([^?]*)\?/.exec(said)?.[1] ?? '';
  if (api === undefined || said.includes('function_call_output'))
    return api?.text('FINAL ANSWER: 17') ?? { fault: 'reset' };
  return api.call(`odd__${name.replaceAll(' ', '_')}`, {});
}

/** A run with the odd server, whose processes go to the log. */
async function prepare(faults: Faults, env: Readonly<Record<string, string>>) {
  const model = await startScriptedServer(reply);
  const log = join(makeFolder(), 'pids');
  const server = { command: process.execPath, args: [join(ROOT, 'test/mcp/odd-server.ts'), 'hostile names', log] };
  const folder = makeFolder({ 'mcp.json': JSON.stringify({ mcpServers: { odd: server } }) });
  const settings = {
    ...faultSettings(Object.keys(faults), 'openai:m'),
    EVAL_MCP: join(folder, 'mcp.json'),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
    ...env,
  };
  return { model, log, env: settings };
}

test('each fault of an MCP server costs at most the sample that called it', { timeout: 60_000 }, async () => {
  const { model, log, env } = await prepare(FAULTS, { EVAL_TIMEOUT: '8', EVAL_CONCURRENCY: '1' });
  const first = await runFaults(env);
  expect(first.outcomes).toEqual(FAULTS);
  expect(first.report).not.toContain('OUTSIDE THE ANSWERS');
  expect(totalsOf(first)).toMatchObject({ complete: true });
  expect(await survivors(await readPids(log, 3), 5_000)).toEqual([]);
  const errors = readRows(latest(first.dir)).filter(({ reason }) => reason === 'server');
  for (const { error } of errors) expect(error?.message).toMatch(/^The MCP server "odd" ended twice at a call of/);
  const names: readonly string[] = model.requests[0]?.body.tools.map(({ name }: { name: string }) => name);
  expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);

  // What was the server's fault is to be asked again, and nothing else.
  const plan = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_DRY_RUN: '1' });
  expect(plan.output).toMatch(/: 11 trials, 10 from the cache .*, 1 to ask/);
});

test('faults of an MCP server at the same time cost no sample beside them', { timeout: 120_000 }, async () => {
  // A call that hangs had been put off by the server's end: its sample is asked again, and is not kept as a time-out.
  const faults: Faults = { ...FAULTS, hang: 'errored server' };
  const { log, env } = await prepare(faults, {
    EVAL_TIMEOUT: '20',
    EVAL_CONCURRENCY: String(Object.keys(faults).length),
  });
  const { outcomes } = await runFaults(env);
  expect(outcomes).toEqual(faults);
  expect(await survivors(await readPids(log, 3), 5_000)).toEqual([]);
});
