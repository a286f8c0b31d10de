import pLimit, { type LimitFunction } from 'p-limit';
import type { Budget } from '../runs/budget.ts';

/** Why a gate lets nothing more through. */
export type StopReason = 'budget' | 'quota' | 'auth' | 'interrupted';

export type GateOptions = {
  /** Most calls under way at once. */
  readonly concurrency: number;
  readonly budget: Budget | null;
  /** Whether the first call goes alone, so that a wrong key costs one failed call and not twenty. */
  readonly pilot: boolean;
};

/** A pilot that takes longer than this has been let in: a refused key is answered at once. */
const PILOT_MS = 5000;

/** Several refusals of calls that ran beside each other are one event. */
const COOL_DOWN_MS = 1000;

/**
 * Admits the calls of one provider. The limit is halved when the provider refuses for its rate and grows by one for each
 * full round of successes since (additive increase, multiplicative decrease).
 */
export class ProviderGate {
  readonly #options: GateOptions;
  readonly #limit: LimitFunction;
  readonly #pilotDone = Promise.withResolvers<void>();
  #begun = 0;
  #stopped: StopReason | null = null;
  #lastSlowDown = Number.NEGATIVE_INFINITY;
  #successes = 0;
  #refusals = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
    if (!options.pilot) this.#pilotDone.resolve();
  }

  /** How often the provider has refused a call for its rate. */
  get refusals(): number {
    return this.#refusals;
  }

  /** How many calls are admitted at once just now. */
  get concurrency(): number {
    return this.#limit.concurrency;
  }

  /** Runs a call once a slot is free; gives the reason instead when nothing more may start. */
  run<T>(call: () => Promise<T>): Promise<T | StopReason> {
    return this.#limit(async () => {
      const isPilot = this.#begun++ === 0;
      if (!isPilot) await this.#pilotDone.promise;
      const stop = this.#stopped ?? (this.#options.budget?.admits() === false ? 'budget' : null);
      if (stop !== null) return stop;
      this.#options.budget?.begin();
      if (isPilot && this.#options.budget === null) setTimeout(this.#pilotDone.resolve, PILOT_MS).unref();
      try {
        return await call();
      } finally {
        this.#pilotDone.resolve();
      }
    });
  }

  /** Lets nothing more through; calls under way go on. */
  stop(reason: StopReason): void {
    this.#stopped ??= reason;
  }

  /** The provider refused a call for its rate. */
  slowDown(): void {
    const now = performance.now();
    this.#refusals++;
    this.#successes = 0;
    if (now - this.#lastSlowDown < COOL_DOWN_MS) return;
    this.#lastSlowDown = now;
    this.#limit.concurrency = Math.max(1, Math.floor(this.#limit.concurrency / 2));
  }

  /** A call succeeded. */
  speedUp(): void {
    this.#successes++;
    if (this.#successes < this.#limit.concurrency || this.#limit.concurrency >= this.#options.concurrency) return;
    this.#successes = 0;
    this.#limit.concurrency++;
  }
}
