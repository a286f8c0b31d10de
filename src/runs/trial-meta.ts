import type { SampleResult } from '../types.ts';

/** What a generated test carries from its definition on: with it, a test that never ran is still counted. */
export type TrialMeta = Pick<
  SampleResult,
  'suite' | 'dataset' | 'agent' | 'id' | 'trial' | 'group' | 'prompt_hash' | 'question_hash'
> & {
  /** Name of the run folder that has the full row. */
  readonly run: string;
};

/** What a test shows in the Vitest UI and in JSON reports once it has run; small, since it is sent with each event. */
export type ResultMeta = TrialMeta &
  Pick<
    SampleResult,
    'state' | 'reason' | 'how' | 'latency_ms' | 'usage' | 'cost_usd' | 'cached' | 'steps' | 'model' | 'slots'
  > & {
    readonly target?: string | null;
    readonly answer?: string | null;
  };

declare module 'vitest' {
  interface TaskMeta {
    eval?: TrialMeta | ResultMeta;
  }
}

/** Adds a result to a test's meta; `gated` leaves out what must not be shown. */
export function toResultMeta(trial: TrialMeta, result: SampleResult, gated: boolean): ResultMeta {
  const { state, reason, how, latency_ms, usage, cost_usd, cached, steps, model, slots, target, answer } = result;
  const shared = slots === undefined ? {} : { slots };
  const facts = { ...trial, state, reason, how, latency_ms, usage, cost_usd, cached, steps, model, ...shared };
  return gated ? facts : { ...facts, target: cut(target), answer: cut(answer) };
}

function cut(text: string | null): string | null {
  return text !== null && text.length > 300 ? `${text.slice(0, 300).toWellFormed()}...` : text;
}
