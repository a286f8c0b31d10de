import { hasRun } from '../states.ts';
import type { SampleResult } from '../types.ts';
import { compareNaturally, groupBy, toTupleKey } from './groups.ts';
import { computeDetectableDrop, computeDiscordance, computePairedInterval, signFlipTest } from './intervals.ts';
import type { Fraction } from './percent.ts';
import { computeCostRatio, computeLatencyRatio, type Tally, tallyTrials } from './totals.ts';

/** Accuracy (0..1) of two runs over the questions that both finished; figures are null when there is none. */
export type PairedDifference = {
  readonly questions: number;
  /** Means over questions of their share of right trials. */
  readonly accuracy_a: number | null;
  readonly accuracy_b: number | null;
  /** b - a. */
  readonly difference: number | null;
  /** Bonett-Price interval of the difference. */
  readonly ci95: readonly [number, number] | null;
};

export type Comparison = PairedDifference & {
  /** Ids of the questions that are not compared; `unfinished` ones have a trial that is not_run, or none graded. */
  readonly unpaired: {
    readonly only_a: readonly string[];
    readonly only_b: readonly string[];
    readonly unfinished: readonly string[];
  };
  /** Ids: all trials wrong to all right, and the reverse. */
  readonly flips: { readonly fixed: readonly string[]; readonly broken: readonly string[] };
  /** Ids whose share of right trials changed without going all the way; empty with one trial. */
  readonly shifts: { readonly improved: readonly string[]; readonly worsened: readonly string[] };
  /** Two-sided sign-flip test (exact McNemar for one trial). */
  readonly p_value: number | null;
  /** False when there were too many flips for the exact test and p_value is its normal approximation. */
  readonly exact: boolean;
  /** Smallest true drop that this many questions, flipping as often, would show with 80 % power at 5 %; null where a has less to lose. */
  readonly detectable_drop: number | null;
  /** Median over questions of latency b / latency a. */
  readonly latency_ratio: number | null;
  /** Cost per trial of b / that of a. */
  readonly cost_ratio: number | null;
  /** In natural order, without "all" (that is the comparison itself), and without p-values: many tests mislead. */
  readonly groups: readonly ({ readonly group: string } & PairedDifference)[];
};

/**
 * Compares run b with baseline a, question by question; both hold the results of one agent on the same suite and
 * dataset. Trials are averaged within their question first: pairs of trials would count one question many times.
 */
export function compare(a: readonly SampleResult[], b: readonly SampleResult[]): Comparison {
  const { finished, unfinished, onlyA, onlyB } = pairQuestions(a, b);
  const test = finished.length === 0 ? null : signFlipTest(finished.map(toFraction));
  const difference = computePairedDifference(finished);
  const discordance = computeDiscordance(finished.map(toDifference));
  return {
    ...difference,
    unpaired: { only_a: onlyA, only_b: onlyB, unfinished: unfinished.map(({ id }) => id) },
    ...listChanges(finished),
    p_value: test?.p_value ?? null,
    exact: test?.exact ?? true,
    detectable_drop: computeDetectableDrop(finished.length, discordance, difference.accuracy_a ?? 0),
    latency_ratio: computeLatencyRatio(finished),
    cost_ratio: computeCostRatio(finished),
    groups: compareGroups(finished),
  };
}

function computePairedDifference(pairs: readonly Pair[]): PairedDifference {
  const questions = pairs.length;
  if (questions === 0) return { questions, accuracy_a: null, accuracy_b: null, difference: null, ci95: null };
  return {
    questions,
    accuracy_a: average(pairs.map(({ a }) => a.correct / a.graded)),
    accuracy_b: average(pairs.map(({ b }) => b.correct / b.graded)),
    difference: average(pairs.map(toDifference)),
    ci95: computePairedInterval(pairs.map(toDifference)),
  };
}

/** The exact difference b - a of two shares of right trials. */
function toFraction({ a, b }: Pair): Fraction {
  return { numerator: b.correct * a.graded - a.correct * b.graded, denominator: a.graded * b.graded };
}

function toDifference(pair: Pair): number {
  const { numerator, denominator } = toFraction(pair);
  return numerator / denominator;
}

function listChanges(pairs: readonly Pair[]): Pick<Comparison, 'flips' | 'shifts'> {
  const idsWhere = (rule: (difference: number) => boolean) =>
    pairs.filter((pair) => rule(toDifference(pair))).map(({ id }) => id);
  return {
    flips: { fixed: idsWhere((difference) => difference === 1), broken: idsWhere((difference) => difference === -1) },
    shifts: {
      improved: idsWhere((difference) => difference > 0 && difference < 1),
      worsened: idsWhere((difference) => difference < 0 && difference > -1),
    },
  };
}

function compareGroups(pairs: readonly Pair[]): Comparison['groups'] {
  return [...groupBy(pairs, ({ group }) => group)]
    .filter(([group]) => group !== 'all')
    .sort(([left], [right]) => compareNaturally(left, right))
    .map(([group, rows]) => ({ group, ...computePairedDifference(rows) }));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** One question in one run: its results (one per trial) and how many of them are right. */
type Side = Tally & { readonly results: readonly SampleResult[] };

/** One question in both runs; `group` as run b names it. */
export type Pair = { readonly id: string; readonly group: string; readonly a: Side; readonly b: Side };

export type Pairing = {
  /** Finished in both runs: every trial ran and at least one is graded. */
  readonly finished: readonly Pair[];
  readonly unfinished: readonly Pair[];
  /** Ids of the questions that only one run has. */
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
};

/** Pairs the questions of two runs by suite, dataset and id, in the order of run b; the trials of one are pooled. */
export function pairQuestions(a: readonly SampleResult[], b: readonly SampleResult[]): Pairing {
  const questionsA = groupBy(a, toQuestionKey);
  const questionsB = groupBy(b, toQuestionKey);
  const pairs: Pair[] = [];
  for (const [key, results] of questionsB) {
    const [{ id, group }] = results;
    const before = questionsA.get(key);
    if (before !== undefined) pairs.push({ id, group, a: toSide(before), b: toSide(results) });
  }
  return {
    finished: pairs.filter(isFinished),
    unfinished: pairs.filter((pair) => !isFinished(pair)),
    onlyA: idsMissingFrom(questionsB, questionsA),
    onlyB: idsMissingFrom(questionsA, questionsB),
  };
}

function toQuestionKey({ suite, dataset, id }: SampleResult): string {
  return toTupleKey(suite, dataset, id);
}

function toSide(results: readonly SampleResult[]): Side {
  return { results, ...tallyTrials(results) };
}

function isFinished({ a, b }: Pair): boolean {
  return [a, b].every(({ graded, results }) => graded > 0 && results.every(hasRun));
}

type Questions = ReadonlyMap<string, readonly [SampleResult, ...SampleResult[]]>;

function idsMissingFrom(other: Questions, questions: Questions): readonly string[] {
  return [...questions].filter(([key]) => !other.has(key)).map(([, [{ id }]]) => id);
}
