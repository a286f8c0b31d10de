import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Writes down its number and that of a child, ignores what asks it to end, and waits. */
const COMMAND = `trap '' TERM INT HUP QUIT; sleep 60 & printf '%s\\n' $$ $! >>"$PIDS"; sleep 60; sleep 60`;

/** Signals to a process group, as from a terminal, or to one process. */
const ENDS = {
  'Ctrl-C': [['group', 'SIGINT']],
  'Ctrl-C twice': [
    ['group', 'SIGINT'],
    ['group', 'SIGINT'],
  ],
  'Ctrl-\\': [['group', 'SIGQUIT']],
  'SIGTERM of the main process': [['main', 'SIGTERM']],
  'SIGKILL of the worker': [['worker', 'SIGKILL']],
  'SIGKILL of the main process': [['main', 'SIGKILL']],
} as const;

/** They end the main process before it can do anything; its folders go at the start of a later run. */
const AT_ONCE = ['Ctrl-\\', 'SIGKILL of the main process'];

// What is written and asked again after a kill, test/e2e/nemesis.test.ts looks at.
test.each(Object.entries(ENDS))(
  '%s leaves no process of a command or an MCP server, and no list of them',
  async (end, signals) => {
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
    const temporary = makeFolder();
    const child: ChildProcess = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'evals/gaia'],
      {
        cwd: ROOT,
        detached: true,
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
          TMPDIR: temporary,
        },
      },
    );
    const closed = new Promise((resolve) => child.on('close', resolve));
    const ofServer = await readPids(`${pids}.server`, 2);
    const ofCommand = await readPids(pids, 2);
    const [worker = 0] = await readPids(`${pids}.worker`, 1);
    const { pid: main = 0 } = child;
    const targets = { group: -main, main, worker };
    for (const [target, signal] of signals) {
      process.kill(targets[target], signal);
      await sleep(20);
    }
    await closed;
    const others = await readPids(pids, ofCommand.length);
    expect(await survivors([worker, ...ofServer, ...others])).toEqual([]);
    const left = readdirSync(temporary).filter((name) => name.startsWith(`viva-task-${main}-`));
    if (!AT_ONCE.includes(end)) expect(left).toEqual([]);
  },
);
