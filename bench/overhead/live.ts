import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSampleLog } from '../../src/store/sample-log.ts';
import { chat } from '../../test/agents/replies.ts';
import { cleanEnvironment } from '../../test/e2e/run-vitest.ts';
import { writeFiles } from '../../test/package/install.ts';
import { median } from '../measure/median.ts';
import { measureTree } from '../measure/process-tree.ts';
import { serve } from '../measure/serve.ts';
import { MOST, measureCalls } from './calls.ts';
import { type LatencyCell, measureLatency } from './latency.ts';
import { measureOwnTests } from './own-tests.ts';
import { makePackaged, type Project, toVitest } from './projects.ts';
import { makeRecords } from './records.ts';

/** What a user waits for that has no plain Vitest beside it: one figure, and what it may be. */
export type LiveRow = Readonly<{
  name: string;
  title: string;
  bar: string;
  /** Several figures, and whether they meet the bar. */
  measure(folder: string, modules: string): Promise<{ figure: string; holds: boolean }>;
}>;

const AT_ONCE = 100;
const ANSWER_MS = 300;
const ALLOWED_PER_SECOND = 50;
const QUESTIONS = 1_000;
const EDITS = 9;

export const LIVE_ROWS: readonly LiveRow[] = [
  {
    name: 'watch',
    title: 'watch, prompt saved to first question / report',
    bar: '0.26 s / 0.32 s',
    measure: measureWatch,
  },
  {
    name: 'asking',
    title: `asking phase, ${ANSWER_MS} ms agent, ${AT_ONCE} at once, by its theory`,
    bar: '1.03',
    async measure(folder, modules) {
      const rows = await runLive(makeLive(folder, modules), 'module:./slow.ts');
      const ends = rows.map(({ start, latency }) => start + latency);
      const took = Math.max(...ends) - Math.min(...rows.map(({ start }) => start));
      const ratio = took / ((rows.length / AT_ONCE) * ANSWER_MS);
      return { figure: ratio.toFixed(3), holds: ratio <= 1.03 };
    },
  },
  toLatencyRow('latency', { atOnce: AT_ONCE, form: 'whole', mostMs: 320 }),
  toLatencyRow('latency-20', { atOnce: 20, form: 'whole', mostMs: 306 }),
  toLatencyRow('latency-stream', { atOnce: AT_ONCE, form: 'stream', mostMs: 320 }),
  {
    name: 'limit',
    title: `behind 429s, ${ALLOWED_PER_SECOND} requests a second allowed: share of it, refusals`,
    bar: '≥ 0.98, ≤ 10 %',
    measure: measureLimit,
  },
  {
    name: 'calls',
    title: 'CPU of a call of a model, by that of the SDK alone',
    bar: String(MOST),
    measure: measureCalls,
  },
  {
    name: 'own',
    title: 'own test, viva() in the configuration: wall, CPU by those without',
    bar: '1.02',
    measure: measureOwnTests,
  },
];

function toLatencyRow(name: string, cell: LatencyCell): LiveRow {
  const title = `median latency, ${ANSWER_MS} ms model${cell.form === 'stream' ? ', streams' : ''}, ${cell.atOnce} at once`;
  const measure = (folder: string, modules: string) => {
    const project = makeLive(folder, modules);
    const given = { ms: ANSWER_MS, questions: QUESTIONS };
    return measureLatency(cell, given, (agent, env) => runLive(project, agent, env));
  };
  return { name, title, bar: `${cell.mostMs} ms`, measure };
}

function makeLive(folder: string, modules: string): Project {
  const project = makePackaged(folder, { count: QUESTIONS, wrong: 'none' }, modules);
  writeFiles(folder, {
    'slow.ts': `import { setTimeout } from 'node:timers/promises';
import answer from './agent.ts';
export default (question) => setTimeout(${ANSWER_MS}, answer(question));
`,
  });
  return project;
}

/** When a question was asked, and its latency, in ms. */
export type AskedRow = Readonly<{
  start: number;
  latency: number;
  own_delay_ms?: number | undefined;
}>;

async function runLive(
  { cwd, args, env }: Project,
  agent: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly AskedRow[]> {
  const settings = { EVAL_AGENT: agent, EVAL_CONCURRENCY: String(AT_ONCE), EVAL_CACHE: 'off' };
  const { output } = await measureTree(args, {
    cwd,
    env: { ...cleanEnvironment(), ...env, ...settings, ...more },
  });
  const { results } = readSampleLog(join(cwd, '.evals/latest'));
  const asked = results.flatMap(({ started_at, latency_ms, own_delay_ms }) =>
    started_at === null || latency_ms === null
      ? []
      : [{ start: Date.parse(started_at), latency: latency_ms, own_delay_ms }],
  );
  if (asked.length > 0 && asked.length === results.length) return asked;
  throw new Error(
    `${results.length} rows, ${asked.length} with a latency:\n${output.slice(-3000)}`,
  );
}

async function measureLimit(folder: string, modules: string) {
  const admitted: number[] = [];
  let refused = 0;
  // A bucket of tokens, as the limits of the large providers are.
  let tokens = ALLOWED_PER_SECOND;
  let filledAt = performance.now();
  using server = await serveModel(() => {
    const now = performance.now();
    const more = ((now - filledAt) / 1000) * ALLOWED_PER_SECOND;
    tokens = Math.min(ALLOWED_PER_SECOND, tokens + more);
    filledAt = now;
    if (tokens < 1) {
      refused += 1;
      return 1;
    }
    tokens -= 1;
    admitted.push(performance.now());
    return null;
  });
  await runLive(makeLive(folder, modules), 'openai-chat:made-up', server.env);
  const seconds = ((admitted.at(-1) ?? 0) - (admitted[0] ?? 0)) / 1000;
  const share = admitted.length / Math.max(seconds, 1) / ALLOWED_PER_SECOND;
  const refusals = refused / (refused + admitted.length);
  return {
    figure: `${share.toFixed(2)}, ${(refusals * 100).toFixed(1)} %`,
    holds: share >= 0.98 && refusals <= 0.1,
  };
}

/**
 * A chat API on loopback that returns the right answer after a while, or refuses for so many
 * seconds.
 */
async function serveModel(refuse: () => number | null) {
  const truths = makeRecords({ count: QUESTIONS, wrong: 'none' }).map(({ truth }) => truth);
  const server = await serve(async (request, response) => {
    const sent = await text(request);
    const retryAfter = refuse();
    response.setHeader('content-type', 'application/json');
    if (retryAfter !== null) {
      response.writeHead(429, { 'retry-after': String(retryAfter) });
      response.end('{"error":{"message":"Too many requests","type":"rate_limit_error"}}');
      return;
    }
    await sleep(ANSWER_MS);
    const shelf = Number(/Shelf (\d+) /.exec(sent)?.[1]);
    response.end(JSON.stringify(chat.text(`FINAL ANSWER: ${truths[shelf]}`).body));
  });
  const OPENAI_BASE_URL = `http://127.0.0.1:${server.port}/v1`;
  return { ...server, env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL } };
}

/** Saves a prompt again and again while Vitest watches 20 questions. */
async function measureWatch(folder: string, modules: string) {
  const { cwd, env } = makePackaged(folder, { count: 20, wrong: 'none' }, modules);
  const prompt = join(cwd, 'prompt.md');
  const asked = join(cwd, 'asked');
  writeFiles(cwd, {
    'prompt.md': 'Answer: {{question}}\n',
    'quick.ts': `import { appendFileSync } from 'node:fs';
import answer from './agent.ts';
export default (question) => {
  appendFileSync(${JSON.stringify(asked)}, Date.now() + '\\n');
  return answer(question);
};
`,
  });
  const child = spawn(process.execPath, [toVitest(cwd), 'watch', 'evals', '--reporter=default'], {
    cwd,
    env: {
      ...cleanEnvironment(),
      ...env,
      EVAL_AGENT: 'module:./quick.ts',
      EVAL_PROMPT: prompt,
      EVAL_CACHE: 'off',
      // Watch mode asks for a limit before it may spend.
      EVAL_LIMIT: '20',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const firsts: number[] = [];
  const reports: number[] = [];
  try {
    await nextReport(child.stdout);
    for (let edit = 0; edit < EDITS; edit++) {
      await sleep(1_000);
      rmSync(asked, { force: true });
      const saved = Date.now();
      writeFileSync(prompt, `Answer ${edit}: {{question}}\n`);
      await nextReport(child.stdout);
      reports.push(Date.now() - saved);
      firsts.push(Number(readFileSync(asked, 'utf8').split('\n')[0]) - saved);
    }
  } finally {
    child.kill('SIGKILL');
  }
  const [first, report] = [median(firsts), median(reports)];
  const figure = [first, report].map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' / ');
  return { figure, holds: first <= 260 && report <= 320 };
}

/** Resolves when Vitest waits for the next change after a run in which all answers were right. */
function nextReport(stdout: NodeJS.ReadableStream): Promise<void> {
  let printed = '';
  return new Promise((resolve) => {
    stdout.on('data', function listen(chunk: Buffer) {
      printed += chunk.toString('utf8');
      if (!printed.includes('Waiting for file changes')) return;
      stdout.off('data', listen);
      resolve();
    });
  });
}
