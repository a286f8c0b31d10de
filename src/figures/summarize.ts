import { pick } from '../words/fields.ts';
import type { GroupSummary, SuiteSummary, Summary } from '../words/figures.ts';
import { costOf, hasRun, hasTarget, type SampleResult, wasAsked } from '../words/row.ts';
import { pickVariant } from '../words/variant.ts';
import { computeChance, countPositions } from './choice-figures.ts';
import { bucketConfidence, summarizeProbabilities } from './confidence.ts';
import {
  compareNaturally,
  countClusters,
  groupBy,
  groupByVariant,
  listGroupings,
  readSlice,
  sumAnyOrder,
  type Tally,
  tallyQuestions,
} from './groups.ts';
import { computeMacro, computeMean, computeShare, type Interval, type Share } from './intervals.ts';
import { type CalibrationOf, correctAccuracyOf, listJudges } from './judge-calibration.ts';
import { summarizeLabels, summarizeMacroF1 } from './label-figures.ts';
import { findLabels } from './labels.ts';
import { computeFirstToken, computeLatency, computeOwnDelay } from './latency.ts';
import { listScores, summarizeScores } from './named-scores.ts';
import { countPopulations, type Populations } from './populations.ts';

type Rows = readonly [SampleResult, ...SampleResult[]];

/**
 * Figures of a run: one entry per suite, dataset, agent and prompt in order of first appearance,
 * its groups in natural order and "all" last. The caller removes duplicates. `calibrationOf` says
 * how a judge was calibrated. Accuracies are shares of 1, times ms, costs US dollars; null is unknown.
 *
 * @example
 * const rows: SampleResult[] = readFileSync('.evals/latest/samples.jsonl', 'utf8')
 *   .trim()
 *   .split('\n')
 *   .map((line) => JSON.parse(line));
 * for (const { suite, agent, groups } of summarize(rows).suites)
 *   console.log(suite, agent, groups.at(-1)?.accuracy); // 0.8
 */
export function summarize(
  results: readonly SampleResult[],
  calibrationOf: CalibrationOf = () => null,
): Summary {
  const suites = [...groupByVariant(results).values()].map((rows) =>
    summarizeSuite(rows, calibrationOf),
  );
  return { version: 1, complete: results.every(hasRun), suites };
}

function summarizeSuite(results: Rows, calibrationOf: CalibrationOf): SuiteSummary {
  const [first] = results;
  const { suite, dataset } = first;
  const judges = listJudges(results, calibrationOf);
  // What a stopped run has answered is no sample of the rest.
  const isComplete = results.every((row) => !hasTarget(row) || hasRun(row));
  const counted = isComplete ? results : [];
  const confidence = bucketConfidence(counted);
  const probability = summarizeProbabilities(confidence.stated);
  const scores = listScores(results);
  const labels = findLabels(counted);
  const toGroup = (group: string, rows: Rows, tallies = listTallies(rows)) => ({
    ...summarizeGroup(group, { results: rows, tallies, scores, calibrationOf }),
    ...summarizeMacroF1(rows, labels),
  });
  const groupings = listGroupings(results);
  const slices = groupings.others.map((by) => {
    const sliced = groupBy(results, (row) => readSlice(row, by));
    return { by, groups: toNaturalOrder(sliced).map((entry) => toGroup(...entry)) };
  });
  // Without subjects the dataset's only group is already "all".
  const named = toNaturalOrder(groupBy(results, ({ group }) => group));
  const parts = named.filter(([group]) => group !== 'all');
  const tallies = parts.map(([, rows]) => listTallies(rows));
  const groups = parts.map(([group, rows], index) => toGroup(group, rows, tallies[index]));
  const all = toGroup('all', results);
  return {
    suite,
    dataset,
    ...pickVariant(first),
    groups: [...groups, all],
    grouped_by: groupings.first,
    ...(slices.length === 0 ? {} : { slices }),
    ...computeMacroAccuracy(groups, tallies),
    confidence: confidence.buckets,
    ...(confidence.scale === null ? {} : { confidence_scale: confidence.scale }),
    ...(probability === null ? {} : { probability }),
    ...{ ...readingsOf(results), ...replacedToolsOf(results) },
    ...copiesOf(results, all, toGroup),
    chance: computeChance(counted),
    positions: countPositions(counted),
    ...summarizeLabels(counted, labels),
    ...(judges.length === 0 ? {} : { judges }),
  };
}

/** How many results rest on what tools said at another time, or on what a test said for them. */
function replacedToolsOf(results: Rows): Pick<SuiteSummary, 'replaced_tools'> {
  const counts = results.filter(hasRun).flatMap(({ tool_calls }) => tool_calls ?? []);
  const replayed = counts.filter((calls) => calls.replayed > 0).length;
  const mocked = counts.filter((calls) => calls.mocked > 0).length;
  if (replayed + mocked === 0) return {};
  return { replaced_tools: { results: results.filter(hasRun).length, replayed, mocked } };
}

function copiesOf(
  results: Rows,
  all: GroupSummary,
  toGroup: (group: string, rows: Rows) => GroupSummary,
): Pick<SuiteSummary, 'copies'> {
  const checked = results.filter(({ seen_copy }) => seen_copy !== undefined);
  if (checked.length === 0) return {};
  const idsOf = (rows: readonly SampleResult[]) => [...new Set(rows.map(({ id }) => id))];
  const text = idsOf(checked.filter(({ seen_copy }) => seen_copy === 'text'));
  const page = idsOf(checked.filter(({ seen_copy }) => seen_copy === 'page'));
  const seen = new Set([...text, ...page]);
  const [first, ...others] = seen.size === 0 ? [] : results.filter(({ id }) => !seen.has(id));
  const none = { questions: 0, graded: 0, accuracy: null, ci95: null };
  const unseen = first === undefined ? none : toGroup('all', [first, ...others]);
  const rest = seen.size === 0 ? all : unseen;
  const without = pick(rest, 'questions', 'graded', 'accuracy', 'ci95');
  const inText = new Set(text);
  return {
    copies: {
      checked: idsOf(checked).length,
      text,
      page: page.filter((id) => !inText.has(id)),
      without,
    },
  };
}

/**
 * A summary without any rate: of questions that were asked because they had failed, which say nothing
 * of the others.
 */
export function withoutRates(summary: Summary): Summary {
  const unknown = { accuracy: null, bounds: null, ci95: null };
  const withhold = ({
    corrected: _,
    macro_f1: _f1,
    macro_f1_ci95: _ci,
    scores = {},
    ...group
  }: GroupSummary): GroupSummary => {
    const known = Object.entries(scores).map(
      ([name, score]) =>
        [
          name,
          { ...pick(score, 'n', 'questions', 'clusters', 'kind'), mean: null, ci95: null },
        ] as const,
    );
    const withheld = known.length === 0 ? {} : { scores: Object.fromEntries(known) };
    return { ...group, ...unknown, ...withheld };
  };
  const suites = summary.suites.map(
    ({ probability: _, labels: _labels, copies, slices = [], ...suite }): SuiteSummary => {
      const sliced = slices.map(({ by, groups }) => ({ by, groups: groups.map(withhold) }));
      return {
        ...suite,
        groups: suite.groups.map(withhold),
        ...(sliced.length === 0 ? {} : { slices: sliced }),
        ...(copies && {
          copies: { ...copies, without: { ...copies.without, accuracy: null, ci95: null } },
        }),
        macro_accuracy: null,
        macro_ci95: null,
        confidence: [],
        positions: [],
      };
    },
  );
  return { ...summary, suites };
}

function readingsOf(results: Rows): Pick<SuiteSummary, 'readings'> {
  const read = results.filter(({ certain }) => certain !== undefined);
  if (read.length === 0) return {};
  const doubted = read.filter(({ certain }) => certain === false);
  const unread = doubted.filter(({ answer }) => answer === null).length;
  return { readings: { uncertain: doubted.length - unread, unread } };
}

function toNaturalOrder(groups: ReadonlyMap<string, Rows>): readonly (readonly [string, Rows])[] {
  return [...groups].sort(([left], [right]) => compareNaturally(left, right));
}

function listTallies(results: Rows): readonly Tally[] {
  return [...tallyQuestions(results).values()];
}

type OfGroup = Readonly<{
  results: Rows;
  tallies: readonly Tally[];
  scores: ReturnType<typeof listScores>;
  calibrationOf: CalibrationOf;
}>;

function summarizeGroup(
  group: string,
  { results, tallies, scores, calibrationOf }: OfGroup,
): GroupSummary {
  const withTarget = results.filter(hasTarget);
  const populations = countPopulations(results, withTarget);
  const retried = results.filter(({ attempts }) => attempts > 1).length;
  return {
    group,
    ...populations,
    ...computeAccuracy(populations, tallies),
    ...countClusters(tallies),
    ...correctAccuracyOf(withTarget, tallies, calibrationOf),
    ...summarizeScores(scores, withTarget, calibrationOf),
    ...computeLatency(results),
    ...computeFirstToken(results),
    ...computeOwnDelay(results),
    tokens: sumTokens(results),
    ...computeCost(results),
    cached: results.filter(({ cached }) => cached).length,
    ...(retried === 0 ? {} : { retried }),
  };
}

function computeAccuracy(
  { graded, graded_states: { correct, not_run } }: Populations,
  tallies: readonly Tally[],
): Pick<GroupSummary, 'accuracy' | 'bounds' | 'ci95'> {
  if (graded === 0) return { accuracy: null, bounds: null, ci95: null };
  const lower = correct / graded;
  if (not_run > 0)
    return { accuracy: null, bounds: [lower, (correct + not_run) / graded], ci95: null };
  return {
    accuracy: lower,
    bounds: [lower, lower],
    ci95: computeShare(tallies)?.ci95 ?? null,
  };
}

/** Token sums of the results that report usage; null if none does. */
function sumTokens(results: readonly SampleResult[]): GroupSummary['tokens'] {
  let [input, output, cached, reported] = [0, 0, 0, 0];
  for (const { usage } of results) {
    if (usage === null) continue;
    input += usage.input_tokens;
    output += usage.output_tokens;
    cached += usage.cached_tokens;
    reported++;
  }
  if (reported === 0) return { input: null, output: null };
  return { input, output, ...(cached > 0 ? { cached } : {}) };
}

/**
 * The cost of results and of their judges in US dollars, or its lower bound if the cost of some is
 * not known. Also what this run itself spent, and whether costs are estimated. A result that is
 * not run counts with what was paid for it.
 */
export function computeCost(
  results: readonly SampleResult[],
): Pick<
  GroupSummary,
  'cost_usd' | 'cost_at_least_usd' | 'without_cost' | 'new_cost_usd' | 'cost_estimated'
> {
  const [known, added]: [number[], number[]] = [[], []];
  let [ran, without_cost, isPart, isCutOff, isEstimated] = [0, 0, false, false, false];
  for (const row of results) {
    if (row.cost_estimated === true) isEstimated = true;
    // Such a call may have been under way, and paid for.
    if (row.state === 'not_run' && CUT_OFF.has(row.reason)) isCutOff = true;
    // What was paid counts, also where the answer is left out.
    if (!wasAsked(row) && row.cost_usd === null) continue;
    const { cost_usd, judge, cached } = row;
    const { total, newlySpent } = costOf(row);
    ran += 1;
    if (total === null) without_cost += 1;
    // Of an answer and its judges, one cost may be known.
    if (cost_usd !== null) known.push(cost_usd);
    if (judge !== undefined && judge.cost_usd !== null) known.push(judge.cost_usd);
    if (newlySpent !== null) added.push(newlySpent);
    if (cached || judge?.new_cost_usd !== undefined) isPart = true;
  }
  if (known.length === 0) return { cost_usd: null };
  const sum = sumAnyOrder(known);
  const isWhole = without_cost === 0 && !isCutOff;
  const isNewKnown = isPart && added.length === ran;
  return {
    ...(isWhole ? { cost_usd: sum } : { cost_usd: null, cost_at_least_usd: sum, without_cost }),
    ...(isNewKnown ? { new_cost_usd: sumAnyOrder(added) } : {}),
    ...(isEstimated ? { cost_estimated: true } : {}),
  };
}

const CUT_OFF: ReadonlySet<string | null> = new Set(['interrupted', 'bail', 'crash', 'machine']);

/** All levels of GAIA: readers would take a mean of fewer for the published figure. */
const LEVELS = ['level 1', 'level 2', 'level 3'];

/**
 * Mean of the groups' accuracies (`groups` has no "all"), each counting alike. Null unless there are
 * at least two groups and each has an accuracy. If the groups are levels, levels 1 to 3 must be among
 * them. No interval where groups share a cluster: they are not independent.
 */
function computeMacroAccuracy(
  groups: readonly GroupSummary[],
  tallies: readonly (readonly Tally[])[],
): Pick<SuiteSummary, 'macro_accuracy' | 'macro_ci95'> {
  const names = groups.map(({ group }) => group);
  const areLevels = names.every((name) => /^level \d+$/.test(name));
  const lacksLevel = areLevels && LEVELS.some((level) => !names.includes(level));
  if (groups.length < 2 || lacksLevel || groups.some(({ accuracy }) => accuracy === null))
    return { macro_accuracy: null, macro_ci95: null };
  const shares = tallies.flatMap((ofGroup): Share | readonly [] => computeShare(ofGroup) ?? []);
  const { value, ci95 } = computeMacro(shares);
  return { macro_accuracy: value, macro_ci95: shareClusters(tallies) ? null : ci95 };
}

/** Whether a cluster has questions in two groups. */
function shareClusters(groups: readonly (readonly Tally[])[]): boolean {
  const clusters = groups.flatMap((tallies) => [
    ...new Set(tallies.flatMap(({ cluster }) => cluster ?? [])),
  ]);
  return new Set(clusters).size < clusters.length;
}

/**
 * Chance (0..1) that at least one of k trials is right, and that all are; mean over questions, with
 * 95 % intervals.
 */
export type PassRate = Readonly<{
  k: number;
  pass_at_k: number;
  pass_at_k_ci95: Interval;
  pass_hat_k: number;
  pass_hat_k_ci95: Interval;
}>;

export type TrialFigures = {
  /**
   * For k = 1, which is accuracy, up to the smallest number of trials of a question with a target.
   * Empty if one of those was not run.
   */
  readonly rates: readonly PassRate[];
  /**
   * Ids of questions that are right in some trials and wrong in others, in order of first
   * appearance.
   */
  readonly unstable: readonly string[];
} & ConsistencyFigures;

/** How alike the trials of a question are, 0..1, as a mean over questions with two or more. */
type ConsistencyFigures = Readonly<{
  /** The share of pairs of trials that are both right or both wrong; null without a pair. */
  outcome_consistency: number | null;
  /**
   * exp(-v), v being the mean of standard deviation / mean of what the trials cost; null where no
   * question has two known costs above 0.
   */
  cost_consistency: number | null;
}>;

/**
 * Figures of repeated trials, for the results of one suite, dataset and agent. Both rates are the
 * unbiased estimators over all subsets of k trials: pass@k = 1 - C(wrong, k) / C(trials, k) (Chen et
 * al. 2021), pass^k = C(right, k) / C(trials, k) (tau-bench 2024).
 */
export function computeTrialFigures(results: readonly SampleResult[]): TrialFigures {
  const tallies = [...tallyQuestions(results)].filter(([, { counted }]) => counted > 0);
  const isComplete = results.every((result) => !hasTarget(result) || hasRun(result));
  return {
    rates: isComplete ? computeRates(tallies.map(([, tally]) => tally)) : [],
    unstable: tallies
      .filter(([, { correct, counted }]) => correct > 0 && correct < counted)
      .map(([id]) => id),
    outcome_consistency: isComplete
      ? average(tallies.flatMap(([, tally]) => shareOfPairs(tally) ?? []))
      : null,
    cost_consistency: isComplete ? computeCostConsistency(results) : null,
  };
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : sumAnyOrder(values) / values.length;
}

function shareOfPairs({ correct, counted }: Tally): number | null {
  const pairs = (n: number) => (n * (n - 1)) / 2;
  return counted < 2 ? null : (pairs(correct) + pairs(counted - correct)) / pairs(counted);
}

function computeCostConsistency(results: readonly SampleResult[]): number | null {
  const variations = [...groupBy(results, ({ id }) => id).values()].flatMap((trials) => {
    const costs = trials.flatMap((row) => (wasAsked(row) ? (costOf(row).total ?? []) : []));
    // In one order, and from the least: equal costs have a spread of exactly 0.
    const [least = 0] = costs.sort((one, other) => one - other);
    const mean = least + costs.reduce((sum, cost) => sum + cost - least, 0) / costs.length;
    if (costs.length < 2 || mean === 0) return [];
    const squares = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0);
    return Math.sqrt(squares / (costs.length - 1)) / mean;
  });
  const variation = average(variations);
  return variation === null ? null : Math.exp(-variation);
}

function computeRates(tallies: readonly Tally[]): readonly PassRate[] {
  const most = tallies.length === 0 ? 0 : Math.min(...tallies.map(({ counted }) => counted));
  return Array.from({ length: most }, (_, index) => {
    const k = index + 1;
    const [any, all = any] = k === 1 ? [computeShare(tallies)] : estimate(k, tallies);
    const nothing = { value: 0, ci95: [0, 1] } as const;
    return {
      k,
      pass_at_k: (any ?? nothing).value,
      pass_at_k_ci95: (any ?? nothing).ci95,
      pass_hat_k: (all ?? nothing).value,
      pass_hat_k_ci95: (all ?? nothing).ci95,
    };
  });
}

/** The means of pass@k and pass^k over questions, each of which has one estimate. */
function estimate(k: number, tallies: readonly Tally[]) {
  const meanOf = (chanceOf: (tally: Tally) => number) =>
    computeMean(
      tallies.map((tally) => ({
        correct: chanceOf(tally),
        counted: 1,
        cluster: tally.cluster,
      })),
    );
  return [
    meanOf(({ correct, counted }) => 1 - computeDrawChance(counted - correct, counted, k)),
    meanOf(({ correct, counted }) => computeDrawChance(correct, counted, k)),
  ] as const;
}

/**
 * The chance that k trials, drawn from all, are all among the `wanted` ones: C(wanted, k) / C(all,
 * k).
 */
function computeDrawChance(wanted: number, all: number, k: number): number {
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= (wanted - drawn) / (all - drawn);
  return chance;
}
