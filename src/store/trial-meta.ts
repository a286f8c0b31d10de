import { costOf, isCorrect, type NamedScores, type SampleResult } from '../words/row.ts';
import { cutBytes } from '../words/show.ts';
import { pickVariant } from '../words/variant.ts';

/** The fields that identify one trial of one sample. */
export type TrialIdentity = Pick<
  SampleResult,
  'suite' | 'dataset' | 'agent' | 'prompt' | 'id' | 'trial'
>;

export function toIdentity({
  suite,
  dataset,
  id,
  trial,
  ...variant
}: TrialIdentity): TrialIdentity {
  return { suite, dataset, ...pickVariant(variant), id, trial };
}

/** The key of a trial. A later line of the log with the same key replaces an earlier one. */
export function resultKey({ suite, dataset, agent, prompt, id, trial }: TrialIdentity): string {
  return JSON.stringify([suite, dataset, agent, id, trial, prompt]);
}

/**
 * The data of a generated test from its definition on. With it, a test that never ran is still
 * counted.
 */
export type TrialMeta = TrialIdentity &
  Pick<SampleResult, 'group' | 'groups' | 'cluster' | 'prompt_hash' | 'question_hash'> & {
    /** Name of the run folder with the full row. */
    readonly run: string;
  };

/** The data of a test before it runs; `cached` if its answer is in the cache. */
export type PlannedMeta = TrialMeta & { readonly cached?: boolean };

/** The data of a finished test, for the Vitest UI and JSON reports: small, because every event sends it. */
export type ResultMeta = TrialMeta &
  Pick<SampleResult, 'state' | 'latency_ms' | 'cost_usd' | 'scores'> & {
    /** Only if the answer is not right, and if records may be shown. */
    readonly question?: string;
  };

declare module 'vitest' {
  interface TaskMeta {
    eval?: PlannedMeta | ResultMeta;
  }
}

/** A test's data with its result. `question` is null if records must not be shown. */
export function toResultMeta(
  trial: TrialMeta,
  result: SampleResult,
  question: string | null,
): ResultMeta {
  const { latency_ms, scores = {} } = result;
  return {
    question: isCorrect(result) ? undefined : (cutBytes(question, 350) ?? undefined),
    state: result.state,
    latency_ms: latency_ms === null ? null : Math.round(latency_ms),
    cost_usd: costOf(result).total,
    ...cutScores(scores),
    ...trial,
  };
}

/** The first scores with a value, the false ones before the others; the row has all. */
function cutScores(named: NamedScores): { readonly scores?: NamedScores } {
  const isFalse = ([, value]: readonly [string, unknown]) => value === false;
  const valued = Object.entries(named).filter(([, value]) => value !== null);
  const first = valued
    .sort((a, b) => Number(isFalse(b)) - Number(isFalse(a)))
    .slice(0, MOST_SCORES);
  const scores = first.map(([name, value]) => [cutBytes(name, 40) ?? '', value]);
  return scores.length === 0 ? {} : { scores: Object.fromEntries(scores) };
}

const MOST_SCORES = 6;
