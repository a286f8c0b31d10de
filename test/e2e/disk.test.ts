import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runScript } from './run-script.ts';
import { runFolderOf, type VitestRun } from './run-vitest.ts';

/** Runs right answers of 1.5 s, two unless given, and does something to the run folder while they are awaited. */
async function spoil(
  deed: (runFolder: string) => void,
  ids = ['a', 'b'],
  concurrency = 2,
): Promise<VitestRun & { asked: number }> {
  const dir = makeFolder();
  const calls = join(dir, 'calls');
  const script = ids.map((id) => ({ id, say: 'FINAL ANSWER: 17', afterMs: 1500 }));
  const run = runScript(script, {
    env: { EVAL_DIR: dir, FIXTURE_CALLS: calls, EVAL_CONCURRENCY: String(concurrency) },
  });
  while (!existsSync(calls)) await sleep(10);
  deed(runFolderOf(dir));
  return { ...(await run), asked: readFileSync(calls, 'utf8').trimEnd().split('\n').length };
}

function fillRows(runFolder: string): void {
  const log = join(runFolder, 'samples.jsonl');
  rmSync(log);
  symlinkSync('/dev/full', log);
}

describe('a disk that fails', () => {
  test('before the run: the run folder cannot be made, and nothing is asked', async () => {
    const run = await runScript([{ id: 'a', say: '17' }], { env: { EVAL_DIR: '/proc/nope' } });
    expect(run.code).toBe(1);
    expect(run.output).toContain('The run folder cannot be made: /proc/nope/runs. Make it writable or set EVAL_DIR');
  });

  test('at the rows: they are lost, and no accuracy is claimed', async () => {
    const { code, report } = await spoil(fillRows);
    expect(code).toBe(1);
    expect(report).toContain('NOT COMPLETE: 2 of 2 results were not run');
    expect(report).toContain('ENOSPC');
  });

  test('at the rows: no call is begun but the one that took the slot meanwhile', async () => {
    const { asked, report } = await spoil(fillRows, ['a', 'b', 'c', 'd'], 1);
    expect(asked).toBe(2);
    expect(report).toContain('ENOSPC');
  });

  test('at the answers: no further one is paid for, and the report says why', async () => {
    const dir = makeFolder({ cache: 'a file where a folder should be' });
    const calls = join(dir, 'calls');
    const script = ['a', 'b', 'c'].map((id) => ({ id, say: 'FINAL ANSWER: 17', afterMs: 20 }));
    const settings = { EVAL_DIR: dir, FIXTURE_CALLS: calls, FIXTURE_FINGERPRINT: 'v1', EVAL_CONCURRENCY: '1' };
    const { code, report } = await runScript(script, { env: settings });
    expect(code).toBe(1);
    expect(readFileSync(calls, 'utf8').trimEnd().split('\n')).toHaveLength(1);
    expect(report).toContain('NOT COMPLETE: 2 of 3 results were not run (disk 2)');
    expect(report).toMatch(/STOPPED: An answer cannot be kept in .*cache\/scripted/);
  });

  test('at the end: the figures are shown although they cannot be written', async () => {
    const { code, report } = await spoil((folder) => mkdirSync(join(folder, 'summary.json')));
    expect(code).toBe(1);
    expect(report).toContain('100.0 %');
    expect(report).toContain('exit 1: the run folder cannot be completed (');
  });

  test('under the run: its folder is removed', async () => {
    const { code, output } = await spoil((folder) => rmSync(folder, { recursive: true }));
    expect(code).toBe(1);
    expect(output).toContain('exit 1: the run folder cannot be read (');
  });
});
