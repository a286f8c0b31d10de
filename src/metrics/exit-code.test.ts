import { expect, it } from 'vitest';
import { decideExit, type ExitInput, type SuiteOutcome } from './exit-code.ts';
import type { Gate, GateResult } from './gates.ts';

const GAIA: SuiteOutcome = { suite: 'gaia', dataset: 'sample', agent: 'replay', failed: 5 };
const MCQ: SuiteOutcome = { suite: 'mcq', dataset: 'sample', agent: 'replay', failed: 0 };

/** The result of a gate on gaia (sample), unless the gate says otherwise. */
function toGate(holds: boolean | null, gate: Partial<Gate> = {}, agent = 'replay'): GateResult {
  const whole = { suite: 'gaia', dataset: 'sample', group: 'all', ...gate };
  return { gate: whole, agent, measure: 'min_accuracy', holds, value: null, threshold: 0.6, explanation: 'because' };
}

const [holds, missed, unknown] = [toGate(true), toGate(false), toGate(null)];
const advisory = [true, false, null].map((verdict) => toGate(verdict, { advisory: true }));

const QUIET: ExitInput = {
  suites: [GAIA],
  gates: [],
  complete: true,
  narrowed: false,
  dryRun: false,
  sharded: false,
  refused: [],
  strayGates: [],
  notRunBecause: null,
  endedWith: undefined,
  outside: [],
  notRun: [],
  duplicates: [],
};

const MISSED = 'min_accuracy of group all is missed';
const NO_GATE = 'failed cases and no gate';

it.each<[Partial<ExitInput>, string]>([
  [{ suites: [] }, 'exit code left to Vitest: no eval suite ran'],
  [{ suites: [], outside: ['boom'] }, 'exit 1: run error: boom'],
  // Failed cases, and no gate.
  [{}, `exit 1: gaia (sample): 5 ${NO_GATE}`],
  [{ suites: [MCQ, { ...MCQ, agent: 'b' }] }, 'exit 0: mcq (sample): no failed case and no gate'],
  [
    { suites: [GAIA, MCQ, { ...MCQ, agent: 'b', failed: 2 }] },
    `exit 1: gaia (sample) by replay: 5 ${NO_GATE}; mcq (sample) by b: 2 ${NO_GATE}`,
  ],
  // Gates. Where one decides, failed cases do not.
  [{ gates: [holds] }, 'exit 0: the gate holds'],
  [{ gates: [holds, holds] }, 'exit 0: all 2 gates hold'],
  [{ gates: [holds, missed] }, `exit 1: gaia (sample): ${MISSED}`],
  [{ gates: [holds], strayGates: ['no suite is named "gaai"'] }, 'exit 1: no suite is named "gaai"'],
  [
    { gates: [holds], strayGates: ['no suite'], sharded: true },
    'exit 0: the shard is complete; gates are judged by --merge-reports',
  ],
  [{ gates: [unknown] }, 'exit 1: gaia (sample): min_accuracy cannot be judged: because'],
  [{ gates: [holds, toGate(false, {}, 'two')] }, `exit 1: gaia (sample) by two: ${MISSED}`],
  [{ suites: [GAIA, MCQ], gates: [holds] }, 'exit 0: the gate holds; mcq (sample): no failed case and no gate'],
  [{ suites: [GAIA, { ...MCQ, failed: 2 }], gates: [holds] }, `exit 1: mcq (sample): 2 ${NO_GATE}`],
  [{ suites: [GAIA, { ...GAIA, dataset: 'own' }], gates: [holds] }, `exit 1: gaia (own): 5 ${NO_GATE}`],
  [{ gates: [holds, ...advisory] }, 'exit 0: the gate holds; advisory gates that do not hold: 2'],
  [{ gates: advisory }, `exit 1: gaia (sample): 5 ${NO_GATE}`],
  // Runs whose gates and failed cases decide nothing.
  [
    { narrowed: true, gates: [missed] },
    'exit code left to Vitest: with -t, tags or --last-failed, gates are shown but decide nothing',
  ],
  [{ narrowed: true, gates: [missed], notRun: ['a'] }, 'exit 1: missing result: a'],
  [{ sharded: true, gates: [missed] }, 'exit 0: the shard is complete; gates are judged by --merge-reports'],
  [{ sharded: true, notRun: ['a'] }, 'exit 1: missing result: a'],
  [{ dryRun: true, suites: [] }, 'exit 0: a dry run asks nothing. Unset EVAL_DRY_RUN to run the evals.'],
  [{ dryRun: true, suites: [], outside: ['boom'] }, 'exit 1: run error: boom'],
  // What is wrong with the run, whatever its gates.
  [{ gates: [holds], outside: ['\n  x  \n at line 1'] }, 'exit 1: run error: x'],
  [{ gates: [holds], outside: ['a', 'b'] }, 'exit 1: 2 run errors, the first: a'],
  [
    { gates: [holds], notRun: ['q1', 'q2'], notRunBecause: 'quota 2: a was refused' },
    'exit 1: 2 missing results (quota 2: a was refused), the first: q1',
  ],
  [{ suites: [MCQ], complete: false }, 'exit 1: the run is incomplete: not every selected sample was run'],
  [{ suites: [MCQ], complete: false, notRun: ['q1'] }, 'exit 1: missing result: q1'],
  [{ suites: [MCQ], complete: false, refused: ['x.ts'] }, 'exit 1: refused before anything was asked: x.ts'],
  [
    { outside: ['e'], notRun: ['m'], duplicates: ['d'] },
    'exit 1: run error: e; missing result: m; duplicate result: d; and 1 more',
  ],
  // After Ctrl-C the code of the process stays.
  [{ suites: [MCQ], endedWith: 130 }, 'exit 130: the run was interrupted'],
  [{ suites: [MCQ], notRun: ['a'], endedWith: 130 }, 'exit 130: the run was interrupted; missing result: a'],
])('%j: %s', (input, reason) => {
  const [, code] = /^exit ([01]):/.exec(reason) ?? [];
  expect(decideExit({ ...QUIET, ...input })).toEqual({ code: code === undefined ? null : Number(code), reason });
});

it('never says 0 of a run that a gate refuses, in any combination', () => {
  for (const complete of [true, false]) {
    for (const gate of [holds, missed, unknown, ...advisory]) {
      const { code } = decideExit({ ...QUIET, suites: [MCQ, GAIA], complete, gates: [gate] });
      expect(code).toBe(complete && gate === holds ? 0 : 1);
    }
  }
});
