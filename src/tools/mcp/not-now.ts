import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '../../text/retry-after.ts';

/** Replies over HTTP that mean "not now": the server, or what stands before it, is there and may take it later. */
const STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const MAX_REPEATS = 5;

/** A longer pause that a server asks for is not waited for: the next run asks the sample again. */
const MAX_PAUSE_MS = 120_000;

/** A request that a server over HTTP put off; it has not ended, and knows the session. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
  readonly status: number;
  /** Milliseconds that the server asks for; 0 when it says nothing. */
  readonly pauseMs: number;

  constructor(status: number, pauseMs: number, said: string) {
    super(`it answered ${status}${said === '' ? '' : `: ${said}`}`);
    this.status = status;
    this.pauseMs = pauseMs;
  }
}

/** Throws NotNow for a reply that is one. */
export async function refuseNotNow(response: Response): Promise<void> {
  if (!STATUSES.has(response.status)) return;
  const said = await response.text().catch(() => '');
  throw new NotNow(response.status, readRetryAfter(response.headers.get('retry-after')) ?? 0, said.trim());
}

/** What of an error is NotNow, itself or its cause. */
export function findNotNow(error: unknown): NotNow | null {
  if (error instanceof NotNow) return error;
  return error instanceof Error ? findNotNow(error.cause) : null;
}

export type Patience = {
  /** The pause before the first repeat, which doubles from one to the next. */
  readonly pauseMs: number;
  readonly signal?: AbortSignal;
  readonly onNotNow?: (refusal: NotNow) => void;
};

/** Makes a request again after a pause while its server says "not now", a few times. */
export async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  const { signal, onNotNow } = patience;
  for (let repeats = 0; ; repeats++) {
    try {
      return await ask();
    } catch (error) {
      const refusal = findNotNow(error);
      if (refusal === null) throw error;
      onNotNow?.(refusal);
      // Those that were refused together do not come back together.
      const ownPauseMs = patience.pauseMs * 2 ** repeats * (1 + Math.random() / 4);
      const pauseMs = Math.max(refusal.pauseMs, ownPauseMs);
      if (repeats === MAX_REPEATS || pauseMs > MAX_PAUSE_MS) throw error;
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
