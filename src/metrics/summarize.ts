import type { GroupSummary, SampleResult, SuiteSummary, Summary } from '../types.ts';
import { computeChance } from './chance.ts';
import { bucketConfidence } from './confidence.ts';
import { computeEffectiveN } from './effective-n.ts';
import { groupBy } from './group-by.ts';
import { computeLatency } from './latency.ts';
import { computeMacroAccuracy } from './macro-accuracy.ts';
import { compareNaturally } from './natural-order.ts';
import { averagePartial } from './partial.ts';
import { countPositions } from './positions.ts';
import { countStates, hasTarget } from './states.ts';
import { createSuiteKey } from './suite-key.ts';
import { type Tally, tallyQuestions } from './tally.ts';
import { costFacts, countCached, countRetried, sumTokens } from './totals.ts';
import { computeWilson } from './wilson.ts';

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
    complete: results.every(({ state }) => state !== 'not_run'),
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
