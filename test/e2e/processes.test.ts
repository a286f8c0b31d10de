import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { startScriptedServer } from '../agents/scripted-server.ts';
import { makeFolder } from '../make-folder.ts';
import { readPids, survivors } from '../processes.ts';
import { type Interrupt, ROOT, runVitest } from './run-vitest.ts';

const [api] = APIS;

/** Writes down its number and those of two children, one in a session of its own, and waits. */
const SLEEPER = `setsid sleep 60 & own=$!; sleep 60 & printf '%s\\n' $$ $own $! >>"$PIDS"; sleep 60; sleep 60`;

type Options = {
  /** What the command does when it is asked its first question, once its children have begun. */
  readonly deed: string;
  readonly interrupt?: Interrupt;
};

/** Both suites, asked by a model with an MCP server that ignores SIGTERM and by a command that leaves children. */
async function run({ deed, interrupt }: Options) {
  const model = await startScriptedServer(() => api?.text('FINAL ANSWER: x') ?? { fault: 'silent' });
  const odd = (log: string) => ({
    command: process.execPath,
    args: [join(ROOT, 'test/mcp/odd-server.ts'), 'stubborn', log],
  });
  const folder = makeFolder();
  const [ofServer, ofCommand] = [join(folder, 'server'), join(folder, 'command')];
  const files = makeFolder({
    'mcp.json': JSON.stringify({ mcpServers: { odd: odd(ofServer) } }),
    'agent.sh': `if mkdir "$PIDS.first"; then while [ ! -s "$PIDS" ]; do sleep 0.05; done; ${deed}; else ${SLEEPER}; fi`,
  });
  const env = {
    // The parent of the command's own shell is the worker.
    EVAL_AGENT: `openai:m,command:WORKER=$PPID sh ${files}/agent.sh`,
    EVAL_LIMIT: '2',
    EVAL_MCP: join(files, 'mcp.json'),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
    PIDS: ofCommand,
  };
  const result = await runVitest(['run', 'evals'], env, interrupt === undefined ? {} : { interrupt });
  const pids = [...(await readPids(ofServer, 3)), ...(await readPids(ofCommand, 3))];
  return { ...result, pids };
}

describe('no process of a command or an MCP server is left', { timeout: 60_000 }, () => {
  test('when the run is killed', async () => {
    const { pids } = await run({ deed: 'echo 17', interrupt: { signal: 'SIGKILL', afterRows: 3 } });
    expect(await survivors(pids, 5_000)).toEqual([]);
  });

  test('when the worker is killed', async () => {
    const { code, pids } = await run({ deed: 'kill -9 $WORKER' });
    expect(code).toBe(1);
    expect(await survivors(pids, 5_000)).toEqual([]);
  });
});
