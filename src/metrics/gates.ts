import type { SuiteSummary, Summary } from '../types.ts';
import type { Comparison } from './compare.ts';
import { groupBy } from './group-by.ts';
import { toTupleKey } from './tuple-key.ts';
import { judgeMeasure, MEASURES, type Measure, type Verdict } from './verdict.ts';

/** Thresholds on one group of one suite and dataset, as in evals/gates.json; rates are 0..1. */
export type Gate = {
  readonly suite: string;
  readonly dataset: string;
  readonly group: string;
  /** Accuracy must be at least this. */
  readonly min_accuracy?: number;
  /** The lower end of the interval of the difference to the baseline must not lie further below 0. */
  readonly max_drop?: number;
  /** Share of results that are errored. Time-outs are not among them: they are the agent's, and accuracy counts them. */
  readonly max_errored?: number;
  /** Shown, but without a say in the exit code. */
  readonly advisory?: boolean;
};

/** What one threshold of a gate says of one agent. */
export type GateResult = Verdict & {
  readonly gate: Gate;
  readonly agent: string;
  readonly measure: Measure;
  readonly threshold: number;
};

/**
 * Judges every threshold of every gate against every agent of its suite and dataset; other suites are not its business.
 * `comparisonOf` gives the comparison with the baseline, null when there is none.
 */
export function judgeGates(
  gates: readonly Gate[],
  summary: Summary,
  comparisonOf: (suite: SuiteSummary) => Comparison | null,
): readonly GateResult[] {
  return gates.flatMap((gate) =>
    summary.suites
      .filter(({ suite, dataset }) => suite === gate.suite && dataset === gate.dataset)
      .flatMap((suite) => judgeGate(gate, suite, comparisonOf(suite))),
  );
}

/** One minimal accuracy (0..1) as a gate on group "all" of every suite and dataset of a run. */
export function minAccuracyGates(minimum: number, summary: Summary): readonly Gate[] {
  const suites = groupBy(summary.suites, ({ suite, dataset }) => toTupleKey(suite, dataset));
  return [...suites.values()].map(([{ suite, dataset }]) => ({ suite, dataset, group: 'all', min_accuracy: minimum }));
}

function judgeGate(gate: Gate, suite: SuiteSummary, comparison: Comparison | null): readonly GateResult[] {
  return MEASURES.flatMap((measure) => {
    const threshold = gate[measure];
    if (threshold === undefined) return [];
    const verdict = judgeMeasure(measure, threshold, gate.group, suite, comparison);
    return [{ gate, agent: suite.agent, measure, threshold, ...verdict }];
  });
}
