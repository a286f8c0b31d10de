import { expect, it } from 'vitest';
import type { SampleResult } from '../words/row.ts';
import { decideExit, type ExitInput } from './exit-code.ts';
import type { GateResult } from './gates.ts';
import type { Gate } from './measures.ts';
import { toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

/** How many cases of an agent failed in a suite. */
type Suite = Readonly<{
  suite: string;
  dataset: string;
  agent: string;
  failed: number;
}>;

const GAIA: Suite = { suite: 'gaia', dataset: 'sample', agent: 'replay', failed: 5 };
const MCQ: Suite = { suite: 'mcq', dataset: 'sample', agent: 'replay', failed: 0 };

/** The result of a gate on gaia (sample), unless the gate says otherwise. */
function toGate(holds: boolean | null, gate: Partial<Gate> = {}, agent = 'replay'): GateResult {
  const whole = { suite: 'gaia', dataset: 'sample', group: 'all', ...gate };
  return {
    gate: whole,
    agent,
    measure: 'min_accuracy',
    holds,
    value: null,
    threshold: 0.6,
    explanation: 'because',
  };
}

const [holds, missed, unknown] = [toGate(true), toGate(false), toGate(null)];
const advisory = [true, false, null].map((verdict) => toGate(verdict, { advisory: true }));

const SHARD = { index: 1, count: 2 };

type Run = Partial<
  Pick<ExitInput, 'gates' | 'runErrors' | 'notRun' | 'duplicates'> &
    Readonly<Record<'complete' | 'narrowed' | 'dryRun' | 'sharded' | 'merged', boolean>> &
    Readonly<Record<'refused' | 'unknownSuites', readonly string[]>> &
    Readonly<{
      suites: readonly Suite[];
      given: readonly Gate[];
      reason: string;
      endedWith: number;
    }>
>;

/** A run of nine planned trials. */
function toInput(run: Run): ExitInput {
  const { suites = [GAIA], notRun = [], reason = 'crash' } = run;
  const lost = notRun.map((id) => ({ ...toResult('not_run', { id }), reason }) as SampleResult);
  const rest = Array.from({ length: 9 - lost.length }, () => toResult('correct'));
  const [figures] = summarize([toResult('correct')]).suites;
  return {
    manifest: {
      config: { dryRun: run.dryRun === true },
      suites: [{ shard: run.sharded === true ? SHARD : null }],
      ...(run.merged === true ? { merged_from: ['1', '2'] } : {}),
    },
    end: {
      gates: run.given ?? [],
      stray_gates: run.unknownSuites ?? [],
      refused: (run.refused ?? []).map((file) => ({ file, why: 'why' })),
      exit_code: run.endedWith ?? null,
      narrowed_by: {
        name: run.merged === true ? null : 'a',
        tags: null,
        last_failed: run.merged !== true,
      },
    },
    summary: {
      ...summarize([]),
      complete: run.complete ?? true,
      suites: suites.flatMap(({ failed, ...names }) => {
        const groups = figures?.groups.map((group) => {
          return { ...group, states: { ...group.states, incorrect: failed } };
        });
        return figures && groups ? [{ ...figures, ...names, groups }] : [];
      }),
    },
    results: [...lost, ...rest],
    gates: run.gates ?? [],
    runErrors: run.runErrors ?? [],
    notRun,
    duplicates: run.duplicates ?? [],
    leftOut: run.narrowed === true ? 1 : 0,
  };
}

const MISSED = 'min_accuracy of group all is missed';
const NO_GATE = 'failed cases and no gate';

it.each<[Run, string]>([
  [{ suites: [] }, 'Vitest sets the exit code: no eval suite ran'],
  [{ suites: [], runErrors: ['boom'] }, 'exit 1: run error: boom'],
  // Failed cases, and no gate.
  [{}, `exit 1: gaia (sample): 5 ${NO_GATE}`],
  [{ suites: [MCQ] }, 'exit 0: mcq (sample): no failures, no gate'],
  // The dataset is named where it has another name than the suite.
  [{ suites: [{ ...GAIA, dataset: 'gaia' }] }, `exit 1: gaia: 5 ${NO_GATE}`],
  [
    { suites: [GAIA, MCQ, { ...MCQ, agent: 'b', failed: 2 }] },
    `exit 1: gaia (sample): 5 ${NO_GATE}; mcq (sample) by b: 2 ${NO_GATE}`,
  ],
  // Gates. Where one decides, failed cases do not.
  [{ gates: [holds] }, 'exit 0: the gate holds'],
  [{ gates: [holds, missed] }, `exit 1: gaia (sample): ${MISSED}`],
  [
    { gates: [holds], unknownSuites: ['no suite is named "gaai"'] },
    'exit 1: no suite is named "gaai"',
  ],
  [
    { gates: [missed], unknownSuites: ['no suite'], sharded: true },
    'exit 0: the shard is complete; gates are judged by "viva merge"',
  ],
  [
    { gates: [unknown] },
    'exit 1: gaia (sample): min_accuracy of group all cannot be judged: because',
  ],
  [
    { gates: [unknown, { ...unknown, gate: { ...unknown.gate, group: 'mail' } }] },
    'exit 1: gaia (sample): min_accuracy of group all, min_accuracy of group mail cannot be judged: because',
  ],
  [
    { gates: [{ ...missed, measure: 'min_score', score: 'total' }] },
    'exit 1: gaia (sample): min_score (total) of group all is missed',
  ],
  [
    { suites: [GAIA, { ...GAIA, agent: 'two' }], gates: [holds, toGate(false, {}, 'two')] },
    `exit 1: gaia (sample) by two: ${MISSED}`,
  ],
  [{ gates: [missed, toGate(false, {}, 'two')] }, 'exit 1: gaia (sample): 2 gates are missed'],
  [
    { suites: [GAIA, { ...GAIA, dataset: 'own' }], gates: [holds] },
    `exit 1: gaia (own): 5 ${NO_GATE}`,
  ],
  [
    { suites: [MCQ], given: [{ ...toGate(true).gate, suite: 'mcq', dataset: 'smaple' }] },
    'exit 0: mcq (sample): no failures, no gate (its gates are for the dataset "smaple")',
  ],
  [{ gates: [holds, ...advisory] }, 'exit 0: the gate holds; 2 advisory gates do not hold'],
  [
    { gates: advisory, given: advisory.map(({ gate }) => gate) },
    'exit 1: gaia (sample): 5 failed cases and no gate that decides (all are advisory)',
  ],
  // Runs whose gates and failed cases decide nothing.
  [{ narrowed: true, gates: [missed] }, 'Vitest sets the exit code: you used -t and --last-failed'],
  // A merge has no Vitest.
  [
    { narrowed: true, merged: true, gates: [missed] },
    'exit 1: 5 failed cases, and no gate decides: you used "only"',
  ],
  [{ suites: [], merged: true }, 'exit 0: 0 failed cases, and no gate decides: no eval suite ran'],
  [
    { narrowed: true, gates: [missed], notRun: ['a'] },
    'exit 1: 1 of 9 results is missing (no result 1): the first is gaia a',
  ],
  [
    { dryRun: true, suites: [] },
    'exit 0: a dry run asks nothing. Unset EVAL_DRY_RUN to run the evals.',
  ],
  // What is wrong with the run, whatever its gates.
  [{ gates: [holds], runErrors: ['\n  x  \n at line 1'] }, 'exit 1: run error: x'],
  [
    { gates: [holds], notRun: ['q1', 'q2'], reason: 'quota' },
    'exit 1: 2 of 9 results are missing (quota 2): see STOPPED above',
  ],
  [
    { suites: [MCQ], complete: false },
    'exit 1: the run is incomplete: not every selected sample was run',
  ],
  [
    { suites: [MCQ], complete: false, refused: ['x.ts'] },
    'exit 1: refused before anything was asked: x.ts (why)',
  ],
  [
    { runErrors: ['e'], notRun: ['m'], duplicates: ['d'] },
    'exit 1: run error: e; 1 of 9 results is missing (no result 1): the first is gaia m; duplicate result: d; and 1 more',
  ],
  // After Ctrl-C the code of the process stays.
  [{ suites: [MCQ], endedWith: 130 }, 'exit 130: interrupted. Run the same command to go on.'],
  [
    { suites: [MCQ], notRun: ['a'], endedWith: 130 },
    'exit 130: interrupted; 1 of 9 results is missing. Run the same command to go on.',
  ],
])('decides for %j: %s', (input, reason) => {
  const [, code] = /^exit (\d+):/.exec(reason) ?? [];
  expect(decideExit(toInput(input))).toMatchObject({
    code: code === undefined ? null : Number(code),
    reason,
  });
});

it('names all problems, of which the reason has three', () => {
  const { reason, problems } = decideExit(
    toInput({ runErrors: ['e'], notRun: ['m'], duplicates: ['d'] }),
  );
  expect(problems.length).toBe(4);
  for (const problem of problems.slice(0, 3)) expect(reason).toContain(problem);
  expect(reason).toMatch(/; and 1 more$/);
});

it('never says 0 of a run that a gate refuses, in any combination', () => {
  for (const complete of [true, false]) {
    for (const gate of [holds, missed, unknown, ...advisory]) {
      const { code } = decideExit(toInput({ suites: [MCQ, GAIA], complete, gates: [gate] }));
      expect(code).toBe(complete && gate === holds ? 0 : 1);
    }
  }
});
