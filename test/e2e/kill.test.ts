import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { PROJECT, runScript, scriptSettings } from './run-script.ts';
import { cleanEnvironment, ROOT, readRows, readSummary } from './run-vitest.ts';

const VICTIMS = ['main', 'worker'] as const;
const CONCURRENCY = 6;
const script = Array.from({ length: 60 }, (_, index) => ({
  id: `q${index}`,
  say: `FINAL ANSWER: ${index % 4 === 0 ? 18 : 17}`,
  afterMs: 60 + (index % 7) * 20,
}));

type Call = { readonly id: string; readonly pid: number };

function readCalls(file: string): Call[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => ({ id: line.split(' ')[0] ?? '', pid: Number(line.split(' ')[2]) }));
}

/** Questions whose answer is whole on disk. */
function readKept(dir: string): Set<string> {
  const folder = join(dir, 'cache/scripted');
  if (!existsSync(folder)) return new Set();
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const whole = lines.filter((line) => line.endsWith('}}'));
  return new Set(whole.map((line) => String(JSON.parse(line).parts.question)));
}

async function untilGone(pid: number): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 10) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(10);
  }
  throw new Error(`Process ${pid} outlived its run.`);
}

/** Starts a run and kills it, or its worker, once so many new calls have been made. */
async function runAndKill(env: NodeJS.ProcessEnv, calls: string, newCalls: number, victim: 'main' | 'worker') {
  const before = readCalls(calls).length;
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child: ChildProcess = spawn(process.execPath, [vitest, 'run', 'evals'], { cwd: PROJECT, env, stdio: 'ignore' });
  const closed = new Promise((resolve) => child.on('close', resolve));
  while (child.exitCode === null && readCalls(calls).length < before + newCalls) await sleep(5);
  const worker = readCalls(calls).at(-1)?.pid ?? 0;
  process.kill(victim === 'main' ? (child.pid ?? 0) : worker, 'SIGKILL');
  await closed;
  await untilGone(worker);
  return readCalls(calls).slice(before);
}

test('kill -9 loses no answer that was written, and the run ends as one that was left alone', async () => {
  const dir = makeFolder();
  const calls = join(dir, 'calls');
  const settings = {
    ...scriptSettings(script),
    EVAL_DIR: dir,
    EVAL_CONCURRENCY: String(CONCURRENCY),
    FIXTURE_CALLS: calls,
    FIXTURE_FINGERPRINT: 'v1',
  };
  const env = { ...cleanEnvironment(), ...settings };
  let repeated = 0;
  for (const [kill, victim] of VICTIMS.entries()) {
    const kept = readKept(dir).size;
    const asked = await runAndKill(env, calls, 1 + 7 * kill, victim);
    // What was asked and is not on disk was under way when the kill came: at most one call for each slot.
    const lost = asked.length - (readKept(dir).size - kept);
    expect(lost).toBeLessThanOrEqual(CONCURRENCY);
    repeated += lost;
    if (victim === 'worker') {
      const all = readSummary(join(dir, 'latest')).suites[0]?.groups.at(-1);
      expect(all).toMatchObject({ n: script.length, accuracy: null });
      expect(all?.states.not_run).toBeGreaterThan(0);
    }
  }
  await runScript(script, { env: settings });
  const all = readCalls(calls);
  expect(new Set(all.map(({ id }) => id)).size).toBe(script.length);
  // Every call beyond the first of a question was one that a kill lost: no answer on disk was asked for again.
  expect(all.length).toBe(script.length + repeated);
  const latest = readlinkSync(join(dir, 'latest'));
  const dry = await runScript(script, { env: { ...settings, EVAL_DRY_RUN: '1' } });
  expect(dry.output).toMatch(/scripted, scripted: 60 trials, 60 from the cache \(0 min old\), nothing to ask/);
  expect(dry.output.trimEnd().split('\n').at(-1)).toContain('exit 0: a dry run asks nothing.');
  expect(readlinkSync(join(dir, 'latest'))).toBe(latest);
  const states = readRows(join(dir, 'latest')).map(({ id, state }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual(
    Object.fromEntries(script.map(({ id, say }) => [id, say.endsWith('17') ? 'correct' : 'incorrect'])),
  );
}, 60_000);
