import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { readAnsweredRun } from '../../reporters/past-run.ts';
import { checkRun } from '../../src/cli/verify.ts';
import type { Summary } from '../../src/words/figures.ts';
import { hasRun, type SampleResult } from '../../src/words/row.ts';
import { tryOrUndefined } from '../../src/words/show.ts';
import { makeFolder } from '../make-folder.ts';

/** A Vitest run of this project in a process of its own, as a user would see it. */
export type VitestRun = {
  readonly code: number | null;
  /** What it printed, without colours. */
  readonly output: string;
  /** EVAL_DIR of the run. */
  readonly dir: string;
  /** The lines from the first table title on. */
  readonly report: string;
};

/** A signal to send once the run has put so many rows on disk. */
export type Interrupt = { readonly signal: NodeJS.Signals; readonly afterRows: number };

export type RunOptions = {
  readonly cwd?: string;
  readonly interrupt?: Interrupt;
  /** The largest file that it may write, in KiB: what is longer fails as on a full disk. */
  readonly fileLimit?: number;
  /** How many files each of its processes may have open. */
  readonly openFiles?: number;
};

export const ROOT = join(import.meta.dirname, '../..');

/**
 * Runs `vitest` with arguments and settings in a folder of results that is removed after the test.
 */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { cwd = ROOT, interrupt, fileLimit, openFiles }: RunOptions = {},
): Promise<VitestRun> {
  const dir = env['EVAL_DIR'] ?? makeFolder();
  const before = countRows(dir);
  const limits = `ulimit -f ${fileLimit ?? 'unlimited'} -n ${openFiles ?? '$(ulimit -n)'}; `;
  const words = [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args];
  const child = spawn('bash', ['-c', `${limits}exec "$0" "$@"`, ...words], {
    cwd,
    env: { ...cleanEnvironment(), EVAL_DIR: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  if (interrupt !== undefined) await sendSignal(child, dir, interrupt, before);
  const code = await promise;
  const output = stripVTControlCharacters(Buffer.concat(chunks).toString('utf8'));
  return { code, output, dir, report: output.slice(Math.max(0, output.search(/^(gaia|mcq) · /m))) };
}

/** Arguments for Vitest's reporters with these names, each of which writes a file of its name. */
export function writeReports(folder: string, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [
    `--reporter=${name}`,
    `--outputFile.${name}=${join(folder, name)}`,
  ]);
}

/** The only run folder below an EVAL_DIR. */
export function runFolderOf(dir: string): string {
  const folders = readdirSync(join(dir, 'runs'));
  if (folders.length === 1) return join(dir, 'runs', String(folders[0]));
  throw new Error(
    `Expected one run folder in ${dir}/runs, got ${folders.length}: ${folders.join(', ')}.`,
  );
}

/** The whole rows of a run folder; none when nothing was asked. A full disk cuts off the last one. */
export function readRows(runFolder: string): SampleResult[] {
  const file = join(runFolder, 'samples.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => tryOrUndefined((): SampleResult => JSON.parse(line)) ?? []);
}

/**
 * The figures of a run, which must verify: each test that reads them says so of another kind of
 * run.
 */
export function readSummary(runFolder: string): Summary {
  if (readRows(runFolder).some(hasRun)) {
    expect(checkRun(readAnsweredRun(realpathSync(runFolder))).problems).toEqual([]);
  }
  return JSON.parse(readFileSync(join(runFolder, 'summary.json'), 'utf8'));
}

/**
 * The figures of a run that stopped early: an agent that was not asked all has bounds in place of
 * an accuracy.
 */
export function readStopped(runFolder: string): Summary {
  const summary = readSummary(runFolder);
  expect(summary.complete).toBe(false);
  for (const { groups } of summary.suites) {
    const { n = 0, states, accuracy = 0, bounds } = groups.at(-1) ?? {};
    const [right, open] = [states?.correct ?? 0, states?.not_run ?? 0];
    expect([accuracy === null, bounds]).toEqual([open > 0, [right / n, (right + open) / n]]);
  }
  return summary;
}

async function sendSignal(
  child: ChildProcess,
  dir: string,
  interrupt: Interrupt,
  before: number,
): Promise<void> {
  const { signal, afterRows } = interrupt;
  while (child.exitCode === null && countRows(dir) < before + afterRows) await sleep(20);
  child.kill(signal);
}

function countRows(dir: string): number {
  const runs = join(dir, 'runs');
  if (!existsSync(runs)) return 0;
  const logs = readdirSync(runs).map((folder) => join(runs, folder, 'samples.jsonl'));
  return logs
    .filter((log) => existsSync(log))
    .reduce((sum, log) => sum + readFileSync(log, 'utf8').split('\n').length - 1, 0);
}

/**
 * The parent's environment without what would change a run: its own settings, CI and the outer
 * Vitest.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(EVAL_|VITEST|VIVA_|CI$|NODE_ENV$|TEST$|FORCE_COLOR$|GITHUB_)/.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
