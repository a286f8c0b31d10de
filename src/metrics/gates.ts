import { escapeLine, quote, showValue } from '../text/show.ts';
import {
  didYouMean,
  formatPercent,
  formatPercents,
  lineIf,
  partOf,
  pickVariant,
  plural,
} from '../text/wording.ts';
import type { Gate, GroupSummary, SampleResult, SuiteSummary, Summary } from '../types.ts';
import type { Comparison } from './compare.ts';
import { groupBy, tallyQuestions, toSuiteKey } from './groups.ts';
import { computeSmallestMargin } from './intervals.ts';

/** The thresholds that a gate may have, in the order of judging. */
const MEASURES = [
  'min_accuracy',
  'min_pass_rate_per_case',
  'max_drop',
  'max_errored',
  'min_judge_tpr',
  'min_judge_tnr',
] as const;

type Measure = (typeof MEASURES)[number];

type Verdict = {
  /** Null if it cannot be judged: incomplete run, missing group, hidden targets, no baseline. */
  readonly holds: boolean | null;
  /**
   * Accuracy, lowest share of right trials of a question, drop or rate of a judge at the lower end
   * of the interval, or share of errored results; null if not known.
   */
  readonly value: number | null;
  /** A clause such as "accuracy 58.3 % is below the gate 60.0 % for group all". */
  readonly explanation: string;
};

/** The verdict of one threshold of a gate on one agent. */
export type GateResult = Verdict & {
  readonly gate: Gate;
  readonly agent: string;
  readonly prompt?: string;
  readonly measure: Measure;
  readonly threshold: number;
};

/**
 * Judges every threshold of every gate for every agent of its suite and dataset. `comparisonOf`
 * gives the comparison with the baseline, or null; `results` are those of the summary.
 */
export function judgeGates(
  gates: readonly Gate[],
  summary: Summary,
  comparisonOf: (suite: SuiteSummary) => Comparison | null,
  results: readonly SampleResult[],
): readonly GateResult[] {
  const judged = gates.flatMap((gate) =>
    summary.suites
      .filter(({ suite, dataset }) => suite === gate.suite && dataset === gate.dataset)
      .flatMap((suite) => judgeGate(gate, { suite, comparison: comparisonOf(suite), results })),
  );
  if (summary.complete) return judged;
  // An incomplete run can miss a gate, but never meet it.
  return judged.map((result) =>
    result.holds === true
      ? { ...result, holds: null, explanation: 'the run is incomplete' }
      : result,
  );
}

/** Which deciding gates name a suite that does not exist: a misspelt name would check nothing. */
export function describeStrayGates(
  gates: readonly Gate[],
  suites: readonly string[],
): readonly string[] {
  const strays = gates.flatMap(({ suite, advisory }) =>
    advisory === true || suites.includes(suite) ? [] : suite,
  );
  const list = (names: readonly string[]) =>
    [...new Set(names)].map((name) => quote(name)).join(', ');
  const problem = `a gate names a suite that does not exist: ${list(strays)}; the suites are ${list(suites)}`;
  return lineIf(strays.length > 0, problem);
}

/** One minimal accuracy (0..1) as a gate on group "all" of every suite and dataset of a run. */
export function minAccuracyGates(minimum: number, summary: Summary): readonly Gate[] {
  const suites = groupBy(summary.suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...suites.values()].map(([{ suite, dataset }]) => ({
    suite,
    dataset,
    group: 'all',
    min_accuracy: minimum,
  }));
}

/** What is known of one agent on one suite. */
type Judged = {
  readonly suite: SuiteSummary;
  readonly comparison: Comparison | null;
  readonly results: readonly SampleResult[];
};

function judgeGate(gate: Gate, judged: Judged): readonly GateResult[] {
  return MEASURES.flatMap((measure) => {
    const threshold = gate[measure];
    if (threshold === undefined) return [];
    const verdict = judgeMeasure(measure, threshold, gate.group, judged);
    return [{ gate, ...pickVariant(judged.suite), measure, threshold, ...verdict }];
  });
}

function judgeMeasure(measure: Measure, threshold: number, name: string, judged: Judged): Verdict {
  const group = judged.suite.groups.find((candidate) => candidate.group === name);
  if (group === undefined) return toUnknown(`there is no group ${name} in this run`);
  if (measure === 'min_judge_tpr' || measure === 'min_judge_tnr')
    return judgeJudges(judged.suite, measure, threshold);
  if (group.graded === 0) return toUnknown(`no result of group ${name} can be graded`);
  if (group.accuracy === null) {
    const verbs = [`of group ${name} was`, `of group ${name} were`] as const;
    return toUnknown(`${partOf(group.states.not_run, group.n, 'result', ...verbs)} not run`);
  }
  if (measure === 'min_accuracy') return judgeAccuracy(name, group.accuracy, threshold);
  if (measure === 'min_pass_rate_per_case') return judgeCases(name, judged, threshold);
  return measure === 'max_errored'
    ? judgeErrored(group, threshold)
    : judgeDrop(group, threshold, judged.comparison);
}

/** Compares with the quotient: 7 / 10 meets 0.7 exactly, while a product of doubles could miss it. */
function judgeAccuracy(group: string, accuracy: number, minimum: number): Verdict {
  const holds = accuracy >= minimum;
  const [value, gate] = formatPercents(accuracy, minimum);
  const explanation = `accuracy ${value} ${holds ? 'meets' : 'is below'} the gate ${gate} for group ${group}`;
  return { holds, value: accuracy, explanation };
}

/** Compares each question's share of right trials with the gate. */
function judgeCases(name: string, { suite, results }: Judged, minimum: number): Verdict {
  const key = toSuiteKey(suite);
  const own = results.filter(
    (row) => (name === 'all' || row.group === name) && toSuiteKey(row) === key,
  );
  const rated = [...tallyQuestions(own)]
    .filter(([, { counted }]) => counted > 0)
    .map(([id, { correct, counted }]) => ({ id, correct, counted, rate: correct / counted }))
    .sort((a, b) => a.rate - b.rate);
  const lowest = rated[0]?.rate ?? 0;
  const below = rated.filter(({ rate }) => rate < minimum);
  const [value, gate] = formatPercents(lowest, minimum);
  if (below.length === 0) {
    const explanation = `the lowest pass rate of a question ${value} meets the gate ${gate} for group ${name}`;
    return { holds: true, value: lowest, explanation };
  }
  const some = partOf(below.length, rated.length, 'question', 'has', 'have');
  const worst = below
    .slice(0, WORST)
    .map(({ id, correct, counted }) => `${escapeLine(id, 60)} (${correct} of ${counted})`);
  const more = below.length > WORST ? ` and ${below.length - WORST} more` : '';
  const explanation = `${some} a pass rate below the gate ${gate} for group ${name}: ${worst.join(', ')}${more}`;
  return { holds: false, value: lowest, explanation };
}

/** How many of the questions below a gate a message names. */
const WORST = 5;

function judgeErrored({ group, graded, graded_errored }: GroupSummary, maximum: number): Verdict {
  const errored = graded_errored / graded;
  const holds = errored <= maximum;
  const [value, gate] = formatPercents(errored, maximum);
  const explanation = `errored share ${value} is ${holds ? 'within' : 'above'} the gate ${gate} for group ${group}`;
  return { holds, value: errored, explanation };
}

/** The judges of a suite, on all their labels, whatever the group. The worst of several decides. */
function judgeJudges(
  { judges = [] }: SuiteSummary,
  measure: 'min_judge_tpr' | 'min_judge_tnr',
  minimum: number,
): Verdict {
  if (judges.length === 0) return toUnknown('no judge was asked');
  const [name, of] =
    measure === 'min_judge_tpr' ? (['tpr', 'pass'] as const) : (['tnr', 'fail'] as const);
  const known = judges.flatMap(({ calibration }) => calibration ?? []);
  const hasChanged = known.some(({ changed }) => changed === true);
  const rates = known.flatMap((calibration) => calibration[name] ?? []);
  const [worst] = rates.toSorted((a, b) => a.ci95[0] - b.ci95[0]);
  if (hasChanged || worst === undefined || rates.length < judges.length) {
    const why = hasChanged
      ? 'has changed since people labelled its verdicts'
      : `has no label "${of}" by a person`;
    return { holds: false, value: null, explanation: `the judge ${why}: see "viva judge sample"` };
  }
  const [value] = worst.ci95;
  const holds = value >= minimum;
  const [shown, gate] = formatPercents(value, minimum);
  const rate = `the judge's ${name.toUpperCase()} is at least ${shown} (95 % interval, ${plural(worst.n, 'label')})`;
  return { holds, value, explanation: `${rate}; the gate demands ${gate}` };
}

function judgeDrop(
  { group, n, questions, graded }: GroupSummary,
  maximum: number,
  comparison: Comparison | null,
): Verdict {
  if (comparison === null) {
    return toUnknown('it needs a baseline: set EVAL_BASELINE to an earlier run');
  }
  const paired =
    group === 'all' ? comparison : comparison.groups.find((candidate) => candidate.group === group);
  if (!paired?.ci95) return toUnknown(`no question of group ${group} is finished in both runs`);
  // A target is known for all trials of a question or for none.
  const gradable = Math.round((questions * graded) / n);
  if (paired.questions < gradable) {
    const of = plural(gradable, 'question');
    return toUnknown(
      `only ${paired.questions} of ${of} of group ${group} can be compared with the baseline`,
    );
  }
  const drop = -paired.ci95[0];
  const holds = drop <= maximum;
  const [value, gate] = formatPercents(Math.max(0, drop), maximum).map(toPoints);
  const clause = `the drop is at most ${value} (95 % interval); the gate allows ${gate} for group ${group}`;
  return { holds, value: drop, explanation: clause + explainMargin(paired.questions, maximum) };
}

/** Differences of rates are in percentage points, as in comparisons. */
function toPoints(percent: string): string {
  return percent.replace('%', 'pp');
}

/** Says so if no run of this size can meet the gate: the agent is not to blame. */
function explainMargin(questions: number, maximum: number): string {
  const margin = computeSmallestMargin(questions);
  if (margin <= maximum) return '';
  return `; with ${plural(questions, 'question')} it is ${toPoints(formatPercent(margin))} even if no answer changes`;
}

function toUnknown(explanation: string): Verdict {
  return { holds: null, value: null, explanation };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the content of a gates file; `file` names it in errors. Throws an Error with place, value
 * and remedy for anything but {version: 1, gates: [...]}: a misspelt gate would check nothing.
 */
export function parseGates(json: unknown, file: string): readonly Gate[] {
  const { version, gates } = toFields(json, file, ['version', 'gates']);
  if (version !== 1) throw refuse(`${file}: "version" must be 1`, version, 'Write "version": 1.');
  if (!Array.isArray(gates))
    throw refuse(`${file}: "gates" must be a list`, gates, 'Write "gates": [] for none.');
  return gates.map((gate: unknown, index) => parseGate(gate, `${file}: gates[${index}]`));
}

function parseGate(json: unknown, place: string): Gate {
  const fields = toFields(json, place, ['suite', 'dataset', 'group', ...MEASURES, 'advisory']);
  const measures = MEASURES.filter((measure) => fields[measure] !== undefined);
  if (measures.length === 0) {
    throw refuse(
      `${place} has no threshold`,
      json,
      `Add ${MEASURES.join(', ')} or several of them.`,
    );
  }
  const { advisory } = fields;
  if (advisory !== undefined && typeof advisory !== 'boolean') {
    throw refuse(
      `${place}: "advisory" must be true or false`,
      advisory,
      'Leave it out for a gate that decides.',
    );
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
    suite: readName('suite'),
    dataset: readName('dataset'),
    group: readName('group'),
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
  const remedy = `${didYouMean(unknownKey, known)} Known: ${known.join(', ')}.`;
  throw refuse(`${place} has an unknown key`, unknownKey, remedy.trimStart());
}

function refuse(problem: string, value: unknown, remedy: string): Error {
  return new Error(`${problem}, got ${showValue(value)}. ${remedy}`);
}
