import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { type Faults, faultSettings, runFaults, totalsOf } from './run-faults.ts';

const FAULTS: Faults = {
  'no-output': 'no_answer empty',
  'endless-output': 'errored bad_response',
  'leaves-a-child-that-holds-stdout': 'correct',
  'leaves-a-child-that-ignores-term': 'correct',
  'leaves-a-child-in-a-session-of-its-own': 'correct',
  'fails-and-leaves-a-child': 'errored agent_crash',
  'closes-stdin': 'correct',
  'closes-stdout': 'no_answer empty',
  'binary-then-answer': 'correct',
  binary: 'no_answer no final answer',
  'exits-1': 'errored agent_crash',
  'exits-1-with-an-answer': 'errored agent_crash',
  segfaults: 'errored agent_crash',
  'is-killed': 'errored agent_crash',
  'huge-stderr-then-answer': 'correct',
  'huge-stderr-then-exit': 'errored agent_crash',
  'removes-its-folder': 'correct',
  'locks-its-folder': 'correct',
  'is-refused-for-its-rate': 'errored rate_limit',
  'has-a-server-that-fails': 'errored server',
  'invents-a-kind': 'errored bad_response',
  'deep-json': 'no_answer no final answer',
  'no-fault-1': 'correct',
  'no-fault-2': 'correct',
};
const LONG = { timeout: 240_000 };
const ASKED_AGAIN = ['has-a-server-that-fails', 'is-refused-for-its-rate'];

/** Only these wait for their deadline. All others have one that no busy machine comes near. */
const ENDLESS: Faults = { 'ignores-term': 'timed_out timed_out', 'stops-itself': 'timed_out timed_out' };

test(
  'each fault of a command costs its own sample, and the next run asks again what was not its fault',
  LONG,
  async () => {
    const ids = Object.keys(FAULTS);
    const env = { ...commandSettings(ids), EVAL_TIMEOUT: '120' };
    const first = await runFaults(env);
    expect(first.outcomes).toEqual(FAULTS);
    expect(first.report).not.toContain('OUTSIDE THE ANSWERS');
    expect(readCalls(env).toSorted()).toEqual(ids.toSorted());
    expect(totalsOf(first)).toMatchObject({ complete: true, n: ids.length });

    const second = await runFaults(env);
    expect(second.outcomes).toEqual(FAULTS);
    expect(readCalls(env).slice(ids.length).toSorted()).toEqual(ASKED_AGAIN);
    expect(totalsOf(second)).toMatchObject({ complete: true, n: ids.length });
  },
);

test('a command that will not end costs its own sample alone, and is not asked again', LONG, async () => {
  const ids = Object.keys(ENDLESS);
  const env = { ...commandSettings(ids), EVAL_TIMEOUT: '5' };
  const first = await runFaults(env);
  expect(first.outcomes).toEqual(ENDLESS);
  expect(first.report).not.toContain('OUTSIDE THE ANSWERS');
  expect(totalsOf(first)).toMatchObject({ complete: true, n: ids.length });
  expect((await runFaults(env)).recalled.toSorted()).toEqual(ids);
});

function commandSettings(ids: readonly string[]) {
  const settings = faultSettings(ids, 'command:sh test/fixtures/faults-command/agent.sh');
  return { ...settings, FAULT_CALLS: join(makeFolder(), 'calls') };
}

function readCalls({ FAULT_CALLS }: { readonly FAULT_CALLS: string }): readonly string[] {
  return readFileSync(FAULT_CALLS, 'utf8').trimEnd().split('\n');
}
