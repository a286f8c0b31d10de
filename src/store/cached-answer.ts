import type { Answer, ErrorKind, Progress } from '../types.ts';

/** A cached answer or failure. Times in ms, timestamps in ISO 8601. */
export type CachedAnswer = {
  readonly started_at: string;
  readonly answered_at: string;
  readonly latency_ms: number | null;
  /** How often the question was asked until this outcome. Above 1 only with EVAL_CACHE=retry. */
  readonly attempts: number;
} & (
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'failed'; readonly error: CachedError }
);

export type CachedError = {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly progress: Progress;
};
