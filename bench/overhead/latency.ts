import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cleanEnvironment } from '../../test/e2e/run-vitest.ts';
import { median } from '../measure/median.ts';
import type { AskedRow } from './live.ts';

/** How a model of 300 ms is asked, and what its median may be at most. */
export type LatencyCell = Readonly<{ atOnce: number; form: 'whole' | 'stream'; mostMs: number }>;

type Measured = Readonly<{ figure: string; holds: boolean }>;

/** Medians by viva and by the SDK alone, in turn against one server in a process of its own. */
export async function measureLatency(
  { atOnce, form, mostMs }: LatencyCell,
  given: Readonly<{ ms: number; questions: number }>,
  askThrough: (agent: string, env: Env) => Promise<readonly AskedRow[]>,
): Promise<Measured> {
  const server = await startServer(given.ms, given.questions);
  try {
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1` };
    const bare = await askBare([String(atOnce), String(given.questions), form], env);
    const agent = `openai-chat:made-up${form === 'stream' ? '?stream=on' : ''}`;
    const rows = await askThrough(agent, { ...env, EVAL_CONCURRENCY: String(atOnce) });
    const ours = median(rows.map(({ latency }) => latency));
    const own = median(rows.map(({ own_delay_ms = 0 }) => own_delay_ms));
    const figure = `${ours.toFixed(0)} ms, SDK alone ${median(bare).toFixed(0)}, own delay ${own.toFixed(0)}`;
    return { figure, holds: ours <= mostMs };
  } finally {
    server.stop();
  }
}

type Env = Readonly<Record<string, string>>;

async function startServer(ms: number, questions: number) {
  const args = [join(import.meta.dirname, 'model-server.ts'), String(ms), String(questions)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(createInterface(child.stdout), 'line');
  return { port: Number(port), stop: () => void child.kill() };
}

async function askBare(args: readonly string[], env: Env): Promise<readonly number[]> {
  const file = join(import.meta.dirname, 'bare-sdk.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { ...cleanEnvironment(), ...env },
  });
  return JSON.parse(stdout);
}
