import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findRun } from '../store/find-run.ts';
import { wholeNumber } from '../words/setting-values.ts';
import { showPath } from '../words/show.ts';
import {
  type Command,
  parseWords,
  RUN_HELP,
  readNumber,
  readRunSettings,
  UsageError,
} from './command.ts';

/** `viva view`: all runs on one page, which this machine alone can open; live while a run goes on. */
export const view: Command = {
  usage: `[RUN or EVAL_DIR] [--port 4747] [--open]${RUN_HELP}
  EVAL_DIR  a folder of runs and cached answers, such as .evals, to see the runs of another project
  --port  another port if this one is taken
  --open  opens the page in the browser`,
  page: 'results.md#all-runs-viva-view',
  run: async ({ args, env, print }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    const [text = '', ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`Expected one run or folder, got ${positionals.length}.`);
    const settings = readRunSettings(env);
    const port = readNumber('--port', values.port, wholeNumber(0, 65_535));
    const { runs, place } = findRuns(text, settings.dir);
    const [{ serveView }, { listLabels }] = await Promise.all([
      import('../../reporters/page/server.ts'),
      import('../addons/calibrate/index.ts'),
    ]);
    const { url, close } = await serveView({ ...settings, runs, port, listLabels });
    const address = `${url}${place}`;
    print(`viva view: ${address} shows the runs of ${showPath(runs)}; Ctrl-C ends it`);
    if (values.open === true) openBrowser(address);
    await untilStopped();
    await close();
    return 0;
  },
};

const OPTIONS = {
  port: { type: 'string', default: '4747' },
  open: { type: 'boolean' },
} as const;

/** The folder of runs that a text names, and the part of the address that shows one of them. */
function findRuns(text: string, dir: string): Readonly<{ runs: string; place: string }> {
  if (text === '') return { runs: join(resolve(dir), 'runs'), place: '' };
  const inside = join(resolve(text), 'runs');
  if (existsSync(inside)) return { runs: inside, place: '' };
  const folder = findRun(text, dir, 'RUN');
  return { runs: dirname(folder), place: `#/${encodeURIComponent(basename(folder))}` };
}

function openBrowser(address: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '""']
        : ['xdg-open'];
  // Without a browser the address stands in the terminal.
  spawn(program ?? '', [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
