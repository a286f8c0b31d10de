import type { ResultMeta } from '../../src/runs/trial-meta.ts';
import type { Progress } from './progress-line.ts';

/** Counts the results of one suite as they come: constant work for each, however many there are. */
export class SuiteProgress {
  readonly #suite: string;
  readonly #startedAt: number;
  /** Calls that may run at once. */
  readonly #limit: number;
  #total = 0;
  #started = 0;
  #done = 0;
  #judged = 0;
  #correct = 0;
  #asked = 0;
  #spent: number | null = null;
  #slots: number;

  constructor(suite: string, limit: number, startedAt: number) {
    this.#suite = suite;
    this.#limit = limit;
    this.#slots = limit;
    this.#startedAt = startedAt;
  }

  /** So many tests are to run. */
  expect(count: number): void {
    this.#total += count;
  }

  begin(): void {
    this.#started++;
  }

  /** `meta` is what a test carries once it has run; without a state it was skipped or crashed. */
  end(meta: Partial<ResultMeta>): void {
    this.#done++;
    const { state, cached, cost_usd = null, slots } = meta;
    if (state === undefined || state === 'not_run') return;
    if (state !== 'ungraded') this.#judged++;
    if (state === 'correct') this.#correct++;
    // Only a call that was made now had slots to share.
    if (cached === true || slots === undefined) return;
    this.#asked++;
    this.#slots = slots;
    if (cost_usd !== null) this.#spent = (this.#spent ?? 0) + cost_usd;
  }

  get progress(): Progress {
    const waiting = this.#started - this.#done;
    const live = this.#asked > 0 || this.#done === 0;
    return {
      suite: this.#suite,
      total: this.#total,
      done: this.#done,
      judged: this.#judged,
      correct: this.#correct,
      asked: this.#asked,
      running: live ? Math.max(0, Math.min(waiting, this.#slots)) : 0,
      spent: this.#spent,
      slowedTo: this.#slots < this.#limit ? this.#slots : null,
      startedAt: this.#startedAt,
    };
  }
}
