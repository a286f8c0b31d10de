import { quote } from '../text/show.ts';
import { lineIf, nameVariant, partOf, plural, type Variant } from '../text/wording.ts';
import type { Gate } from '../types.ts';
import type { GateResult } from './gates.ts';
import { groupBy } from './groups.ts';

/** How many tests of one agent failed in a suite. */
export type SuiteOutcome = {
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  readonly prompt?: string;
  readonly failed: number;
};

export type ExitInput = {
  readonly suites: readonly SuiteOutcome[];
  readonly gates: readonly GateResult[];
  /** All gates of the gates file, also those on other datasets. */
  readonly given: readonly Gate[];
  /** Says which gates are on no suite. */
  readonly strayGates: readonly string[];
  /** False if any result is not_run. */
  readonly complete: boolean;
  /**
   * Whether -t, tags or --last-failed selected tests. Gates then decide nothing; missing results
   * still fail.
   */
  readonly narrowed: boolean;
  /** Whether EVAL_DRY_RUN is set, so nothing was asked. */
  readonly dryRun: boolean;
  /** Whether this is a shard. Gates are judged after the merge. */
  readonly sharded: boolean;
  /** Messages of run errors: broken files, failing hooks, unhandled rejections. */
  readonly outside: readonly string[];
  /** Refused eval files, each with the reason. */
  readonly refused: readonly string[];
  /** Titles of the selected trials without a result; `duplicates` are those with several. */
  readonly notRun: readonly string[];
  /**
   * Why results are missing: how many for each reason, and whether a line of its own says what
   * stopped the run.
   */
  readonly notRunBecause: { readonly counts: string; readonly isSaid: boolean };
  /** How many results the run should have. */
  readonly planned: number;
  readonly duplicates: readonly string[];
  /** The exit code of a process that a signal ended. It stays as it is. */
  readonly endedWith: number | undefined;
};

export type Exit = {
  /** Null leaves the exit code to Vitest. */
  readonly code: 0 | 1 | null;
  /** The last line that the user reads: which code and why. */
  readonly reason: string;
};

/** Decides the exit code of a run. A gate that cannot be judged fails the run. */
export function decideExit(input: ExitInput): Exit {
  const deciding = input.gates.filter(({ gate }) => gate.advisory !== true);
  const withGate = new Set(deciding.map(({ gate }) => nameSuite(gate)));
  // Without a gate, failed tests decide, as in plain Vitest.
  const ungated = input.suites.filter((suite) => !withGate.has(nameSuite(suite)));
  const unjudged = endUnjudged(input);
  const problems = [
    ...findRunProblems(input),
    ...(unjudged === null
      ? [...findGateProblems(deciding), ...findFailedCases(ungated, input), ...input.strayGates]
      : []),
  ];
  if (input.endedWith !== undefined) {
    const why = ['interrupted', ...(problems.length === 0 ? [] : [joinProblems(problems)])];
    const reason = `exit ${input.endedWith}: ${why.join('; ')}. Run the same command to go on.`;
    return { code: null, reason };
  }
  if (problems.length > 0) return { code: 1, reason: `exit 1: ${joinProblems(problems)}` };
  return unjudged ?? { code: 0, reason: `exit 0: ${describeSuccess(input, deciding, ungated)}` };
}

function describeSuccess(
  { gates, given }: ExitInput,
  deciding: readonly GateResult[],
  ungated: readonly SuiteOutcome[],
): string {
  // All deciding gates hold here, so only advisory gates are left.
  const misses = gates.filter(({ holds }) => holds !== true).length;
  const missed = plural(misses, 'advisory gate does not hold', 'advisory gates do not hold');
  const held = deciding.length === 1 ? 'the gate holds' : `all ${deciding.length} gates hold`;
  const free = ungated.map(
    (suite) =>
      `${nameSuite(suite)}: no failures, no gate${explainNoGate(suite, given) || ' configured'}`,
  );
  return [
    ...lineIf(deciding.length > 0, held),
    ...new Set(free),
    ...lineIf(misses > 0, missed),
  ].join('; ');
}

/** The exit of a run in which gates and wrong answers decide nothing; null for all other runs. */
function endUnjudged({ dryRun, sharded, suites, narrowed }: ExitInput): Exit | null {
  const end = (why: string): Exit => ({ code: 0, reason: `exit 0: ${why}` });
  const leave = (why: string): Exit => ({
    code: null,
    reason: `Vitest sets the exit code: ${why}`,
  });
  if (dryRun) return end('a dry run asks nothing. Unset EVAL_DRY_RUN to run the evals.');
  if (sharded) return end('the shard is complete; gates are judged by --merge-reports');
  if (suites.length === 0) return leave('no eval suite ran');
  return narrowed ? leave('you used -t, a tag or --last-failed') : null;
}

function findRunProblems(input: ExitInput): readonly string[] {
  const { outside, refused, notRun, duplicates, complete } = input;
  const isNamed = refused.length + outside.length + notRun.length > 0;
  const asked = 'refused before anything was asked';
  return [
    ...describeList(refused, asked, `eval files ${asked}`),
    ...describeList(outside, 'run error', 'run errors'),
    ...(notRun.length > 0 ? [describeMissing(input)] : []),
    ...describeList(duplicates, 'duplicate result', 'duplicate results'),
    ...lineIf(!complete && !isNamed, 'the run is incomplete: not every selected sample was run'),
  ];
}

function describeMissing({ notRun, planned, notRunBecause, endedWith }: ExitInput): string {
  const { counts, isSaid } = notRunBecause;
  const missing = partOf(notRun.length, planned, 'result', 'is', 'are');
  const first = isSaid ? 'see STOPPED above' : `the first is ${notRun[0]}`;
  return `${missing} missing${endedWith === undefined ? ` (${counts}): ${first}` : ''}`;
}

/**
 * Shows the first line of the first message and the number of messages: the reason must fit on one
 * line.
 */
function describeList(
  [first, ...others]: readonly string[],
  one: string,
  several: string,
): readonly string[] {
  if (first === undefined) return [];
  const [line = ''] = first.trim().split(/[\r\n]/, 1);
  const head = others.length === 0 ? one : `${others.length + 1} ${several}, the first`;
  return [`${head}: ${line.trimEnd()}`];
}

/**
 * Missed gates without the amount, which the gate's own line has. Several of a suite are counted.
 */
function findGateProblems(results: readonly GateResult[]): readonly string[] {
  const by = nameAgents(results);
  const missed = results.filter(({ holds }) => holds === false);
  const bySuite = groupBy(missed, ({ gate }) => nameSuite(gate));
  const unknown = results.filter(({ holds }) => holds === null);
  return [
    ...[...bySuite].map(([suite, [first, ...others]]) =>
      others.length > 0
        ? `${suite}: ${others.length + 1} gates are missed`
        : `${suite}${by(first)}: ${first.measure} of group ${first.gate.group} is missed`,
    ),
    ...unknown.map(
      ({ gate, measure, explanation, ...side }) =>
        `${nameSuite(gate)}${by(side)}: ${measure} cannot be judged: ${explanation}`,
    ),
  ];
}

function findFailedCases(
  ungated: readonly SuiteOutcome[],
  { suites, given }: ExitInput,
): readonly string[] {
  const by = nameAgents(suites);
  const failing = ungated.filter(({ failed }) => failed > 0);
  return failing.map((suite, index) => {
    const hint =
      explainNoGate(suite, given) || (index === 0 ? ' (write one in evals/gates.json)' : '');
    return `${nameSuite(suite)}${by(suite)}: ${plural(suite.failed, 'failed case')} and no gate${hint}`;
  });
}

/** A gate on another dataset may be right or misspelt. */
function explainNoGate({ suite, dataset }: SuiteOutcome, given: readonly Gate[]): string {
  const own = given.filter((gate) => gate.suite === suite && gate.dataset === dataset);
  if (own.length > 0) return ' that decides (all are advisory)';
  const others = given.filter((gate) => gate.suite === suite && gate.dataset !== dataset);
  const datasets = new Set(others.map((gate) => quote(gate.dataset)));
  return datasets.size === 0 ? '' : ` (its gates are for the dataset ${[...datasets].join(', ')})`;
}

/** Names the agent and prompt of a row if there are several, since each has its own figures. */
function nameAgents(rows: readonly Variant[]): (variant: Variant) => string {
  const isOne = new Set(rows.map(nameVariant)).size < 2;
  return (variant) => (isOne ? '' : ` by ${nameVariant(variant)}`);
}

function nameSuite({ suite, dataset }: Pick<SuiteOutcome, 'suite' | 'dataset'>): string {
  return `${suite} (${dataset})`;
}

/** How many problems the line shows. The others are counted. */
const MAX_SHOWN = 3;

function joinProblems(problems: readonly string[]): string {
  const more = problems.length - MAX_SHOWN;
  return `${problems.slice(0, MAX_SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
