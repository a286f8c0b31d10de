import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { type FaultRun, type Faults, faultSettings, outcomesOf, runFaults } from './run-faults.ts';

const MODULE: Faults = {
  'throws-an-object-with-hostile-getters': 'errored agent_crash',
  'throws-an-error-with-hostile-getters': 'errored agent_crash',
  'throws-a-hostile-proxy': 'errored agent_crash',
  'throws-an-error-with-a-circular-cause': 'errored agent_crash',
  'throws-an-error-with-a-huge-message': 'errored agent_crash',
  'throws-an-error-with-control-codes': 'errored agent_crash',
  'never-settles': 'timed_out timed_out',
  'settles-twice': 'correct',
  'settles-after-its-deadline': 'timed_out timed_out',
  'rejects-after-its-deadline': 'timed_out timed_out',
  'changes-its-question': 'correct',
  'looks-for-the-truth': 'no_answer no final answer',
  'changes-its-context': 'correct',
  'exits-the-process': 'errored agent_crash',
  'exits-the-process-while-it-is-awaited': 'timed_out timed_out',
  'returns-a-big-count': 'errored bad_response',
  'returns-a-circle': 'errored bad_response',
  'returns-an-endless-trace': 'correct',
  'returns-a-hostile-trace': 'errored agent_crash',
  'returns-a-hostile-proxy': 'errored agent_crash',
  'returns-a-thenable-that-never-settles': 'timed_out timed_out',
  'returns-5-mb': 'correct',
  'returns-lone-surrogates': 'correct',
  'reports-nonsense': 'correct',
  'leaves-a-timer': 'correct',
  'leaves-a-server': 'correct',
  'throws-after-its-answer': 'correct',
  'rejects-after-its-answer': 'correct',
};

const COMMAND: Faults = {
  'leaves-a-child-that-holds-stdout': 'correct',
  'leaves-a-child-that-ignores-term': 'correct',
  'fails-and-leaves-a-child': 'errored agent_crash',
  'closes-stdout': 'no_answer empty',
  'binary-then-answer': 'correct',
  binary: 'no_answer no final answer',
  'exits-1-with-an-answer': 'errored agent_crash',
  'is-killed': 'errored agent_crash',
  'huge-stderr-then-answer': 'correct',
  'huge-stderr-then-exit': 'errored agent_crash',
  'removes-its-folder': 'correct',
  'locks-its-folder': 'correct',
  'is-refused-for-its-rate': 'errored rate_limit',
  'has-a-server-that-fails': 'errored server',
  'invents-a-kind': 'errored bad_response',
  'deep-json': 'correct',
  // Only these wait for their deadline.
  'stops-itself': 'timed_out timed_out',
};

/** What a module changes of its process. */
const PROCESS: Faults = {
  'changes-the-folder': 'correct',
  'changes-the-console': 'correct',
  'changes-the-environment': 'correct',
};

const FIXTURES = 'test/fixtures';
const AGENTS = [
  [`module:./${FIXTURES}/faults-module/agent.ts`, MODULE],
  [`command:sh ${FIXTURES}/faults-command/agent.sh`, COMMAND],
  [`module:./${FIXTURES}/faults-module/global-agent.ts`, PROCESS],
] as const;
const ASKED_AGAIN = ['has-a-server-that-fails', 'is-refused-for-its-rate'];

// What comes of simpler faults is checked beside module.ts and command.ts.
test('each fault of a module or command costs its own sample, and the next run asks again what is not its fault', async () => {
  // Each agent answers a question that names a fault of another one rightly.
  const ids = AGENTS.flatMap(([, faults]) => Object.keys(faults));
  const settings = faultSettings(ids, AGENTS.map(([agent]) => agent).join());
  // The cache must not move with the folder of the process.
  const dir = relative(ROOT, settings['EVAL_DIR'] ?? '');
  const env = { ...settings, EVAL_DIR: dir, EVAL_TIMEOUT: '15' };
  const first = await runFaults(env);
  expectOutcomes(first, ids);
  expect(first.code).toBe(1);
  expect(first.report).toContain('nobody waits for this throw');
  expect(first.report).toContain('nobody waits for this rejection');
  expect(first.report).not.toContain('\u001b[2J');
  const second = await runFaults(env);
  expectOutcomes(second, ids);
  expect(askedIn(first)).toHaveLength(AGENTS.length * ids.length);
  expect(askedIn(second)).toEqual(ASKED_AGAIN);
});

function expectOutcomes({ rows }: FaultRun, ids: readonly string[]): void {
  const sound = Object.fromEntries(ids.map((id) => [id, 'correct']));
  for (const [agent, faults] of AGENTS)
    expect(outcomesOf(rows.filter((row) => row.agent === agent))).toEqual({ ...sound, ...faults });
}

function askedIn({ rows }: FaultRun): readonly string[] {
  return rows.flatMap(({ id, cached }) => (cached ? [] : [id])).toSorted();
}
