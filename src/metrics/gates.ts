import { quote, showValue } from '../text/show.ts';
import { formatPercent, formatPercents, nearest, partOf, plural } from '../text/wording.ts';
import type { GroupSummary, SuiteSummary, Summary } from '../types.ts';
import type { Comparison } from './compare.ts';
import { groupBy } from './groups.ts';
import { computeSmallestMargin } from './intervals.ts';

/** The thresholds that a gate may have, in the order in which they are judged. */
const MEASURES = ['min_accuracy', 'max_drop', 'max_errored'] as const;

type Measure = (typeof MEASURES)[number];

/** Thresholds on one group of one suite and dataset, as in evals/gates.json; rates are 0..1. */
export type Gate = {
  readonly suite: string;
  readonly dataset: string;
  readonly group: string;
  /** Accuracy must be at least this. */
  readonly min_accuracy?: number;
  /** The lower end of the interval of the difference to the baseline must not lie further below 0. */
  readonly max_drop?: number;
  /** Share of results that are errored. Time-outs are not among them: they are the agent's, and accuracy counts them. */
  readonly max_errored?: number;
  /** Shown, but without a say in the exit code. */
  readonly advisory?: boolean;
};

type Verdict = {
  /** Null when it cannot be judged: incomplete run, absent group, hidden targets, no baseline. */
  readonly holds: boolean | null;
  /** Accuracy, drop at the lower end of the interval, or share of errored results; null when not known. */
  readonly value: number | null;
  /** A clause such as "accuracy 58.3 % is below the gate 60.0 % for group all". */
  readonly explanation: string;
};

/** What one threshold of a gate says of one agent. */
export type GateResult = Verdict & {
  readonly gate: Gate;
  readonly agent: string;
  readonly measure: Measure;
  readonly threshold: number;
};

/**
 * Judges every threshold of every gate against every agent of its suite and dataset. `comparisonOf` gives the comparison
 * with the baseline, null when there is none.
 */
export function judgeGates(
  gates: readonly Gate[],
  summary: Summary,
  comparisonOf: (suite: SuiteSummary) => Comparison | null,
): readonly GateResult[] {
  return gates
    .flatMap((gate) =>
      summary.suites
        .filter(({ suite, dataset }) => suite === gate.suite && dataset === gate.dataset)
        .flatMap((suite) => judgeGate(gate, suite, comparisonOf(suite))),
    )
    .map((result) => {
      // An incomplete run can miss a gate, never meet it.
      const isPart = result.holds === true && !summary.complete;
      return isPart ? { ...result, holds: null, explanation: 'the run is incomplete' } : result;
    });
}

/** Says which suites have a gate that decides and are not there: a misspelt name would guard nothing. */
export function describeStrayGates(gates: readonly Gate[], suites: readonly string[]): readonly string[] {
  const strays = gates.filter(({ suite, advisory }) => advisory !== true && !suites.includes(suite));
  const list = (names: readonly string[]) => [...new Set(names)].map((name) => quote(name)).join(', ');
  if (strays.length === 0) return [];
  return [
    `no suite is named ${list(strays.map(({ suite }) => suite))}, as a gate says; the suites are ${list(suites)}`,
  ];
}

/** One minimal accuracy (0..1) as a gate on group "all" of every suite and dataset of a run. */
export function minAccuracyGates(minimum: number, summary: Summary): readonly Gate[] {
  const suites = groupBy(summary.suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...suites.values()].map(([{ suite, dataset }]) => ({ suite, dataset, group: 'all', min_accuracy: minimum }));
}

function judgeGate(gate: Gate, suite: SuiteSummary, comparison: Comparison | null): readonly GateResult[] {
  return MEASURES.flatMap((measure) => {
    const threshold = gate[measure];
    if (threshold === undefined) return [];
    const verdict = judgeMeasure(measure, threshold, gate.group, suite, comparison);
    return [{ gate, agent: suite.agent, measure, threshold, ...verdict }];
  });
}

function judgeMeasure(
  measure: Measure,
  threshold: number,
  name: string,
  suite: SuiteSummary,
  comparison: Comparison | null,
): Verdict {
  const group = suite.groups.find((candidate) => candidate.group === name);
  if (group === undefined) return toUnknown(`there is no group ${name} in this run`);
  if (group.graded === 0) return toUnknown(`no result of group ${name} can be graded`);
  if (group.accuracy === null) {
    const lacking = partOf(group.states.not_run, group.n, 'result', `of group ${name} was`, `of group ${name} were`);
    return toUnknown(`${lacking} not run`);
  }
  if (measure === 'min_accuracy') return judgeAccuracy(name, group.accuracy, threshold);
  return measure === 'max_errored' ? judgeErrored(group, threshold) : judgeDrop(group, threshold, comparison);
}

/** Both sides are the double nearest to their decimal or quotient, so 7 of 10 meets 0.7; a product could miss it. */
function judgeAccuracy(group: string, accuracy: number, minimum: number): Verdict {
  const holds = accuracy >= minimum;
  const [value, gate] = formatPercents(accuracy, minimum);
  const relation = holds ? 'meets' : 'is below';
  return { holds, value: accuracy, explanation: `accuracy ${value} ${relation} the gate ${gate} for group ${group}` };
}

function judgeErrored({ group, graded, graded_errored }: GroupSummary, maximum: number): Verdict {
  const errored = graded_errored / graded;
  const holds = errored <= maximum;
  const [value, gate] = formatPercents(errored, maximum);
  const relation = holds ? 'is within' : 'is above';
  const explanation = `errored share ${value} ${relation} the gate ${gate} for group ${group}`;
  return { holds, value: errored, explanation };
}

function judgeDrop(
  { group, n, questions, graded }: GroupSummary,
  maximum: number,
  comparison: Comparison | null,
): Verdict {
  if (comparison === null) {
    return toUnknown(`there is no baseline to compare group ${group} with: name an earlier run in EVAL_BASELINE`);
  }
  const paired = group === 'all' ? comparison : comparison.groups.find((candidate) => candidate.group === group);
  if (!paired?.ci95) return toUnknown(`no question of group ${group} is finished in both runs`);
  // Whether a target is known is a matter of the question: all of its trials are graded, or none.
  const gradable = Math.round((questions * graded) / n);
  if (paired.questions < gradable) {
    const of = plural(gradable, 'question');
    return toUnknown(`only ${paired.questions} of ${of} of group ${group} can be compared with the baseline`);
  }
  const drop = -paired.ci95[0];
  const holds = drop <= maximum;
  const [value, gate] = formatPercents(Math.max(0, drop), maximum).map(toPoints);
  const relation = holds ? 'is within' : 'is above';
  const clause = `a drop of up to ${value} is not ruled out and ${relation} the gate ${gate} for group ${group}`;
  return { holds, value: drop, explanation: clause + explainMargin(paired.questions, maximum) };
}

/** A difference of rates is told in percentage points, as comparisons tell it. */
function toPoints(percent: string): string {
  return percent.replace('%', 'pp');
}

/** A gate that no run of this size can meet must not look like a bad agent. */
function explainMargin(questions: number, maximum: number): string {
  const margin = computeSmallestMargin(questions);
  if (margin <= maximum) return '';
  const leave = plural(questions, 'question leaves', 'questions leave');
  return ` (${leave} ${toPoints(formatPercent(margin))} open even when no answer changes)`;
}

function toUnknown(explanation: string): Verdict {
  return { holds: null, value: null, explanation };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the content of a gates file; `file` names it in errors. Throws an Error with place, value and remedy for
 * anything but {version: 1, gates: [...]}: a misspelled gate would otherwise guard nothing.
 */
export function parseGates(json: unknown, file: string): readonly Gate[] {
  const { version, gates } = toFields(json, file, ['version', 'gates']);
  if (version !== 1) throw refuse(`${file}: "version" must be 1`, version, 'Write "version": 1.');
  if (!Array.isArray(gates)) throw refuse(`${file}: "gates" must be a list`, gates, 'Write "gates": [] for none.');
  return gates.map((gate: unknown, index) => parseGate(gate, `${file}: gates[${index}]`));
}

function parseGate(json: unknown, place: string): Gate {
  const fields = toFields(json, place, ['suite', 'dataset', 'group', ...MEASURES, 'advisory']);
  const measures = MEASURES.filter((measure) => fields[measure] !== undefined);
  if (measures.length === 0) {
    throw refuse(`${place} has no threshold`, json, `Give it ${MEASURES.join(', ')} or several of them.`);
  }
  const { advisory } = fields;
  if (advisory !== undefined && typeof advisory !== 'boolean') {
    throw refuse(`${place}: "advisory" must be true or false`, advisory, 'Leave it out for a gate that decides.');
  }
  const readName = (name: string) => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    throw refuse(`${place}: "${name}" must be a text`, value, 'Write it as the summary shows it.');
  };
  const readRate = (name: string) => {
    const value = fields[name];
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw refuse(`${place}: "${name}" must be a number from 0 to 1`, value, 'Write 0.6 for 60 %.');
  };
  return {
    ...{ suite: readName('suite'), dataset: readName('dataset'), group: readName('group') },
    ...Object.fromEntries(measures.map((measure) => [measure, readRate(measure)])),
    ...(advisory === undefined ? {} : { advisory }),
  };
}

function toFields(json: unknown, place: string, known: readonly string[]): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refuse(`${place} must be an object`, json, `Its keys are ${known.join(', ')}.`);
  }
  const unknownKey = Object.keys(json).find((key) => !known.includes(key));
  if (unknownKey === undefined) return { ...json };
  const remedy = `Did you mean "${nearest(unknownKey, known)}"? Known: ${known.join(', ')}.`;
  throw refuse(`${place} has an unknown key`, unknownKey, remedy);
}

function refuse(problem: string, value: unknown, remedy: string): Error {
  return new Error(`${problem}, got ${showValue(value)}. ${remedy}`);
}
