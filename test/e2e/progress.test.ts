import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { PROJECT, scriptSettings } from './run-script.ts';
import { cleanEnvironment, ROOT } from './run-vitest.ts';

const CLEAR = '\r\u001B[2K';

test('a terminal shows one line that is gone at the end, and a gate that names no suite fails the run', async () => {
  const script = ['a', 'b', 'c', 'd'].map((id, index) => ({
    id,
    say: '17',
    afterMs: 300 * (index + 1),
  }));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const command = `'${process.execPath}' '${vitest}' run evals`;
  const gates = [{ suite: 'scriptd', dataset: 'script', group: 'all', min_accuracy: 0.5 }];
  const env = {
    ...cleanEnvironment(),
    ...scriptSettings(script, gates),
    EVAL_DIR: makeFolder(),
    TERM: 'xterm',
  };
  const { stdout } = await promisify(execFile)('script', ['-qfc', command, '/dev/null'], {
    cwd: PROJECT,
    env,
  });
  const drawn = stdout.split(CLEAR);
  expect(drawn.filter((text) => /^scripted [0-4]\/4 /.test(text)).length).toBeGreaterThan(2);
  expect(drawn).toContainEqual(
    expect.stringMatching(/^scripted [1-3]\/4 .*100\.0 % correct so far/),
  );
  const screen = stdout.split('\n').map((line) => line.split(CLEAR).at(-1) ?? '');
  expect(screen.filter((line) => /^scripted \d\/4/.test(line))).toEqual([]);
  expect(stdout).toMatch(/Tests .*4 passed/);
  expect(stdout).toMatch(/exit 1: a gate names a suite .+"scriptd"/);
});
