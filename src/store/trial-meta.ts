import { pick } from '../words/fields.ts';
import { costOf, isCorrect, type NamedScores, type SampleResult } from '../words/row.ts';
import { cutBytes, toTextOrNull } from '../words/show.ts';
import { pickVariant } from '../words/wording.ts';

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
  Pick<SampleResult, 'group' | 'groups' | 'prompt_hash' | 'question_hash'> & {
    /** Name of the run folder with the full row. */
    readonly run: string;
  };

/** The data of a test before it runs; `cached` if its answer is in the cache. */
export type PlannedMeta = TrialMeta & { readonly cached?: boolean };

/**
 * The data of a finished test, for the Vitest UI and JSON reports. It is small, because every event
 * sends it.
 */
export type ResultMeta = TrialMeta &
  Pick<
    SampleResult,
    | 'state'
    | 'reason'
    | 'how'
    | 'latency_ms'
    | 'usage'
    | 'cost_usd'
    | 'cached'
    | 'steps'
    | 'model'
    | 'slots'
    | 'scores'
  > &
  Readonly<{
    /** Present if no target is known. */
    no_target?: true;
    target?: string | null;
    answer?: string | null;
    /** Only if the answer is not right: the question, and why the answer does not match. */
    question?: string | null;
    explanation?: string | null;
    confidence?: string;
  }>;

declare module 'vitest' {
  interface TaskMeta {
    eval?: PlannedMeta | ResultMeta;
  }
}

/**
 * A test's data with its result, about 2 kB at most, in the order of the Vitest UI. `question` is null if
 * records must not be shown.
 */
export function toResultMeta(
  trial: TrialMeta,
  result: SampleResult,
  question: string | null,
): ResultMeta {
  const { target, answer, latency_ms, scores } = result;
  const facts = {
    ...pick(result, 'state', 'reason', 'how'),
    latency_ms: latency_ms === null ? null : Math.round(latency_ms),
    usage: result.usage,
    cost_usd: costOf(result).total,
    ...pick(result, 'cached', 'steps', 'model'),
    ...(scores === undefined ? {} : cutScores(scores)),
    ...pick(result, 'slots'),
    ...(target === null ? { no_target: true as const } : {}),
    ...trial,
  };
  if (question === null) return facts;
  const shown = {
    target: cutBytes(toTextOrNull(target), 300),
    answer: cutBytes(toTextOrNull(answer), 300),
  };
  if (isCorrect(result)) return { ...shown, ...facts };
  const stated = result.confidence === null ? null : cutBytes(String(result.confidence), 40);
  const explanation = cutBytes(result.explanation, 200);
  return {
    question: cutBytes(question, 350),
    ...shown,
    explanation,
    ...(stated && { confidence: stated }),
    ...facts,
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
