import type { EvalConfig } from '../config.ts';
import type { AnswerCache } from '../runs/answer-cache.ts';
import { type CacheParts, type KeptAnswer, toAgentError, toKeptError } from '../runs/kept-answer.ts';
import type { ErrorKind } from '../types.ts';
import type { Asked } from './ask.ts';

/** Failures of the way to the agent or of this machine, not of the agent: asked again by the next run. All other outcomes are kept. */
const NOT_KEPT: readonly ErrorKind[] = ['rate_limit', 'quota', 'auth', 'server', 'network', 'machine'];

/** Looks answers up and keeps them as EVAL_CACHE says. */
export class CachedAnswers {
  readonly #cache: AnswerCache;
  readonly #mode: EvalConfig['cache'];
  readonly #onLoss: (why: string) => void;

  /** `onLoss` hears why an answer could not be kept: each further one would be paid for and lost with the process. */
  constructor(cache: AnswerCache, mode: EvalConfig['cache'], onLoss: (why: string) => void) {
    this.#cache = cache;
    this.#mode = mode;
    this.#onLoss = onLoss;
  }

  /** The answer to use instead of asking; null when the question is to be asked. */
  find(parts: CacheParts): Asked | null {
    if (this.asksAll !== null) return null;
    const kept = this.#cache.get(parts);
    if (kept === null || (this.#mode === 'retry' && isFailure(kept))) return null;
    return toAsked(kept);
  }

  /** True when nothing may be asked that is not in the cache. */
  get only(): boolean {
    return this.#mode === 'only';
  }

  /** The setting under which every question is asked, whatever is kept; null under the others. */
  get asksAll(): 'off' | 'refresh' | null {
    return this.#mode === 'off' || this.#mode === 'refresh' ? this.#mode : null;
  }

  /** Keeps what was asked and gives it back with its number of attempts, also when the disk does not take it. */
  keep(parts: CacheParts, asked: Asked): Asked {
    const attempts = this.#mode === 'retry' ? (this.#cache.get(parts)?.attempts ?? 0) + 1 : 1;
    const counted = { ...asked, attempts };
    const dropped = asked.outcome === 'failed' && NOT_KEPT.includes(asked.error.kind);
    if (this.#mode !== 'off' && !dropped) this.#put(parts, counted);
    return counted;
  }

  #put(parts: CacheParts, asked: Asked): void {
    try {
      this.#cache.put(parts, toKept(asked));
    } catch (error) {
      // An answer that is longer than a line can be is asked again; others are kept all the same.
      if (error instanceof RangeError) return;
      const said = error instanceof Error ? error.message : String(error);
      this.#onLoss(`An answer cannot be kept in ${this.#cache.folder} (${said}). ${toRemedy(said)} and run again.`);
    }
  }

  /** What there is to say of the cache itself. */
  get remarks(): readonly string[] {
    return this.asksAll === null ? this.#cache.remarks : [];
  }

  lastLatencyMs(parts: CacheParts): number | null {
    return this.#cache.lastLatencyMs(parts);
  }

  explainMiss(parts: CacheParts): readonly (keyof CacheParts)[] | null {
    return this.#cache.explainMiss(parts);
  }
}

function toRemedy(said: string): string {
  return /ENOSPC|EDQUOT|The disk took/.test(said) ? 'Free space there' : 'Make it a folder that can be written to';
}

/** What EVAL_CACHE=retry asks again: never a wrong answer, which would make the figure best-of-n. */
function isFailure(kept: KeptAnswer): boolean {
  return kept.outcome === 'failed' || (kept.answer.text ?? '').trim() === '';
}

function toKept({ startedAt, answeredAt, latencyMs, attempts, ...rest }: Asked): KeptAnswer {
  const head = { started_at: startedAt, answered_at: answeredAt, latency_ms: latencyMs, attempts };
  return rest.outcome === 'answered'
    ? { ...head, outcome: 'answered', answer: rest.answer }
    : { ...head, outcome: 'failed', error: toKeptError(rest.error) };
}

function toAsked(kept: KeptAnswer): Asked {
  const head = {
    startedAt: kept.started_at,
    answeredAt: kept.answered_at,
    latencyMs: kept.latency_ms,
    attempts: kept.attempts,
    cached: true,
  };
  return kept.outcome === 'answered'
    ? { ...head, outcome: 'answered', answer: kept.answer }
    : { ...head, outcome: 'failed', error: toAgentError(kept.error) };
}
