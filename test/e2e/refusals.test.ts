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
  for (const said of [
    'EVAL_LIMTI ("3") is not a setting. Did you mean EVAL_LIMIT?',
    'EVAL_TIMEOUT must be a number of seconds from 0.001 to 2147483, got "0".',
  ])
    expect(run.output.split(said)).toHaveLength(2);
  expect(run.output).not.toContain('RUN ERROR');
  expect(run.output).toMatch(/^ {2}exit 1: nothing was asked: see the error above$/m);
  expect([readdirSync(join(dir, 'runs')), readlinkSync(join(dir, 'latest'))]).toEqual([
    [basename(earlier)],
    earlier,
  ]);
});
