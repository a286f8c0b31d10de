import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findRun } from './find-run.ts';

/** An EVAL_DIR with three runs; those named here have results. */
function makeDir(withResults: readonly string[], latest?: string): string {
  const dir = realpathSync(makeFolder());
  for (const run of ['1', '2', '3']) mkdirSync(join(dir, 'runs', run), { recursive: true });
  for (const run of withResults) writeFileSync(join(dir, 'runs', run, 'samples.jsonl'), '{}\n');
  if (latest !== undefined) symlinkSync(join('runs', latest), join(dir, 'latest'));
  return dir;
}

describe('findRun', () => {
  test('takes a path as it is', () => {
    const dir = makeDir([]);
    expect(findRun(join(dir, 'runs/2'), dir, 'A')).toBe(join(dir, 'runs/2'));
  });

  test.each([
    ['what latest points to', ['1', '2', '3'], '2', '2'],
    ['the newest with results where that has none', ['1', '2'], '3', '2'],
    ['the newest with results where there is no link', ['1'], undefined, '1'],
  ])('takes for latest %s', (_rule, withResults, latest, expected) => {
    const dir = makeDir(withResults, latest);
    expect(findRun('latest', dir, 'A')).toBe(join(dir, 'runs', expected));
  });

  test('follows links, for latest moves on', () => {
    const dir = makeDir(['1'], '1');
    expect(findRun(join(dir, 'latest'), dir, 'A')).toBe(join(dir, 'runs/1'));
  });

  test('refuses what is not there, and names the nearest run', () => {
    const dir = makeDir(['1', '2']);
    expect(() => findRun(join(dir, 'run/2'), dir, 'EVAL_BASELINE')).toThrow(
      `EVAL_BASELINE must be the folder of an earlier run, or latest, got "${dir}/run/2". Did you mean ${dir}/runs/2?`,
    );
    const none = makeFolder();
    expect(() => findRun('latest', none, 'A')).toThrow(`got "latest". No run in ${none}/runs has results yet.`);
  });
});
