import { countStates, hasRun, hasTarget, isGraded } from '../states.ts';
import type { GroupSummary, SampleResult, SuiteSummary, Summary } from '../types.ts';
import { bucketConfidence, computeChance, countPositions } from './choice-figures.ts';
import { compareNaturally, createSuiteKey, groupBy } from './groups.ts';
import { computeEffectiveN, computeWilson } from './intervals.ts';
import { computeLatency } from './latency.ts';
import { sumAnyOrder } from './percent.ts';
import { costFacts, countCached, countRetried, sumTokens, type Tally, tallyQuestions } from './totals.ts';

type Rows = readonly [SampleResult, ...SampleResult[]];
type Accuracy = Pick<GroupSummary, 'accuracy' | 'bounds' | 'ci95'>;

/**
 * Figures of a run: one entry per suite, dataset and agent in order of first appearance, its groups in natural order,
 * "all" last. Takes the results as they are: removing duplicates is the caller's business.
 */
export function summarize(results: readonly SampleResult[]): Summary {
  const suites = groupBy(results, createSuiteKey());
  return {
    version: 1,
    complete: results.every(hasRun),
    suites: [...suites.values()].map(summarizeSuite),
  };
}

function summarizeSuite(results: Rows): SuiteSummary {
  const [{ suite, dataset, agent }] = results;
  // Without subjects the dataset's own group is "all" already.
  const named = [...groupBy(results, ({ group }) => group)].filter(([group]) => group !== 'all');
  const groups = named
    .sort(([left], [right]) => compareNaturally(left, right))
    .map(([group, rows]) => summarizeGroup(group, rows));
  const all = summarizeGroup('all', results);
  return {
    suite,
    dataset,
    agent,
    groups: [...groups, all],
    macro_accuracy: computeMacroAccuracy(groups),
    confidence: bucketConfidence(results),
    chance: computeChance(results),
    partial: averagePartial(results),
    positions: countPositions(results),
  };
}

function summarizeGroup(group: string, results: Rows): GroupSummary {
  const withTarget = results.filter(hasTarget);
  const tallies = tallyQuestions(results);
  return {
    group,
    n: results.length,
    graded: withTarget.length,
    questions: tallies.size,
    states: countStates(results),
    graded_errored: countStates(withTarget).errored,
    ...computeAccuracy(withTarget, tallies),
    ...computeLatency(results),
    tokens: sumTokens(results),
    ...costFacts(results),
    cached: countCached(results),
    ...countRetried(results),
  };
}

function computeAccuracy(withTarget: readonly SampleResult[], tallies: ReadonlyMap<string, Tally>): Accuracy {
  const graded = withTarget.length;
  if (graded === 0) return { accuracy: null, bounds: null, ci95: null };
  const { correct, not_run } = countStates(withTarget);
  const lower = correct / graded;
  if (not_run > 0) return { accuracy: null, bounds: [lower, (correct + not_run) / graded], ci95: null };
  const ci95 = computeWilson(lower, computeEffectiveN([...tallies.values()]));
  return { accuracy: lower, bounds: [lower, lower], ci95 };
}

/**
 * Mean partial credit by its name over the graded results, 0 for one that has none (an error, a time-out). Null when no
 * result has any, and while anything graded is not run.
 */
export function averagePartial(results: readonly SampleResult[]): Readonly<Record<string, number>> | null {
  const graded = results.filter(isGraded);
  const given = graded.map(({ partial }) => partial).filter((partial) => partial !== undefined);
  if (given.length === 0 || results.some((result) => hasTarget(result) && !isGraded(result))) return null;
  const credits = Map.groupBy(
    given.flatMap((partial) => Object.entries(partial)),
    ([name]) => name,
  );
  return Object.fromEntries(
    [...credits].map(([name, entries]) => [name, sumAnyOrder(entries.map(([, credit]) => credit)) / graded.length]),
  );
}

/** Every level of GAIA: a mean of fewer would pass for the published figure. */
const LEVELS = ['level 1', 'level 2', 'level 3'];

/**
 * Plain mean of the groups' accuracies ("all" is not among `groups`): null unless at least two groups are there and
 * each has an accuracy. Groups that are levels must include levels 1 to 3.
 */
function computeMacroAccuracy(groups: readonly GroupSummary[]): number | null {
  const names = groups.map(({ group }) => group);
  const areLevels = names.every((name) => /^level \d+$/.test(name));
  if (groups.length < 2 || (areLevels && LEVELS.some((level) => !names.includes(level)))) return null;
  const accuracies = groups.map(({ accuracy }) => accuracy).filter((accuracy) => accuracy !== null);
  if (accuracies.length < groups.length) return null;
  return accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / groups.length;
}
