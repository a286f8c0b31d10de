import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { startScriptedServer } from '../agents/scripted-server.ts';
import { makeFolder } from '../make-folder.ts';
import { readPids, survivors } from '../processes.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { cleanEnvironment, ROOT } from './run-vitest.ts';

const [api] = APIS;

/** Writes down its process. */
const MODULE = `import { appendFileSync } from 'node:fs';
export default { name: 'module', answer };
function answer() {
  appendFileSync(process.env.PIDS + '.worker', process.pid + '\\n');
  return new Promise(() => {});
}`;

/** Writes down its number and those of two children, one in a session of its own, and waits. */
const COMMAND = `setsid sleep 60 & own=$!; sleep 60 & printf '%s\\n' $$ $own $! >>"$PIDS"; sleep 60; sleep 60`;

// What is written and asked again after a kill, test/e2e/nemesis.test.ts looks at.
test.each(['main', 'worker'] as const)(
  'kill -9 of the %s process leaves no process of a command or an MCP server',
  async (victim) => {
    const model = await startScriptedServer(
      () => api?.text('FINAL ANSWER: x') ?? { fault: 'silent' },
    );
    const odd = {
      command: process.execPath,
      args: [join(ROOT, 'test/mcp/odd-server.ts'), 'stubborn', '$' + '{PIDS}.server'],
    };
    const folder = makeFolder({
      'module.mjs': MODULE,
      'command.sh': COMMAND,
      'mcp.json': JSON.stringify({ mcpServers: { odd } }),
    });
    const pids = join(folder, 'pids');
    const child: ChildProcess = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'evals/gaia'],
      {
        cwd: ROOT,
        stdio: 'ignore',
        env: {
          ...cleanEnvironment(),
          EVAL_GAIA: writeGaiaFixture(['a', 'b'].map((id) => ({ id }))).folder,
          EVAL_DIR: makeFolder(),
          EVAL_AGENT: `module:${folder}/module.mjs,openai:m,command:sh ${folder}/command.sh`,
          EVAL_MCP: join(folder, 'mcp.json'),
          OPENAI_API_KEY: 'none',
          OPENAI_BASE_URL: `${model.url}/v1`,
          PIDS: pids,
        },
      },
    );
    const closed = new Promise((resolve) => child.on('close', resolve));
    const ofServer = await readPids(`${pids}.server`, 3);
    await readPids(pids, 3);
    const [worker = 0] = await readPids(`${pids}.worker`, 1);
    process.kill(victim === 'main' ? (child.pid ?? 0) : worker, 'SIGKILL');
    await closed;
    const others = await readPids(pids, 3);
    expect(await survivors([worker, ...ofServer, ...others])).toEqual([]);
  },
);
