import { hasTarget, isGraded } from '../states.ts';
import type { SampleResult } from '../types.ts';
import { sumAnyOrder } from './percent.ts';
import { type Tally, tallyQuestions } from './totals.ts';

/** Chance (0..1) that of k trials of a question at least one is right, and that all are; averaged over questions. */
type PassRate = { readonly k: number; readonly pass_at_k: number; readonly pass_hat_k: number };

export type TrialFigures = {
  /** For k = 1 up to the smallest number of trials of a question; empty while anything graded is not_run. Questions without a target are left out. */
  readonly rates: readonly PassRate[];
  /** Ids of the questions that were right in some trials and wrong in others, in order of first appearance. */
  readonly unstable: readonly string[];
};

/**
 * What repeated trials say. The results are of one suite, dataset and agent. Both rates are the unbiased estimators
 * over all subsets of k trials: pass@k = 1 - C(wrong, k) / C(trials, k), pass^k = C(right, k) / C(trials, k).
 */
export function trialFigures(results: readonly SampleResult[]): TrialFigures {
  const tallies = [...tallyQuestions(results)].filter(([, { graded }]) => graded > 0);
  const complete = results.every((result) => !hasTarget(result) || isGraded(result));
  return {
    rates: complete ? computeRates(tallies.map(([, tally]) => tally)) : [],
    unstable: tallies.filter(([, { correct, graded }]) => correct > 0 && correct < graded).map(([id]) => id),
  };
}

function computeRates(tallies: readonly Tally[]): readonly PassRate[] {
  const most = tallies.reduce((least, { graded }) => Math.min(least, graded), tallies[0]?.graded ?? 0);
  const allWrong = average(tallies, most, ({ correct, graded }) => graded - correct);
  const allRight = average(tallies, most, ({ correct }) => correct);
  return Array.from({ length: most }, (_, index) => ({
    k: index + 1,
    pass_at_k: 1 - (allWrong[index] ?? 0),
    pass_hat_k: allRight[index] ?? 0,
  }));
}

/**
 * For k = 1 to `most`: C(part, k) / C(graded, k), the chance that k trials drawn without putting back all come from
 * the part; averaged over questions. Each k multiplies one factor to the one before: linear in the trials.
 */
function average(tallies: readonly Tally[], most: number, partOf: (tally: Tally) => number): readonly number[] {
  const chances: number[][] = [];
  for (const tally of tallies) {
    let chance = 1;
    for (let drawn = 0; drawn < most; drawn += 1) {
      chance *= (partOf(tally) - drawn) / (tally.graded - drawn);
      const known = chances[drawn] ?? [];
      known.push(chance);
      chances[drawn] = known;
    }
  }
  return chances.map((each) => sumAnyOrder(each) / tallies.length);
}
