import { readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runVitest } from './run-vitest.ts';

test('wrong settings are reported once, stop the evals, and leave no files', async () => {
  const earlier = 'runs/20260101T000000Z-earlier';
  const dir = makeFolder({ [`${earlier}/samples.jsonl`]: '' });
  symlinkSync(earlier, join(dir, 'latest'));
  const env = { EVAL_LIMTI: '3', EVAL_TIMEOUT: '0', EVAL_DIR: dir };
  const run = await runVitest(['run', 'evals'], env);
  expect(run.code).toBe(1);
  expect(run.output).toMatch(/Test Files .*2 failed/);
  for (const problem of ['EVAL_LIMTI ("3") is not', 'EVAL_TIMEOUT must be'])
    expect(run.output.split(problem)).toHaveLength(2);
  expect(run.output).not.toContain('RUN ERROR');
  expect(run.output).toMatch(/^ {2}exit 1: nothing was asked: see the error above$/m);
  expect([readdirSync(join(dir, 'runs')), readlinkSync(join(dir, 'latest'))]).toEqual([
    [basename(earlier)],
    earlier,
  ]);
});
