import { hasRun, type SampleResult } from '../words/row.ts';
import {
  compareNaturally,
  groupBy,
  listGroupings,
  readSlice,
  type Tally,
  tallyQuestions,
} from './groups.ts';
import {
  computeDetectableDrop,
  computeDiscordance,
  computePairedInterval,
  type Fraction,
  signFlipTest,
} from './intervals.ts';
import { computeQuantile, timedLatency } from './latency.ts';
import { isOpen, listScores, type ScoreKind, scoreOf } from './named-scores.ts';
import { computeCost } from './summarize.ts';

/**
 * Accuracy (0..1) of two runs on the questions that both finished; null without such a question.
 */
export type PairedDifference = Readonly<{
  questions: number;
  /** Mean over questions of the share of right trials. */
  accuracy_a: number | null;
  accuracy_b: number | null;
  /** b - a. */
  difference: number | null;
  /** Bonett-Price interval of the difference. */
  ci95: readonly [number, number] | null;
}>;

/** A named score of two runs, on the questions with a value in both. */
export type ScoreDifference = Pick<PairedDifference, 'questions' | 'difference' | 'ci95'> &
  Readonly<{
    /** Means over questions of the mean of their trials. */
    mean_a: number | null;
    mean_b: number | null;
    kind: ScoreKind;
  }>;

/**
 * By name, of the scores that both runs have; absent without one. No p-values: many tests mislead.
 */
type ScoreDifferences = { readonly scores?: Readonly<Record<string, ScoreDifference>> };

export type Comparison = PairedDifference &
  ScoreDifferences &
  Readonly<{
    /**
     * Ids of questions that are not compared. `unfinished`: a trial is not_run, or no trial counts.
     */
    unpaired: Readonly<{
      only_a: readonly string[];
      only_b: readonly string[];
      unfinished: readonly string[];
    }>;
    /** Ids whose trials changed from all wrong to all right, and the reverse. */
    flips: Readonly<{ fixed: readonly string[]; broken: readonly string[] }>;
    /** Ids whose share of right trials changed in part. Empty with one trial. */
    shifts: Readonly<{ improved: readonly string[]; worsened: readonly string[] }>;
    /** Two-sided sign-flip test (exact McNemar for one trial). */
    p_value: number | null;
    /**
     * False if there are too many flips for the exact test, and p_value is its normal
     * approximation.
     */
    exact: boolean;
    /**
     * Smallest true drop that a test at 5 % detects with 80 % power on so many questions and flips;
     * null if above accuracy_a.
     */
    detectable_drop: number | null;
    /** Median over questions of latency b / latency a. */
    latency_ratio: number | null;
    /** Cost per trial of b / cost per trial of a. */
    cost_ratio: number | null;
    /**
     * In natural order, without "all", which is the comparison itself. No p-values: many tests
     * mislead.
     */
    groups: readonly GroupComparison[];
    /** By each further grouping; absent without one. */
    slices?: readonly Readonly<{
      by: string;
      groups: readonly GroupComparison[];
    }>[];
  }>;

type GroupComparison = { readonly group: string } & PairedDifference & ScoreDifferences;

/**
 * Compares run b with baseline a, question by question. Each has the results of one agent on the
 * same suite and dataset. Trials are averaged within their question first: pairs of trials would
 * count one question many times.
 */
export function compare(a: readonly SampleResult[], b: readonly SampleResult[]): Comparison {
  const { finished, ...unpaired } = pairQuestions(a, b);
  const test = finished.length === 0 ? null : signFlipTest(finished.map(toFraction));
  const difference = computePairedDifference(finished);
  const discordance = computeDiscordance(finished.map(toDifference));
  const scores = listShared(a, b);
  const slices = listGroupings(b).others.map((by) => {
    return { by, groups: compareGroups(scores, finished, (pair) => readSlice(pair, by)) };
  });
  return {
    ...difference,
    ...compareScores(scores, finished),
    unpaired,
    ...listChanges(finished),
    p_value: test?.p_value ?? null,
    exact: test?.exact ?? true,
    detectable_drop: computeDetectableDrop(
      finished.length,
      discordance,
      difference.accuracy_a ?? 0,
    ),
    latency_ratio: computeLatencyRatio(finished),
    cost_ratio: computeCostRatio(finished),
    groups: compareGroups(scores, finished, ({ group }) => group).filter(
      ({ group }) => group !== 'all',
    ),
    ...(slices.length === 0 ? {} : { slices }),
  };
}

function computePairedDifference(pairs: readonly Pair[]): PairedDifference {
  const [a, b] = [pairs.map((pair) => shareRight(pair.a)), pairs.map((pair) => shareRight(pair.b))];
  const { mean_a, mean_b, ...rest } = compareMeans(a, b, pairs.map(toDifference));
  return { accuracy_a: mean_a, accuracy_b: mean_b, ...rest };
}

function shareRight({ correct, counted }: Tally): number {
  return correct / counted;
}

/** The means of paired questions in both runs, and the interval of their difference. */
function compareMeans(a: readonly number[], b: readonly number[], differences: readonly number[]) {
  const questions = differences.length;
  if (questions === 0)
    return { questions, mean_a: null, mean_b: null, difference: null, ci95: null };
  return {
    questions,
    mean_a: average(a),
    mean_b: average(b),
    difference: average(differences),
    ci95: computePairedInterval(differences),
  };
}

/** The exact difference b - a of two shares of right trials. */
function toFraction({ a, b }: Pair): Fraction {
  return {
    numerator: b.correct * a.counted - a.correct * b.counted,
    denominator: a.counted * b.counted,
  };
}

function toDifference(pair: Pair): number {
  const { numerator, denominator } = toFraction(pair);
  return numerator / denominator;
}

function listChanges(pairs: readonly Pair[]): Pick<Comparison, 'flips' | 'shifts'> {
  const idsWhere = (rule: (difference: number) => boolean) =>
    pairs.filter((pair) => rule(toDifference(pair))).map(({ id }) => id);
  return {
    flips: {
      fixed: idsWhere((difference) => difference === 1),
      broken: idsWhere((difference) => difference === -1),
    },
    shifts: {
      improved: idsWhere((difference) => difference > 0 && difference < 1),
      worsened: idsWhere((difference) => difference < 0 && difference > -1),
    },
  };
}

function compareGroups(
  scores: Kinds,
  pairs: readonly Pair[],
  groupOf: (pair: Pair) => string,
): readonly GroupComparison[] {
  return [...groupBy(pairs, groupOf)]
    .sort(([left], [right]) => compareNaturally(left, right))
    .map(([group, rows]) => ({
      group,
      ...computePairedDifference(rows),
      ...compareScores(scores, rows),
    }));
}

type Kinds = ReadonlyMap<string, ScoreKind>;

/** The scores that both runs have: one that is new did not rise from 0. */
function listShared(a: readonly SampleResult[], b: readonly SampleResult[]): Kinds {
  const before = listScores(a);
  const shared = [...listScores(b)].filter(([name]) => before.has(name));
  return new Map(shared.map(([name, kind]) => [name, before.get(name) === 'mean' ? 'mean' : kind]));
}

function compareScores(scores: Kinds, pairs: readonly Pair[]): ScoreDifferences {
  if (scores.size === 0) return {};
  const entries = [...scores].map(([name, kind]): [string, ScoreDifference] => {
    const means = pairs.flatMap(({ a, b }) => {
      const [before, after] = [averageScore(a, name), averageScore(b, name)];
      return before === null || after === null ? [] : [{ before, after }];
    });
    const [before, after] = [means.map((each) => each.before), means.map((each) => each.after)];
    const differences = means.map((each) => each.after - each.before);
    return [name, { ...compareMeans(before, after, differences), kind }];
  });
  return { scores: Object.fromEntries(entries) };
}

/**
 * The mean of a score over the trials of a question; null if none has a value, or one is missing.
 */
function averageScore({ results }: TalliedQuestion, name: string): number | null {
  if (results.some((row) => isOpen(row, name))) return null;
  const values = results.flatMap((row) => scoreOf(row, name) ?? []);
  return values.length === 0 ? null : average(values);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** One question in one run: its results (one per trial) and how many of them are right. */
type TalliedQuestion = Tally & { readonly results: readonly SampleResult[] };

/** One question in both runs, with its groups in run b. */
type Pair = Pick<SampleResult, 'id' | 'group' | 'groups'> &
  Readonly<{
    a: TalliedQuestion;
    b: TalliedQuestion;
  }>;

/** Pairs the questions of two runs by suite, dataset and id, in the order of run b. */
function pairQuestions(a: readonly SampleResult[], b: readonly SampleResult[]) {
  const questionsA = groupBy(a, toQuestionKey);
  const questionsB = groupBy(b, toQuestionKey);
  const pairs = [...questionsB].flatMap(([key, results]): Pair[] => {
    const [{ id, group, groups = {} }] = results;
    const before = questionsA.get(key);
    return before === undefined ? [] : [{ id, group, groups, a: tally(before), b: tally(results) }];
  });
  return {
    finished: pairs.filter(isFinished),
    only_a: listOnly(questionsA, questionsB),
    only_b: listOnly(questionsB, questionsA),
    unfinished: pairs.filter((pair) => !isFinished(pair)).map(({ id }) => id),
  };
}

function toQuestionKey({ suite, dataset, id }: SampleResult): string {
  return JSON.stringify([suite, dataset, id]);
}

function tally(results: readonly [SampleResult, ...SampleResult[]]): TalliedQuestion {
  const tallied = tallyQuestions(results).get(results[0].id) ?? { correct: 0, counted: 0 };
  return { results, ...tallied };
}

/** Whether every trial ran in both runs and at least one counts. */
function isFinished({ a, b }: Pair): boolean {
  return [a, b].every(({ counted, results }) => counted > 0 && results.every(hasRun));
}

type Questions = ReadonlyMap<string, readonly [SampleResult, ...SampleResult[]]>;

function listOnly(questions: Questions, other: Questions): readonly string[] {
  return [...questions].filter(([key]) => !other.has(key)).map(([, [{ id }]]) => id);
}

/**
 * Median over questions of latency b / latency a. A question's latency is the median of its trials,
 * with timed-out trials at their deadline. Null if no question has a latency above 0 in a and a
 * latency in b.
 */
function computeLatencyRatio(pairs: readonly Pair[]): number | null {
  return computeMedian(
    pairs.map((pair) => {
      const [a, b] = [pair.a, pair.b].map(({ results }) =>
        computeMedian(results.map(timedLatency)),
      );
      return a == null || b == null || a <= 0 ? null : b / a;
    }),
  );
}

function computeMedian(values: readonly (number | null)[]): number | null {
  return (
    computeQuantile(
      values.filter((value) => value !== null),
      50,
    )?.value ?? null
  );
}

/**
 * Cost per trial of b / cost per trial of a, on the questions whose cost is known in both. Null
 * without such a question, or if a was free.
 */
function computeCostRatio(pairs: readonly Pair[]): number | null {
  let [totalA, totalB] = [0, 0];
  for (const pair of pairs) {
    const a = computeCost(pair.a.results).cost_usd;
    const b = computeCost(pair.b.results).cost_usd;
    if (a === null || b === null) continue;
    totalA += a / pair.a.results.length;
    totalB += b / pair.b.results.length;
  }
  return totalA > 0 ? totalB / totalA : null;
}
