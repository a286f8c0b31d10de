import { hasRun, type SampleResult, STATES } from '../words/row.ts';
import { computeDetectableDrop } from './detectable-drop.ts';
import {
  areAlone,
  compareNaturally,
  groupBy,
  groupByCluster,
  listGroupings,
  readSlice,
  sumAnyOrder,
  type Tally,
  tallyQuestions,
} from './groups.ts';
import { computePairedInterval, type Difference, type Interval } from './intervals.ts';
import { computeQuantile, timedLatency } from './latency.ts';
import { isOpen, listScores, type ScoreKind, scoreOf } from './named-scores.ts';
import { type TestName, testPairs } from './paired-test.ts';
import { computeCost } from './summarize.ts';

/**
 * Accuracy (0..1) of two runs on the questions that both finished; null without such a question.
 */
type PairedDifference = Readonly<{
  questions: number;
  /** How many clusters they are in; absent where none has a cluster. */
  clusters?: number;
  /** Mean over questions of the share of right trials. */
  accuracy_a: number | null;
  accuracy_b: number | null;
  /** b - a. */
  difference: number | null;
  /** Interval of the difference. Where there is a p, it contains 0 if p is 0.05 or more. */
  ci95: Interval | null;
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
     * Ids of questions that are not compared. `unfinished`: a trial is not_run. `ungraded`: the
     * expected answer is not known.
     */
    unpaired: Readonly<{
      only_a: readonly string[];
      only_b: readonly string[];
      unfinished: readonly string[];
      ungraded: readonly string[];
    }>;
    /** Ids whose trials changed from all wrong to all right, and the reverse. */
    flips: Readonly<{ fixed: readonly string[]; broken: readonly string[] }>;
    /** Ids whose share of right trials changed in part. Empty with one trial. */
    shifts: Readonly<{ improved: readonly string[]; worsened: readonly string[] }>;
    /** Two-sided, as `testPairs` says (exact McNemar for one trial without clusters). */
    p_value: number | null;
    test: TestName;
    /** False if there are too many changes for the exact test, and p_value is normal. */
    exact: boolean;
    /**
     * Smallest true drop that a test at 5 % detects with 80 % power on such questions; null if above
     * accuracy_a, and where fewer than six questions or clusters let p be no smaller than 0.05.
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
 * count one question many times. Accuracies and their `difference` are shares (0.05 is 5 points),
 * `ci95` is its interval; what cannot be computed is null.
 *
 * @example
 * const readRows = (run: string): SampleResult[] =>
 *   readFileSync(`.evals/runs/${run}/samples.jsonl`, 'utf8')
 *     .trim()
 *     .split('\n')
 *     .map((line) => JSON.parse(line));
 * const { difference, ci95, p_value, flips } = compare(readRows('before'), readRows('after'));
 */
export function compare(a: readonly SampleResult[], b: readonly SampleResult[]): Comparison {
  const { finished: found, ...unpaired } = pairQuestions(a, b);
  // Sums of fractions have the same digits in one order alone.
  const finished = found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const test = finished.length === 0 ? null : testPairs(finished);
  const difference = agree(computePairedDifference(finished), test?.p_value ?? 1);
  const scores = listShared(a, b);
  const slices = listGroupings(b).others.map((by) => {
    return { by, groups: compareGroups(scores, finished, (pair) => readSlice(pair, by)) };
  });
  return {
    ...difference,
    ...compareScores(scores, finished),
    unpaired,
    ...listChanges(found),
    p_value: test?.p_value ?? null,
    test: test?.test ?? 'sign-flip',
    exact: test?.exact ?? true,
    detectable_drop: computeDetectableDrop(finished, difference.accuracy_a ?? 0),
    latency_ratio: computeLatencyRatio(finished),
    cost_ratio: computeCostRatio(finished),
    groups: compareGroups(scores, finished, ({ group }) => group).filter(
      ({ group }) => group !== 'all',
    ),
    ...(slices.length === 0 ? {} : { slices }),
  };
}

/** A smaller p is more than noise. */
export const SIGNIFICANT = 0.05;

/**
 * Moves an end of the interval to 0 where it says otherwise than p, which decides: test and interval
 * are two methods.
 */
export function agree<Compared extends Pick<PairedDifference, 'difference' | 'ci95'>>(
  difference: Compared,
  p: number,
): Compared {
  const { ci95 } = difference;
  if (ci95 === null) return difference;
  const [low, high] = ci95;
  if (p >= SIGNIFICANT) return { ...difference, ci95: [Math.min(low, 0), Math.max(high, 0)] };
  const isRise = (difference.difference ?? 0) > 0;
  return { ...difference, ci95: isRise ? [Math.max(low, 0), high] : [low, Math.min(high, 0)] };
}

function computePairedDifference(pairs: readonly Pair[]): PairedDifference {
  const [a, b] = [pairs.map((pair) => shareRight(pair.a)), pairs.map((pair) => shareRight(pair.b))];
  const { mean_a, mean_b, ...rest } = compareMeans(a, b, pairs);
  return { accuracy_a: mean_a, accuracy_b: mean_b, ...rest };
}

function shareRight({ correct, counted }: Tally): number {
  return correct / counted;
}

/** The means of paired questions in both runs, and the interval of their difference. */
function compareMeans(
  a: readonly number[],
  b: readonly number[],
  differences: readonly Difference[],
) {
  const questions = differences.length;
  if (questions === 0)
    return { questions, mean_a: null, mean_b: null, difference: null, ci95: null };
  const difference = differences.reduce((sum, { value }) => sum + value, 0) / questions;
  return {
    questions,
    ...(areAlone(differences) ? {} : { clusters: groupByCluster(differences).length }),
    mean_a: average(a),
    mean_b: average(b),
    // Shares of trials that cancel out leave a residue.
    difference: Math.abs(difference) < RESIDUE ? 0 : difference,
    ci95: computePairedInterval(differences),
  };
}

/** Far less than one trial of any run. */
const RESIDUE = 1e-12;

function listChanges(pairs: readonly Pair[]): Pick<Comparison, 'flips' | 'shifts'> {
  const idsWhere = (rule: (difference: number) => boolean) =>
    pairs.filter(({ value }) => rule(value)).map(({ id }) => id);
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
    const [before, after]: [number[], number[]] = [[], []];
    const differences: Difference[] = [];
    for (const { a, b, cluster } of pairs) {
      const [one, other] = [averageScore(a, name), averageScore(b, name)];
      if (one === null || other === null) continue;
      before.push(one);
      after.push(other);
      differences.push({ value: other - one, cluster });
    }
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
  return sumAnyOrder(values) / values.length;
}

/** One question in one run: its results (one per trial) and how many of them are right. */
type TalliedQuestion = Tally & { readonly results: readonly SampleResult[] };

/** One question in both runs, with its groups in run b. An older run may name no clusters. */
type Pair = Pick<SampleResult, 'id' | 'group' | 'groups'> &
  Difference &
  Readonly<{
    a: TalliedQuestion;
    b: TalliedQuestion;
  }>;

/** Pairs the questions of two runs by suite, dataset and id, in the order of run b. */
function pairQuestions(a: readonly SampleResult[], b: readonly SampleResult[]) {
  const questionsA = groupBy(a, toQuestionKey);
  const questionsB = groupBy(b, toQuestionKey);
  const pairs = [...questionsB].flatMap(([key, results]): Pair[] => {
    const [{ id, group, groups = {}, cluster }] = results;
    const before = questionsA.get(key);
    if (before === undefined) return [];
    const named = cluster ?? before[0].cluster;
    const [one, other] = [tally(before), tally(results)];
    const value = shareRight(other) - shareRight(one);
    return [{ id, group, groups, cluster: named, value, a: one, b: other }];
  });
  const others = Object.groupBy(
    pairs.filter((pair) => !isFinished(pair)),
    ({ a, b }) =>
      [a, b].every(({ results }) => results.every(hasRun)) ? 'ungraded' : 'unfinished',
  );
  const idsOf = (some: readonly Pair[] = []) => some.map(({ id }) => id);
  return {
    finished: pairs.filter(isFinished),
    only_a: listOnly(questionsA, questionsB),
    only_b: listOnly(questionsB, questionsA),
    unfinished: idsOf(others.unfinished),
    ungraded: idsOf(others.ungraded),
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
 * with timed-out trials at their deadline; one that both runs gave up tells nothing. Null if no
 * question has a latency above 0 in a and a latency in b.
 */
function computeLatencyRatio(pairs: readonly Pair[]): number | null {
  return computeMedian(
    pairs.map((pair) => {
      const [a, b] = [pair.a, pair.b].map(({ results }) =>
        computeMedian(results.map(timedLatency)),
      );
      const areCutOff = isCutOff(pair.a, a) && isCutOff(pair.b, b);
      return a == null || b == null || a <= 0 || areCutOff ? null : b / a;
    }),
  );
}

/** Whether a latency is that of a deadline, or above one. */
function isCutOff({ results }: TalliedQuestion, latency: number | null | undefined): boolean {
  return results.some(
    (row) => STATES[row.state].latency === 'deadline' && (timedLatency(row) ?? 0) <= (latency ?? 0),
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
