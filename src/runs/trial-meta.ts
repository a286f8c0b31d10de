import { toVisibleLines } from '../text/visible-text.ts';
import type { SampleResult } from '../types.ts';

/** What a generated test carries from its definition on: with it, a test that never ran is still counted. */
export type TrialMeta = Pick<
  SampleResult,
  'suite' | 'dataset' | 'agent' | 'id' | 'trial' | 'group' | 'prompt_hash' | 'question_hash'
> & {
  /** Name of the run folder that has the full row. */
  readonly run: string;
};

/** What a test carries until it has run; `kept` when its answer is in the cache. */
export type PlannedMeta = TrialMeta & { readonly kept?: true };

/** What a test shows in the Vitest UI and in JSON reports once it has run; small, since it is sent with each event. */
export type ResultMeta = TrialMeta &
  Pick<
    SampleResult,
    'state' | 'reason' | 'how' | 'latency_ms' | 'usage' | 'cost_usd' | 'cached' | 'steps' | 'model' | 'slots'
  > & {
    /** Present where no target is known. */
    readonly hidden?: true;
    readonly target?: string | null;
    readonly answer?: string | null;
    /** Of a case that is not right: what was asked, and why the answer does not match. */
    readonly question?: string | null;
    readonly explanation?: string | null;
  };

declare module 'vitest' {
  interface TaskMeta {
    eval?: PlannedMeta | ResultMeta;
  }
}

/**
 * A test's meta with its result, below 2 kB in all, in the order in which the Vitest UI shows it; `question` is null where
 * records must not be shown.
 */
export function toResultMeta(trial: TrialMeta, result: SampleResult, question: string | null): ResultMeta {
  const { state, reason, how, usage, cost_usd, cached, steps, model, slots, target, answer } = result;
  const latency_ms = result.latency_ms === null ? null : Math.round(result.latency_ms);
  const shared = { ...(slots === undefined ? {} : { slots }), ...(target === null ? { hidden: true as const } : {}) };
  const facts = { state, reason, how, latency_ms, usage, cost_usd, cached, steps, model, ...shared, ...trial };
  if (question === null) return facts;
  const shown = { target: cut(target, 300), answer: cut(answer, 300) };
  if (state === 'correct') return { ...shown, ...facts };
  return { question: cut(question, 400), ...shown, explanation: cut(result.explanation, 200), ...facts };
}

/** At most so many bytes of UTF-8, with control and direction marks written out: JSON escapes only some of them. */
function cut(whole: string | null, maxBytes: number): string | null {
  if (whole === null) return null;
  const text = copy(toVisibleLines(whole.slice(0, maxBytes + 1)));
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  return `${Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')}...`;
}

/** Part of a string keeps the whole of it in memory: an answer the output that it was found in, for as long as its test is. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
