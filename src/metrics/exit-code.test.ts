import { expect, it } from 'vitest';
import { decideExit, type ExitInput, type SuiteOutcome } from './exit-code.ts';
import type { Gate, GateResult } from './gates.ts';

const GAIA: SuiteOutcome = { suite: 'gaia', dataset: 'sample', agent: 'replay', failed: 5 };
const MCQ: SuiteOutcome = { suite: 'mcq', dataset: 'sample', agent: 'replay', failed: 0 };

/** The result of a gate on gaia (sample), unless the gate says otherwise. */
function toGate(holds: boolean | null, gate: Partial<Gate> = {}, agent = 'replay'): GateResult {
  const explanation =
    holds === true
      ? 'good'
      : holds === false
        ? 'accuracy 58.3 % is below the gate 60.0 % for group all'
        : 'no baseline';
  const whole = { suite: 'gaia', dataset: 'sample', group: 'all', ...gate };
  return { gate: whole, agent, measure: 'min_accuracy', holds, value: null, threshold: 0.6, explanation };
}

const QUIET: ExitInput = {
  suites: [GAIA],
  gateResults: [],
  complete: true,
  narrowed: false,
  errorsOutside: [],
  missing: [],
  duplicates: [],
};

it.each<[string, Partial<ExitInput>, 0 | 1 | null, string]>([
  ['no eval suite ran', { suites: [] }, null, 'exit code left to Vitest: no eval suite ran'],
  [
    'no eval suite ran because of an error',
    { suites: [], errorsOutside: ['boom'] },
    1,
    'exit 1: error outside the answers: boom',
  ],
  [
    'failed cases of several agents',
    { suites: [GAIA, { ...GAIA, agent: 'b', failed: 2 }, MCQ, { ...MCQ, agent: 'b', failed: 1 }] },
    1,
    'exit 1: gaia (sample): failed cases and no gate: replay 5, b 2; mcq (sample): failed cases and no gate: b 1',
  ],
  [
    'a narrowed run, whatever its gates',
    { narrowed: true, gateResults: [toGate(false)] },
    null,
    'exit code left to Vitest: a run narrowed by -t, tags or --last-failed shows gates but is not gated',
  ],
  [
    'a shard, whatever its gates and its failed cases',
    { sharded: true, gateResults: [toGate(false)] },
    0,
    'exit 0: the shard is complete; gates are judged by --merge-reports',
  ],
  ['a shard of which a result is missing', { sharded: true, missing: ['a'] }, 1, 'exit 1: missing result: a'],
  [
    'a dry run',
    { dryRun: true, suites: [] },
    0,
    'exit 0: a dry run asks nothing. Unset EVAL_DRY_RUN to run the evals.',
  ],
  [
    'a dry run of a broken file',
    { dryRun: true, suites: [], errorsOutside: ['boom'] },
    1,
    'exit 1: error outside the answers: boom',
  ],
  ['the gate holds, though cases failed', { gateResults: [toGate(true)] }, 0, 'exit 0: the gate holds'],
  ['all gates hold', { gateResults: [toGate(true), toGate(true)] }, 0, 'exit 0: all 2 gates hold'],
  [
    'a gate does not hold',
    { gateResults: [toGate(true), toGate(false)] },
    1,
    'exit 1: gaia (sample): min_accuracy of group all is missed',
  ],
  [
    'a gate cannot be judged',
    { gateResults: [toGate(null)] },
    1,
    'exit 1: gaia (sample): min_accuracy cannot be judged: no baseline',
  ],
  [
    'a gate of one agent among several does not hold',
    { gateResults: [toGate(true, {}, 'one'), toGate(false, {}, 'two')] },
    1,
    'exit 1: gaia (sample) by two: min_accuracy of group all is missed',
  ],
  ['cases failed without a gate', {}, 1, 'exit 1: gaia (sample): 5 failed cases and no gate'],
  ['no case failed and there is no gate', { suites: [MCQ] }, 0, 'exit 0: mcq (sample): no failed case and no gate'],
  [
    'one suite is gated, another is clean',
    { suites: [GAIA, MCQ], gateResults: [toGate(true)] },
    0,
    'exit 0: the gate holds; mcq (sample): no failed case and no gate',
  ],
  [
    'one suite is gated, another has failed cases',
    { suites: [GAIA, { ...MCQ, failed: 2 }], gateResults: [toGate(true)] },
    1,
    'exit 1: mcq (sample): 2 failed cases and no gate',
  ],
  [
    'the gate is on another dataset of the suite',
    { suites: [GAIA, { ...GAIA, dataset: 'own' }], gateResults: [toGate(true)] },
    1,
    'exit 1: gaia (own): 5 failed cases and no gate',
  ],
  [
    'an advisory gate does not hold beside one that does',
    { gateResults: [toGate(true), toGate(false, { advisory: true }), toGate(null, { advisory: true })] },
    0,
    'exit 0: the gate holds; advisory gates that do not hold: 2',
  ],
  [
    'an advisory gate holds, which does not excuse failed cases',
    { gateResults: [toGate(true, { advisory: true })] },
    1,
    'exit 1: gaia (sample): 5 failed cases and no gate',
  ],
  [
    'an error outside the answers, though all gates hold',
    { gateResults: [toGate(true)], errorsOutside: ['\n  cannot read x.jsonl  \n at line 1'] },
    1,
    'exit 1: error outside the answers: cannot read x.jsonl',
  ],
  [
    'several errors outside the answers',
    { gateResults: [toGate(true)], errorsOutside: ['first', 'second'] },
    1,
    'exit 1: 2 errors outside the answers, the first: first',
  ],
  ['a missing result', { gateResults: [toGate(true)], missing: ['q1'] }, 1, 'exit 1: missing result: q1'],
  [
    'missing results of a known reason',
    { gateResults: [toGate(true)], missing: ['q1', 'q2'], missingBecause: 'quota 2: a was refused' },
    1,
    'exit 1: 2 missing results (quota 2: a was refused), the first: q1',
  ],
  [
    'an incomplete run without a failed case',
    { suites: [MCQ], complete: false },
    1,
    'exit 1: the run is incomplete: not every selected sample was run',
  ],
  [
    'an incomplete run that names what is missing',
    { suites: [MCQ], complete: false, missing: ['q1'], missingBecause: 'crash 1' },
    1,
    'exit 1: missing result (crash 1): q1',
  ],
  [
    'an incomplete run of which a file was refused',
    { suites: [MCQ], complete: false, refused: ['gaia.eval.ts'] },
    1,
    'exit 1: refused before anything was asked: gaia.eval.ts',
  ],
  [
    'more than fits one line',
    { errorsOutside: ['e'], missing: ['m'], duplicates: ['d'], complete: false },
    1,
    'exit 1: error outside the answers: e; missing result: m; duplicate result: d; and 1 more',
  ],
])('%s', (_case, input, code, reason) => {
  expect(decideExit({ ...QUIET, ...input })).toEqual({ code, reason });
});

it('never says 0 of a run that a gate refuses, in any combination', () => {
  const choices = [true, false];
  for (const complete of choices) {
    for (const advisory of choices) {
      for (const holds of [true, false, null]) {
        const { code } = decideExit({
          ...QUIET,
          suites: [MCQ, GAIA],
          complete,
          gateResults: [toGate(holds, { advisory })],
        });
        expect(code).toBe(complete && !advisory && holds === true ? 0 : 1);
      }
    }
  }
});

it.each([
  [[], 'exit 130: the run was interrupted'],
  [['a'], 'exit 130: the run was interrupted; missing result: a'],
])('after Ctrl-C, of a run that misses %j', (missing, reason) => {
  expect(decideExit({ ...QUIET, suites: [MCQ], missing, endedWith: 130 })).toEqual({ code: null, reason });
});
