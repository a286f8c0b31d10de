import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runScript, type Script } from './run-script.ts';
import { readRows, readStopped } from './run-vitest.ts';

const gates = [{ suite: 'scripted', dataset: 'script', group: 'all', min_accuracy: 0.5 }];

const LEFT_OUT: Script = ['a', 'b'].map((id) => ({ id, group: 'level 2', say: '18' }));

/** The calls of the scripted agent: sample, trial and process. */
function readCalls(file: string): readonly (readonly string[])[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => line.split(' '));
}

test('Ctrl-C stops a whole run at once; samples that a tag leaves out are not missing', async () => {
  const n = 1000;
  const script = Array.from({ length: n }, (_, at) => ({
    id: `q${at}`,
    group: 'level 1',
    say: '17',
    afterMs: 10,
  }));
  const calls = join(makeFolder(), 'calls');
  const run = await runScript([...script, ...LEFT_OUT], {
    gates,
    env: { EVAL_CONCURRENCY: '1', FIXTURE_CALLS: calls },
    args: ['run', 'evals', '--tags-filter=level1'],
    interrupt: { signal: 'SIGINT', afterRows: 1 },
  });
  const correct = readRows(join(run.dir, 'latest')).length;
  const { suites } = readStopped(join(run.dir, 'latest'));
  const states = { correct, not_run: n - correct };
  expect(suites[0]?.groups.at(-1)).toMatchObject({ n, states });
  expect(run.output).not.toMatch(/gates? holds?|\[object/);
  expect(run.output.trimEnd().split('\n').at(-1)).toContain(
    `interrupted; ${n - correct} of ${n} results`,
  );
  expect(run.code).toBe(130);
  // The last call was under way, and the one before it may have ended without its row. None began
  // while the report was made.
  expect(readCalls(calls).length - correct).toBeLessThanOrEqual(2);
});

test('no answer is late because its process was stopped, and a call that may be late is made again', async () => {
  const calls = join(makeFolder(), 'calls');
  const script = [
    { id: 'answers', say: '17', afterMs: 1000 },
    { id: 'fails', say: '!throw', afterMs: 1500 },
    { id: 'hangs', say: '17', afterMs: 60_000 },
  ];
  const env = { FIXTURE_CALLS: calls, FIXTURE_FINGERPRINT: 'v1', EVAL_TIMEOUT: '2' };
  const running = runScript(script, { env });
  while (readCalls(calls).length < 3) await sleep(20);
  const worker = Number(readCalls(calls)[0]?.[2]);
  process.kill(worker, 'SIGSTOP');
  await sleep(2500);
  process.kill(worker, 'SIGCONT');
  const { dir } = await running;
  const rows = readRows(join(dir, 'latest')).map(({ id, state, latency_ms }) => [
    id,
    state,
    latency_ms,
  ]);
  expect(rows).toEqual([
    // It may have been there before the process went on.
    ['answers', 'correct', null],
    ['fails', 'errored', expect.any(Number)],
    ['hangs', 'timed_out', 2000],
  ]);
  expect(
    readCalls(calls)
      .map(([id]) => id)
      .toSorted(),
  ).toEqual(['answers', 'fails', 'fails', 'hangs', 'hangs']);
});
