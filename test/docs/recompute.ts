import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TrialFigures } from '../../src/figures/summarize.ts';
import type { GroupSummary, SuiteSummary } from '../../src/words/figures.ts';

const SCRIPT = join(import.meta.dirname, '../../docs/recompute.py');

/** What the page of Python prints for one run, or for a run and the one that it is compared with. */
export function recompute(...folders: readonly string[]): unknown {
  return JSON.parse(execFileSync('python3', [SCRIPT, ...folders], { encoding: 'utf8' }));
}

const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 7));
const nearAll = (values: readonly (number | null)[] | null) => values?.map(near) ?? null;

/** The figures of a suite in the form of the page, to seven digits. */
export function toRecomputed(
  { groups, macro_accuracy, macro_ci95, chance }: SuiteSummary,
  trials: TrialFigures | null,
): unknown {
  const ofMore = trials?.rates.filter(({ k }) => k > 1) ?? [];
  return {
    chance: near(chance),
    ...(trials && {
      outcome_consistency: near(trials.outcome_consistency),
      cost_consistency: near(trials.cost_consistency),
    }),
    groups: Object.fromEntries(groups.map((group) => [group.group, toGroup(group)])),
    ...(macro_accuracy === null
      ? {}
      : { macro_accuracy: near(macro_accuracy), macro_ci95: nearAll(macro_ci95) }),
    ...(ofMore.length === 0
      ? {}
      : {
          pass: Object.fromEntries(
            ofMore.map(({ k, pass_at_k, pass_at_k_ci95, pass_hat_k, pass_hat_k_ci95 }) => [
              String(k),
              [
                [near(pass_at_k), nearAll(pass_at_k_ci95)],
                [near(pass_hat_k), nearAll(pass_hat_k_ci95)],
              ],
            ]),
          ),
        }),
  };
}

function toGroup({ n, graded, questions, accuracy, ci95, scores = {}, ...times }: GroupSummary) {
  const { median_latency_ms, median_latency_ci95, p95_latency_ms, p95_latency_ci95 } = times;
  const shown = Object.entries(scores).map(([name, score]) => {
    return [name, { n: score.n, mean: near(score.mean), ci95: nearAll(score.ci95) }] as const;
  });
  return {
    n,
    graded,
    questions,
    ...(accuracy === null ? {} : { accuracy: near(accuracy), ci95: nearAll(ci95) }),
    ...(shown.length === 0 ? {} : { scores: Object.fromEntries(shown) }),
    median_latency_ms: near(median_latency_ms),
    median_latency_ci95: nearAll(median_latency_ci95),
    p95_latency_ms: near(p95_latency_ms),
    p95_latency_ci95: nearAll(p95_latency_ci95),
    ...(times.median_first_token_ms === undefined
      ? {}
      : {
          median_first_token_ms: near(times.median_first_token_ms),
          median_first_token_ci95: nearAll(times.median_first_token_ci95 ?? null),
          p95_first_token_ms: near(times.p95_first_token_ms ?? null),
          p95_first_token_ci95: nearAll(times.p95_first_token_ci95 ?? null),
        }),
  };
}
