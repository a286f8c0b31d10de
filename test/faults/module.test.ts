import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, readRows } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { type Faults, faultSettings, latest, runFaults, totalsOf } from './run-faults.ts';

const FAULTS: Faults = {
  'throws-an-error': 'errored agent_crash',
  'throws-a-text': 'errored agent_crash',
  'throws-null': 'errored agent_crash',
  'throws-nothing': 'errored agent_crash',
  'throws-a-symbol': 'errored agent_crash',
  'throws-an-object-with-hostile-getters': 'errored agent_crash',
  'throws-an-object-with-a-hostile-view': 'errored agent_crash',
  'throws-an-error-with-hostile-getters': 'errored agent_crash',
  'throws-an-error-with-odd-fields': 'errored agent_crash',
  'throws-a-hostile-proxy': 'errored agent_crash',
  'throws-an-error-with-a-circular-cause': 'errored agent_crash',
  'throws-an-error-with-a-huge-message': 'errored agent_crash',
  'throws-an-error-with-control-codes': 'errored agent_crash',
  rejects: 'errored agent_crash',
  'rejects-with-null': 'errored agent_crash',
  'never-settles': 'timed_out timed_out',
  'settles-twice': 'correct',
  'settles-after-its-deadline': 'timed_out timed_out',
  'rejects-after-its-deadline': 'timed_out timed_out',
  'changes-its-question': 'correct',
  'looks-for-the-truth': 'no_answer no final answer',
  'changes-its-context': 'correct',
  'exits-the-process': 'errored agent_crash',
  'exits-the-process-while-it-is-awaited': 'timed_out timed_out',
  'returns-a-number': 'errored bad_response',
  'returns-null': 'errored bad_response',
  'returns-nothing': 'errored bad_response',
  'returns-a-symbol': 'errored bad_response',
  'returns-a-function': 'errored bad_response',
  'returns-a-list': 'errored bad_response',
  'returns-a-text-object': 'errored bad_response',
  'returns-a-big-count': 'errored bad_response',
  'returns-no-finite-cost': 'errored bad_response',
  'returns-a-circle': 'errored bad_response',
  'returns-an-endless-trace': 'correct',
  'returns-a-hostile-trace': 'errored agent_crash',
  'returns-a-hostile-proxy': 'errored agent_crash',
  'returns-what-changes-as-it-is-read': 'correct',
  'returns-a-thenable-that-never-settles': 'timed_out timed_out',
  'returns-a-thenable-that-throws': 'errored agent_crash',
  'returns-5-mb': 'correct',
  'returns-lone-surrogates': 'correct',
  'returns-a-reason-that-is-none': 'no_answer __proto__',
  'reports-nonsense': 'correct',
  'leaves-a-timer': 'correct',
  'leaves-a-server': 'correct',
  'throws-after-its-answer': 'correct',
  'rejects-after-its-answer': 'correct',
  'rejects-with-hostility-after-its-answer': 'correct',
  'no-fault-1': 'correct',
  'no-fault-2': 'correct',
};

test('each fault of a module costs its own sample, and the next run asks none of them again', async () => {
  const ids = Object.keys(FAULTS);
  const calls = join(makeFolder(), 'calls');
  const settings = faultSettings(ids, 'module:./test/fixtures/faults-module/agent.ts');
  const env = { ...settings, FAULT_CALLS: calls, EVAL_TIMEOUT: '2' };
  const first = await runFaults(env);
  expect(first.outcomes).toEqual(FAULTS);
  expect(totalsOf(first)).toMatchObject({ complete: true, n: ids.length });
  expect(first.code).toBe(1);
  expect(first.report).toContain('nobody waits for this throw');
  expect(first.report).toContain('nobody waits for this rejection');
  expect(first.report).not.toContain('\u001b[2J');

  const second = await runFaults(env);
  expect(second.outcomes).toEqual(FAULTS);
  expect(second.recalled.toSorted()).toEqual(ids.toSorted());
  expect(readCalls(calls).toSorted()).toEqual(ids.toSorted());
});

const CHANGES: Faults = {
  'changes-the-folder': 'correct',
  'changes-the-console': 'correct',
  'changes-the-environment': 'correct',
  'never-settles': 'timed_out timed_out',
  'no-fault': 'correct',
};

test('what a module changes of its process at once spoils no other sample, and none of its times', async () => {
  const settings = faultSettings(Object.keys(CHANGES), 'module:./test/fixtures/faults-module/global-agent.ts');
  // The cache must not move with the folder of the process.
  const dir = relative(ROOT, settings['EVAL_DIR'] ?? '');
  const env = { ...settings, EVAL_DIR: dir, EVAL_TIMEOUT: '0.5', EVAL_CONCURRENCY: '1' };
  const before = new Date().toISOString();
  const first = await runFaults(env);
  expect(first.outcomes).toEqual(CHANGES);
  expect(totalsOf(first)).toMatchObject({ complete: true });
  for (const { started_at, answered_at, latency_ms } of readRows(latest(dir))) {
    expect([before, started_at, answered_at].toSorted()).toEqual([before, started_at, answered_at]);
    expect(latency_ms).toBeGreaterThan(0);
  }
  expect((await runFaults(env)).recalled).toHaveLength(Object.keys(CHANGES).length);
});

test('a module that kills its process costs the run, and no answer', async () => {
  const id = 'kills-its-process';
  const calls = join(makeFolder(), 'calls');
  const settings = faultSettings(
    ['no-fault-1', id, 'no-fault-2'],
    'module:./test/fixtures/faults-module/global-agent.ts',
  );
  const env = { ...settings, FAULT_CALLS: calls, EVAL_CONCURRENCY: '1' };
  const first = await runFaults(env);
  expect(first.code).toBe(1);
  expect(first.report).toMatch(/NOT COMPLETE: \d of 3 results (?:was|were) not run \(crash \d\)/);
  expect(totalsOf(first)).toMatchObject({ complete: false, accuracy: null });
  expect(readCalls(calls)).toEqual(['no-fault-1', id]);

  const second = await runFaults({ ...env, EVAL_IDS: 'no-fault-*' });
  expect(second.outcomes).toEqual({ 'no-fault-1': 'correct', 'no-fault-2': 'correct' });
  expect(readCalls(calls)).toEqual(['no-fault-1', id, 'no-fault-2']);
});

function readCalls(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
