import type { Gate, SuiteSummary, Summary } from '../words/figures.ts';
import type { SampleResult } from '../words/row.ts';
import { lineIf, quote } from '../words/show.ts';
import { pickVariant } from '../words/variant.ts';
import type { Comparison } from './compare.ts';
import { judgeLimit, type Verdict } from './gate-verdict.ts';
import { groupBy } from './groups.ts';
import { listLimits, type Measure } from './parse-gates.ts';

/** The verdict of one threshold of a gate on one agent. */
export type GateResult = Verdict &
  Readonly<{
    gate: Gate;
    agent: string;
    prompt?: string;
    measure: Measure;
    /** The named score that is measured, if one is. */
    score?: string;
    threshold: number;
  }>;

/**
 * Judges every threshold of every gate for every agent of its suite and dataset. `comparisonOf`
 * returns the comparison with the baseline, or null; `results` are those of the summary.
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
      .flatMap((suite) => {
        const known = { suite, comparison: comparisonOf(suite), results };
        return listLimits(gate).map((limit) => ({
          gate,
          ...pickVariant(suite),
          ...limit,
          ...judgeLimit(limit, gate.group, known),
        }));
      }),
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
export function minAccuracyGates(min_accuracy: number, summary: Summary): readonly Gate[] {
  const suites = groupBy(summary.suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...suites.values()].map(([{ suite, dataset }]) => {
    return { suite, dataset, group: 'all', min_accuracy };
  });
}
