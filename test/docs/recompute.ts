import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PairOfMany } from '../../src/figures/compare-runs.ts';
import type { Comparison } from '../../src/figures/paired-comparison.ts';
import type { TrialFigures } from '../../src/figures/summarize.ts';
import { pick } from '../../src/words/fields.ts';
import type { GroupSummary, JudgeFigures, SuiteSummary } from '../../src/words/figures.ts';

const SCRIPT = join(import.meta.dirname, '../../docs/recompute.py');

/** What the page of Python prints for one run, or for a run and the one that it is compared with. */
export function recompute(...args: readonly string[]): unknown {
  return JSON.parse(execFileSync('python3', [SCRIPT, ...args], { encoding: 'utf8' }));
}

/** All numbers of a value to seven digits. */
export function near(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 7);
  if (Array.isArray(value)) return value.map(near);
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(known.map(([name, each]) => [name, near(each)]));
}

/** The figures of a suite in the form of the page, to seven digits. */
export function toRecomputed(suite: SuiteSummary, trials: TrialFigures | null): unknown {
  const {
    groups,
    macro_accuracy,
    macro_ci95,
    chance,
    slices,
    probability,
    judges,
    labels,
    positions,
  } = suite;
  const ofMore = trials?.rates.filter(({ k }) => k > 1) ?? [];
  return near({
    chance,
    positions: positions.map(({ n, correct, chosen }) => ({ n, correct, chosen })),
    ...(trials && {
      outcome_consistency: trials.outcome_consistency,
      cost_consistency: trials.cost_consistency,
    }),
    groups: byName(groups, 'group', toGroup),
    slices: slices && byName(slices, 'by', (slice) => byName(slice.groups, 'group', toGroup)),
    probability,
    judges: judges?.map(toJudge),
    labels:
      labels &&
      byName(labels.each, 'label', ({ precision, recall, f1 }) => ({ precision, recall, f1 })),
    ...(macro_accuracy === null ? {} : { macro_accuracy, macro_ci95 }),
    pass:
      ofMore.length === 0
        ? undefined
        : Object.fromEntries(
            ofMore.map(({ k, pass_at_k, pass_at_k_ci95, pass_hat_k, pass_hat_k_ci95 }) => [
              k,
              [
                [pass_at_k, pass_at_k_ci95],
                [pass_hat_k, pass_hat_k_ci95],
              ],
            ]),
          ),
  });
}

function byName<Name extends string, One extends Readonly<Record<Name, string>>>(
  entries: readonly One[],
  name: Name,
  toValue: (one: One) => unknown,
) {
  return Object.fromEntries(entries.map((one) => [one[name], toValue(one)]));
}

function toGroup({ accuracy, ci95, scores = {}, ...group }: GroupSummary) {
  const { n, graded, questions, corrected, macro_f1, macro_f1_ci95, clusters, cost_usd } = group;
  const { median_latency_ms, median_latency_ci95, p95_latency_ms, p95_latency_ci95 } = group;
  const { median_first_token_ms, median_first_token_ci95 } = group;
  const { p95_first_token_ms, p95_first_token_ci95 } = group;
  const shown = Object.entries(scores).map(([name, score]) => [
    name,
    pick(score, 'n', 'questions', 'clusters', 'mean', 'ci95', 'corrected'),
  ]);
  return {
    ...{ n, graded, questions, corrected, macro_f1, macro_f1_ci95, clusters, cost_usd },
    tokens: [group.tokens.input, group.tokens.output],
    ...(accuracy === null ? {} : { accuracy, ci95 }),
    ...(shown.length === 0 ? {} : { scores: Object.fromEntries(shown) }),
    ...{ median_latency_ms, median_latency_ci95, p95_latency_ms, p95_latency_ci95 },
    ...{ median_first_token_ms, median_first_token_ci95 },
    ...{ p95_first_token_ms, p95_first_token_ci95 },
  };
}

function toJudge({ judged, calibration }: JudgeFigures) {
  if (calibration === null) return { judged, calibration };
  const { labels, agreement, kappa, kappa_ci95, tpr, tnr } = calibration;
  const ends = { tpr_ci95: tpr?.ci95 ?? null, tnr_ci95: tnr?.ci95 ?? null };
  return { judged, calibration: { labels, agreement, kappa, kappa_ci95, ...ends } };
}

/** A comparison in the form of the page, to seven digits. */
export function toCompared(figures: Comparison, among?: PairOfMany): unknown {
  const { groups, slices, p_value, detectable_drop, latency_ratio, cost_ratio } = figures;
  return near({
    ...toDifference(figures),
    ...{ p_value, drop: detectable_drop, latency_ratio, cost_ratio },
    p_among_pairs: among?.p_value,
    groups: byName(groups, 'group', toDifference),
    slices: slices && byName(slices, 'by', (slice) => byName(slice.groups, 'group', toDifference)),
  });
}

function toDifference(figures: Omit<Comparison['groups'][number], 'group'>) {
  const { questions, accuracy_a: a, accuracy_b: b, difference, ci95, scores } = figures;
  const shown = Object.entries(scores ?? {}).map(([name, score]) => [
    name,
    {
      questions: score.questions,
      a: score.mean_a,
      b: score.mean_b,
      difference: score.difference,
      ci95: score.ci95,
    },
  ]);
  return {
    ...{ questions, a, b, difference, ci95 },
    ...(scores === undefined ? {} : { scores: Object.fromEntries(shown) }),
  };
}
