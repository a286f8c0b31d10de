import type { EvalConfig } from '../settings.ts';
import {
  type AnswerCache,
  type CachedAnswer,
  type CacheParts,
  toAgentError,
  toCachedError,
} from '../store/cache.ts';
import type { AgentError, Answer } from '../words/answer.ts';
import { isAskedAgain } from '../words/row.ts';
import { toText } from '../words/show.ts';
import { explainWrite } from '../words/write-error.ts';

/** The outcome of a question. `latency_ms` is null if a replayed record does not have it. */
export type Outcome = Pick<CachedAnswer, 'started_at' | 'answered_at' | 'latency_ms' | 'attempts'> &
  Readonly<{
    /** How many calls of the provider could run at once when this one ended. */
    slots?: number;
    /** Whether it comes from the answer cache. */
    cached: boolean;
  }> &
  (
    | Readonly<{ outcome: 'answered'; answer: Answer }>
    | Readonly<{ outcome: 'failed'; error: AgentError }>
  );

/** The answer cache, used as EVAL_CACHE and the suite's `cache` say. */
export class CachePolicy {
  readonly answers: AnswerCache;
  readonly mode: EvalConfig['cache'];

  /** False for a suite whose agent is asked every time. */
  readonly isOn: boolean;

  constructor(answers: AnswerCache, mode: EvalConfig['cache'], isOn = true) {
    this.answers = answers;
    this.mode = mode;
    this.isOn = isOn;
  }

  /** The cached answer to use; null if the question must be asked. */
  find(parts: CacheParts): Outcome | null {
    if (!this.isOn || this.mode === 'off' || this.mode === 'refresh') return null;
    const kept = this.answers.get(parts);
    return kept === null || (this.mode === 'retry' && isFailure(kept)) ? null : toOutcome(kept);
  }

  /**
   * Makes the file of this run's answers. Throws if the folder refuses it, before anything is paid
   * for.
   */
  open(): void {
    try {
      this.answers.open();
    } catch (error) {
      const { why, remedy } = explainWrite(error, 'set EVAL_CACHE=off to ask without a cache');
      throw new Error(`No answer can be cached in ${this.answers.folder}: ${why}. ${remedy}.`);
    }
  }

  /**
   * Writes an outcome and returns it with its number of attempts. Calls `onLoss` with the reason if
   * it cannot be written.
   */
  put(parts: CacheParts, outcome: Outcome, onLoss: (why: string) => void): Outcome {
    const attempts = this.mode === 'retry' ? (this.answers.get(parts)?.attempts ?? 0) + 1 : 1;
    const counted = { ...outcome, attempts };
    const isKept = outcome.outcome === 'answered' || !isAskedAgain(outcome.error.kind);
    if (!this.isOn || this.mode === 'off' || !isKept) return counted;
    try {
      this.answers.put(parts, toCached(counted));
    } catch (error) {
      const { why, remedy } = explainWrite(error);
      const problem = `An answer cannot be cached in ${this.answers.folder}: ${why}`;
      // A RangeError is an answer longer than a line can be: it is asked again, and others are
      // cached.
      if (!(error instanceof RangeError)) onLoss(`${problem}. ${remedy}, and run again.`);
    }
    return counted;
  }
}

/**
 * EVAL_CACHE=retry asks failures again, never wrong answers: another try would raise the accuracy.
 */
function isFailure(kept: CachedAnswer): boolean {
  return kept.outcome === 'failed' || toText(kept.answer.output ?? '').trim() === '';
}

function toCached({
  started_at,
  answered_at,
  latency_ms,
  attempts,
  ...end
}: Outcome): CachedAnswer {
  const times = { started_at, answered_at, latency_ms, attempts };
  return end.outcome === 'answered'
    ? { outcome: 'answered', answer: end.answer, ...times }
    : { outcome: 'failed', error: toCachedError(end.error), ...times };
}

function toOutcome(kept: CachedAnswer): Outcome {
  const cached = true;
  return kept.outcome === 'answered'
    ? { ...kept, cached }
    : { ...kept, cached, error: toAgentError(kept.error) };
}
