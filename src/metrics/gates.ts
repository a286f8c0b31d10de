import { escapeLine, lineIf, partOf, plural, quote } from '../text/show.ts';
import { formatPercents, pickVariant } from '../text/wording.ts';
import type { Gate, GroupSummary, SampleResult, SuiteSummary, Summary } from '../types.ts';
import type { Comparison } from './compare.ts';
import { explainMargin, toPoints, toUnknown, type Verdict } from './gate-verdict.ts';
import { findCompared, findGatedGroup, type GatedGroup, isInGroup } from './gated-group.ts';
import { groupBy, tallyQuestions, toSuiteKey } from './groups.ts';
import { type Limit, listLimits, type Measure } from './parse-gates.ts';
import { judgeScore } from './score-gates.ts';

/** The verdict of one threshold of a gate on one agent. */
export type GateResult = Verdict & {
  readonly gate: Gate;
  readonly agent: string;
  readonly prompt?: string;
  readonly measure: Measure;
  /** The named score that is measured, if one is. */
  readonly score?: string;
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
export function describeUnknownSuites(
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
  return listLimits(gate).map((limit) => ({
    gate,
    ...pickVariant(judged.suite),
    ...limit,
    ...judgeLimit(limit, gate.group, judged),
  }));
}

function judgeLimit(limit: Limit, name: string, judged: Judged): Verdict {
  const { measure, threshold, score } = limit;
  const gated = findGatedGroup(judged.suite, name);
  if (typeof gated === 'string') return toUnknown(gated);
  const { figures: group } = gated;
  if (measure === 'min_judge_tpr' || measure === 'min_judge_tnr')
    return judgeJudges(judged.suite, measure, threshold);
  if (measure === 'max_cost_usd') return judgeCost(group, threshold);
  if (measure === 'max_median_ms' || measure === 'max_p95_ms')
    return judgeTime(group, measure, threshold);
  if (group.graded === 0) return toUnknown(`no result of group ${name} can be graded`);
  if (group.accuracy === null) {
    const verbs = [`of group ${name} was`, `of group ${name} were`] as const;
    return toUnknown(`${partOf(group.states.not_run, group.n, 'result', ...verbs)} not run`);
  }
  if (score !== undefined)
    return judgeScore({ ...limit, score }, gated, judged.comparison, listOwn(judged, gated));
  if (measure === 'min_accuracy') return judgeAccuracy(name, group.accuracy, threshold);
  if (measure === 'min_pass_rate_per_case')
    return judgeCases(name, listOwn(judged, gated), threshold);
  return measure === 'max_errored'
    ? judgeErrored(group, threshold)
    : judgeDrop(gated, threshold, judged.comparison);
}

/** Compares with the quotient: 7 / 10 meets 0.7 exactly, while a product of doubles could miss it. */
function judgeAccuracy(group: string, accuracy: number, minimum: number): Verdict {
  const holds = accuracy >= minimum;
  const [value, gate] = formatPercents(accuracy, minimum);
  const explanation = `accuracy ${value} ${holds ? 'meets' : 'is below'} the gate ${gate} for group ${group}`;
  return { holds, value: accuracy, explanation };
}

/** Compares each question's share of right trials with the gate. */
function judgeCases(name: string, own: readonly SampleResult[], minimum: number): Verdict {
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

/** The results of the suite, agent and prompt in a group. */
function listOwn({ suite, results }: Judged, gated: GatedGroup): readonly SampleResult[] {
  const key = toSuiteKey(suite);
  return results.filter((row) => toSuiteKey(row) === key && isInGroup(gated, row));
}

/** How many of the questions below a gate a message names. */
const WORST = 5;

/** The cost of all results, as the table shows it: what cached answers cost is part of it. */
function judgeCost(
  { group, cost_usd, cost_at_least_usd: least, without_cost = 0 }: GroupSummary,
  maximum: number,
): Verdict {
  const sum = cost_usd ?? least ?? null;
  // The sum of 0.1 and 0.2 is not above 0.3.
  const known = sum === null ? null : Number(sum.toFixed(9));
  const gate = `the gate ${formatDollars(maximum)} for group ${group}`;
  if (known !== null && known > maximum) {
    const cost = `${cost_usd === null ? 'at least ' : ''}${formatDollars(known)}`;
    return { holds: false, value: known, explanation: `the cost ${cost} is above ${gate}` };
  }
  if (cost_usd === null) {
    const some = without_cost === 0 ? 'calls that were cut off' : plural(without_cost, 'result');
    return toUnknown(`the cost of ${known === null ? 'its results' : some} is not known`);
  }
  const explanation = `the cost ${formatDollars(cost_usd)} is within ${gate}`;
  return { holds: true, value: cost_usd, explanation };
}

/** Digits as they were written, at most to a millionth of a dollar. */
function formatDollars(dollars: number): string {
  return `$${Number(dollars.toFixed(6))}`;
}

function judgeTime(
  group: GroupSummary,
  measure: 'max_median_ms' | 'max_p95_ms',
  maximum: number,
): Verdict {
  const isMedian = measure === 'max_median_ms';
  const name = isMedian ? 'median' : 'p95';
  const ms = isMedian ? group.median_latency_ms : group.p95_latency_ms;
  const isCensored = isMedian ? group.median_censored : group.p95_censored;
  if (ms === null)
    return toUnknown(
      `the ${name} of group ${group.group} needs ${plural(isMedian ? 1 : 20, 'timed result')}`,
    );
  const shown = `the ${name} ${isCensored ? 'is more than ' : ''}${formatMs(ms, maximum)} ms`;
  const gate = `the gate ${maximum} ms for group ${group.group}`;
  if (ms > maximum) {
    const explanation = `${shown}${isCensored ? ', above' : ' is above'} ${gate}`;
    return { holds: false, value: ms, explanation };
  }
  // The real time of a timed-out call is not known, only that it is longer than its deadline.
  if (isCensored) return toUnknown(`${shown}, the deadline of a timeout`);
  return { holds: true, value: ms, explanation: `${shown} is within ${gate}` };
}

/** With as many digits as tell it from the gate. */
function formatMs(ms: number, maximum: number): string {
  const digits = [ms < 10 ? 1 : 0, 1, 3].find((some) => Number(ms.toFixed(some)) !== maximum);
  return String(Number(ms.toFixed(digits ?? 6)));
}

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
    return { holds: false, value: null, explanation: `the judge ${why}: see "viva label"` };
  }
  const [value] = worst.ci95;
  const holds = value >= minimum;
  const [shown, gate] = formatPercents(value, minimum);
  const rate = `the judge's ${name.toUpperCase()} is at least ${shown} (95 % interval, ${plural(worst.n, 'label')})`;
  return { holds, value, explanation: `${rate}; the gate demands ${gate}` };
}

function judgeDrop(gated: GatedGroup, maximum: number, comparison: Comparison | null): Verdict {
  const { group, n, questions, graded } = gated.figures;
  if (comparison === null) {
    return toUnknown('it needs a baseline: set EVAL_BASELINE to an earlier run');
  }
  const paired = findCompared(gated, comparison);
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
