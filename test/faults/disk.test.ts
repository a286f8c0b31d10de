import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readSummary, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { faultSettings, runFaults } from './run-faults.ts';

const AGENT = 'module:./test/fixtures/faults-module/slow-agent.ts';
const ALL_RIGHT = { a: 'correct', b: 'correct', c: 'incorrect', d: 'correct' };

/** Asks four questions one after the other, of which the third is answered wrongly, and does something while the second is asked. */
async function spoil(deed: (runFolder: string, dir: string) => void) {
  const calls = join(makeFolder(), 'calls');
  const settings = faultSettings(['a', 'b', 'c', 'd'], AGENT);
  const env = { ...settings, EVAL_CONCURRENCY: '1', EVAL_MIN_ACCURACY: '0.5', FAULT_CALLS: calls };
  const dir = settings['EVAL_DIR'] ?? '';
  const running = runFaults(env);
  while (readCalls(calls).length < 2) await sleep(10);
  const folder = runFolderOf(dir);
  while (!existsSync(join(folder, 'traces'))) await sleep(10);
  deed(folder, dir);
  writeFileSync(`${calls}.done`, '');
  return { ...(await running), folder, asked: () => readCalls(calls) };
}

function readCalls(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** What a run would ask of the four now. */
async function countKept(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { output } = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_DRY_RUN: '1' });
  return /4 trials, (\d) from the cache/.exec(output)?.[1];
}

describe('a disk that fails during a run', () => {
  test('where traces belong: every row is kept, the figures are shown, and the run fails', async () => {
    const run = await spoil((folder) => {
      rmSync(join(folder, 'traces'), { recursive: true });
      writeFileSync(join(folder, 'traces'), 'a file where a folder should be');
    });
    expect(run.outcomes).toEqual(ALL_RIGHT);
    expect(run.code).toBe(1);
    expect(run.report).toContain('75.0 %');
    expect(run.report).toContain('exit 1: the run folder cannot be completed (ENOTDIR');
    expect(run.report).toMatch(/b: its row says correct, its test failed: (ENOTDIR|EEXIST)/);
    expect(readSummary(run.folder).complete).toBe(true);
  });

  test('where the report belongs: all else is written, and the run fails', async () => {
    const run = await spoil((folder) => mkdirSync(join(folder, 'report.html')));
    expect(run.outcomes).toEqual(ALL_RIGHT);
    expect(run.code).toBe(1);
    expect(run.report).toContain('75.0 %');
    expect(run.report).toContain('exit 1: the run folder cannot be completed (EISDIR');
    expect(readSummary(run.folder).complete).toBe(true);
    const written = readdirSync(run.folder).filter(
      (name) => /^(answers|submission|summary)/.test(name) || /tmp$/.test(name),
    );
    expect(written.toSorted()).toEqual(['answers.csv', 'submission.jsonl', 'summary.json', 'summary.md']);
  });

  test('at the cache, which is removed: what cannot be kept is not asked', async () => {
    const run = await spoil((_, dir) => rmSync(join(dir, 'cache'), { recursive: true }));
    expect(run.outcomes).toEqual({ a: 'correct', b: 'correct', c: 'not_run disk', d: 'not_run disk' });
    expect(run.asked()).toEqual(['a', 'b']);
    expect(run.code).toBe(1);
    expect(run.report).toMatch(/STOPPED: An answer cannot be kept in .*cache\/gaia \(.* was removed/);
    expect(await countKept(run.env)).toBe('0');
  });

  test('at the run folder, which is removed: the answers are kept, and no other is asked', async () => {
    const run = await spoil((folder) => rmSync(folder, { recursive: true }));
    expect(run.outcomes).toEqual({});
    expect(run.asked()).toEqual(['a', 'b', 'c']);
    expect(run.code).toBe(1);
    expect(run.output).toContain('exit 1: the run folder cannot be read (');
    expect(await countKept(run.env)).toBe('3');
  });

  test.skipIf(process.getuid?.() === 0)('at the run folder, which may no longer be written to', async () => {
    const run = await spoil((folder) => chmodSync(folder, 0o555));
    chmodSync(run.folder, 0o755);
    expect(run.outcomes).toEqual(ALL_RIGHT);
    expect(run.code).toBe(1);
    expect(run.report).toContain('75.0 %');
    expect(run.report).toContain('exit 1: the run folder cannot be completed (EACCES');
  });
});
