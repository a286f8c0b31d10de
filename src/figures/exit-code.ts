import type { Manifest, SuiteManifest } from '../store/manifest.ts';
import type { StoredEnd } from '../store/run-end.ts';
import { NO_SHARD, type StoredRun } from '../store/run-reader.ts';
import type { GateScope, SuiteSummary, Summary } from '../words/figures.ts';
import { ALL_STATES, hasRun, type SampleResult, STATES } from '../words/row.ts';
import { lineIf, listUp, partOf, plural, quote } from '../words/show.ts';
import { nameVariant, type Variant } from '../words/variant.ts';
import type { GateResult } from './gates.ts';
import { groupBy } from './groups.ts';

/** The parts of a run's outcome that decide its exit code. */
export type ExitInput = Pick<StoredRun, 'results' | 'duplicates' | 'leftOut'> &
  Readonly<{
    manifest: Pick<Manifest, 'config' | 'merged_from'> &
      Readonly<{ suites: readonly Pick<SuiteManifest, 'shard'>[] }>;
    end: Pick<StoredEnd, 'gates' | 'stray_gates' | 'refused' | 'exit_code' | 'narrowed_by'>;
    summary: Summary;
    notRun: readonly string[];
    runErrors: readonly string[];
    gates: readonly GateResult[];
  }>;

export type Exit = Readonly<{
  /** Null leaves the exit code to Vitest; of a run that was interrupted the code that it had. */
  code: number | null;
  /** The last line that the user reads: which code and why. */
  reason: string;
  /** All that is wrong; the reason names the first of them. */
  problems: readonly string[];
}>;

/** Decides the exit code of a run. A gate that cannot be judged fails the run. */
export function decideExit(input: ExitInput): Exit {
  const deciding = listDeciding(input);
  const undecided = exitWithoutGates(input);
  const problems = [
    ...findRunProblems(input),
    ...(undecided === null
      ? [...findGateProblems(deciding, input), ...findFailedCases(input), ...input.end.stray_gates]
      : []),
  ];
  if (input.end.exit_code !== null) {
    const why = ['interrupted', ...(problems.length === 0 ? [] : [joinProblems(problems)])];
    const reason = `exit ${input.end.exit_code}: ${why.join('; ')}. Run the same command to go on.`;
    const stop = 'interrupted: run the same command to go on';
    return { code: input.end.exit_code, reason, problems: [stop, ...problems] };
  }
  if (problems.length > 0)
    return { code: 1, reason: `exit 1: ${joinProblems(problems)}`, problems };
  const success = undecided ?? {
    code: 0,
    reason: `exit 0: ${describeSuccess(input, deciding)}`,
  };
  return { ...success, problems };
}

/** The suites that fail the run because no gate is for them; none where failed cases decide nothing. */
export function listFailing(input: ExitInput): readonly SuiteSummary[] {
  if (exitWithoutGates(input) !== null) return [];
  return listUngated(input).filter((suite) => countFailed(suite) > 0);
}

/** A suite, with its dataset where that has another name. */
export function nameSuite({ suite, dataset }: SuiteName): string {
  return suite === dataset ? suite : `${suite} (${dataset})`;
}

/** " by" an agent and prompt of a suite if there are several, since each has its own figures. */
export function nameAgent(
  { suite, dataset }: SuiteName,
  variant: Variant,
  { suites }: ExitInput['summary'],
): string {
  const variants = suites.filter((other) => other.suite === suite && other.dataset === dataset);
  return variants.length < 2 ? '' : ` by ${nameVariant(variant)}`;
}

type SuiteName = Pick<SuiteSummary, 'suite' | 'dataset'>;

/** A gate on another dataset may be right or misspelt. */
export function explainNoGate({ suite, dataset }: SuiteName, gates: readonly GateScope[]): string {
  const ofSuite = gates.filter((gate) => gate.suite === suite);
  if (ofSuite.some((gate) => (gate.dataset ?? dataset) === dataset))
    return ' that decides (all are advisory)';
  const datasets = new Set(ofSuite.map((gate) => quote(gate.dataset ?? '')));
  return datasets.size === 0 ? '' : ` (its gates are for the dataset ${[...datasets].join(', ')})`;
}

function listDeciding({ gates }: ExitInput): readonly GateResult[] {
  return gates.filter(({ gate }) => gate.advisory !== true);
}

/** Without a gate, failed tests decide, as in plain Vitest. */
function listUngated(input: ExitInput): readonly SuiteSummary[] {
  const keyOf = ({ suite, dataset }: SuiteName) => JSON.stringify([suite, dataset]);
  const withGate = new Set(listDeciding(input).map(({ gate }) => keyOf(gate)));
  return input.summary.suites.filter((suite) => !withGate.has(keyOf(suite)));
}

function describeSuccess(input: ExitInput, deciding: readonly GateResult[]): string {
  const { gates, end } = input;
  // All deciding gates hold here, so only advisory gates are left.
  const misses = gates.filter(({ holds }) => holds !== true).length;
  const missed = plural(misses, 'advisory gate does not hold', 'advisory gates do not hold');
  const hold = deciding.length === 1 ? 'the gate holds' : `all ${deciding.length} gates hold`;
  const free = listUngated(input).map(
    (suite) => `${nameSuite(suite)}: no failures, no gate${explainNoGate(suite, end.gates)}`,
  );
  return [
    ...lineIf(deciding.length > 0, hold),
    ...new Set(free),
    ...lineIf(misses > 0, missed),
  ].join('; ');
}

/** The exit of a run in which gates and wrong answers decide nothing; null for all other runs. */
function exitWithoutGates({
  manifest,
  summary,
  leftOut,
  end: stored,
}: ExitInput): Omit<Exit, 'problems'> | null {
  const { narrowed_by: narrowed } = stored;
  const end = (why: string) => ({ code: 0, reason: `exit 0: ${why}` });
  const failed = summary.suites.reduce((sum, suite) => sum + countFailed(suite), 0);
  const leave = (why: string) => {
    const isMerged = manifest.merged_from !== undefined;
    if (!isMerged) return { code: null, reason: `Vitest sets the exit code: ${why}` };
    // As Vitest does.
    const code = failed > 0 ? 1 : 0;
    return {
      code,
      reason: `exit ${code}: ${plural(failed, 'failed case')}, and no gate decides: ${why}`,
    };
  };
  if (manifest.config['dryRun'] === true)
    return end('a dry run asks nothing. Unset EVAL_DRY_RUN to run the evals.');
  if (manifest.suites.some(({ shard }) => shard !== null))
    return end('the shard is complete; gates are judged by "viva merge"');
  if (summary.suites.length === 0) return leave('no eval suite ran');
  return leftOut > 0 ? leave(`you used ${describeNarrowing(narrowed)}`) : null;
}

/** What left tests out of a run. */
function describeNarrowing({ name, tags, last_failed }: StoredEnd['narrowed_by']): string {
  const used = [
    ...lineIf(name !== null, '-t'),
    ...lineIf(tags !== null, 'a tag'),
    ...lineIf(last_failed, '--last-failed'),
  ];
  return used.length === 0 ? '"only"' : used.join(' and ');
}

function findRunProblems(input: ExitInput): readonly string[] {
  const { runErrors, notRun, duplicates, summary, end } = input;
  const refused = end.refused.map(({ file, why }) => `${file} (${why})`);
  const isNamed = refused.length + runErrors.length + notRun.length > 0;
  const asked = 'refused before anything was asked';
  return [
    ...describeList(refused, asked, `eval files ${asked}`),
    ...describeList(runErrors, 'run error', 'run errors'),
    ...(notRun.length > 0 ? [describeMissing(input)] : []),
    ...describeList(duplicates, 'duplicate result', 'duplicate results'),
    ...lineIf(
      !summary.complete && !isNamed,
      'the run is incomplete: not every selected sample was run',
    ),
  ];
}

function describeMissing({ notRun, results, end, summary }: ExitInput): string {
  const { counts, stops } = explainNotRun(results);
  const missing = partOf(notRun.length, results.length, 'result', 'is', 'are');
  const [row] = results.filter((each) => !hasRun(each));
  const named = row && `${row.suite} ${row.id}${nameAgent(row, row, summary)}`;
  const { explanation: changed } = results.find(({ reason }) => reason === 'changed') ?? {};
  const stopped = changed ?? (stops.length > 0 ? 'see STOPPED above' : null);
  const first = stopped ?? `the first is ${named ?? notRun[0]}`;
  return `${missing} missing${end.exit_code === null ? ` (${counts}): ${first}` : ''}`;
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
function findGateProblems(
  results: readonly GateResult[],
  { summary }: ExitInput,
): readonly string[] {
  const by = (result: GateResult) => nameAgent(result.gate, result, summary);
  const missed = results.filter(({ holds }) => holds === false);
  const bySuite = groupBy(missed, ({ gate }) => nameSuite(gate));
  const unknown = results.filter(({ holds }) => holds === null);
  // Several gates may not be judged for one reason, which is told once.
  const byReason = groupBy(unknown, (result) =>
    JSON.stringify([nameSuite(result.gate), by(result), result.explanation]),
  );
  return [
    ...[...bySuite].map(([suite, [first, ...others]]) =>
      others.length > 0
        ? `${suite}: ${others.length + 1} gates are missed`
        : `${suite}${by(first)}: ${nameLimit(first)} is missed`,
    ),
    ...[...byReason.values()].map((same) => {
      const [first] = same;
      const names = listUp(same.map(nameLimit), 2);
      return `${nameSuite(first.gate)}${by(first)}: ${names} cannot be judged: ${first.explanation}`;
    }),
  ];
}

/** "min_accuracy of group all", "min_score (total) of group level 1". */
export function nameLimit({ measure, score, gate }: GateResult): string {
  const limit = score === undefined ? measure : `${measure} (${score})`;
  return `${limit} of group ${gate.group}`;
}

function findFailedCases(input: ExitInput): readonly string[] {
  const { summary, end } = input;
  return listFailing(input).map((suite) => {
    const subject = `${nameSuite(suite)}${nameAgent(suite, suite, summary)}`;
    const cases = plural(countFailed(suite), 'failed case');
    return `${subject}: ${cases} and no gate${explainNoGate(suite, end.gates)}`;
  });
}

/** How many problems the line shows. The others are counted. */
const MAX_SHOWN = 3;

function joinProblems(problems: readonly string[]): string {
  const more = problems.length - MAX_SHOWN;
  const shown = problems.slice(0, MAX_SHOWN).map((problem) => problem.replace(/\.$/, ''));
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** How many cases fail as Vitest tests: every answer that is not right, and every error. */
function countFailed({ groups }: SuiteSummary): number {
  const failing = ALL_STATES.filter((state) => STATES[state].fails);
  return failing.reduce((sum, state) => sum + (groups.at(-1)?.states[state] ?? 0), 0);
}

/** Reasons that stop an agent and that the user can fix. */
const STOPS: readonly (string | null)[] = [
  'auth',
  'quota',
  'budget',
  'disk',
  'no_command',
  'bad_response',
  'changed',
];

/** Reasons of rows that were never written, in words. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['crash', 'no result'],
  [NO_SHARD, 'missing shard'],
]);

/**
 * How many results were not run, by reason ('' when all ran), and the messages of what stopped an
 * agent.
 */
export function explainNotRun(results: readonly SampleResult[]): Readonly<{
  counts: string;
  stops: readonly string[];
}> {
  const notRun = results.filter((row) => !hasRun(row));
  const counts = [...Map.groupBy(notRun, ({ reason }) => reason ?? '-')].map(
    ([reason, { length }]) => `${LOST.get(reason) ?? reason} ${length}`,
  );
  const stopped = notRun.filter(({ reason }) => STOPS.includes(reason));
  const stops = [...Map.groupBy(stopped, ({ explanation }) => explanation)];
  return {
    counts: counts.join(', '),
    stops: stops.map(([why, rows]) =>
      rows[0]?.reason === 'changed' ? endOfChange(why, rows) : why,
    ),
  };
}

/** How many answers came after a file of their agent had changed, and what to do. */
function endOfChange(why: string, rows: readonly SampleResult[]): string {
  const left = rows.filter(({ attempts }) => attempts > 0).length;
  const were = left === 1 ? 'answer of the new code was' : 'answers of the new code were';
  return `${why}; ${left} ${were} left out. Run again; if the agent writes that file itself, name it in EVAL_AGENT_WRITES first.`;
}
