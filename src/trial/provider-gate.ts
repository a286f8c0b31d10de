import pLimit, { type LimitFunction } from 'p-limit';
import { readClock, startTimer } from '../own-clock.ts';
import type { Budget } from '../runs/budget.ts';

/** Why a gate lets nothing more through. */
export type StopReason = 'budget' | 'quota' | 'auth' | 'disk' | 'no_command' | 'interrupted';

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

/** Why nothing more is let through, in words for whoever reads the report. */
type Stop = { readonly reason: StopReason; readonly why: string };

/**
 * Admits the calls of one provider. The limit is halved when the provider refuses for its rate and grows by one for each
 * full round of successes since (additive increase, multiplicative decrease).
 */
export class ProviderGate {
  readonly #options: GateOptions;
  readonly #limit: LimitFunction;
  /** Resolved once the first call of an agent has been let in, or has failed. */
  readonly #pilots = new Map<string, PromiseWithResolvers<void>>();
  readonly #stopped = new Map<string, Stop>();
  #allStopped: Stop | null = null;
  #lastSlowDown = Number.NEGATIVE_INFINITY;
  #successes = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** How many calls are admitted at once just now. */
  get concurrency(): number {
    return this.#limit.concurrency;
  }

  /** Runs a call of an agent once a slot is free; gives the reason instead when nothing more may start. */
  run<T>(agent: string, call: () => Promise<T>): Promise<T | StopReason> {
    return this.#limit(async () => {
      const ahead = this.#pilots.get(agent);
      const pilot = ahead ?? this.#sendPilot(agent);
      if (ahead !== undefined) await ahead.promise;
      try {
        const stop = this.#findStop(agent);
        if (stop !== null) return stop.reason;
        this.#options.budget?.begin();
        if (ahead === undefined && this.#options.budget === null) startTimer(pilot.resolve, PILOT_MS).unref();
        return await call();
      } finally {
        pilot.resolve();
      }
    });
  }

  /** Lets nothing more of an agent through, or nothing at all; calls under way go on. The first reason stays. */
  stop(reason: StopReason, why: string, agent: string | null = null): void {
    const stop = { reason, why };
    if (agent === null) this.#allStopped ??= stop;
    else if (!this.#stopped.has(agent)) this.#stopped.set(agent, stop);
  }

  /** Why nothing more of an agent is let through; null while it is. */
  whyStopped(agent: string): string | null {
    return this.#findStop(agent)?.why ?? null;
  }

  #sendPilot(agent: string): PromiseWithResolvers<void> {
    const pilot = Promise.withResolvers<void>();
    this.#pilots.set(agent, pilot);
    if (!this.#options.pilot) pilot.resolve();
    return pilot;
  }

  #findStop(agent: string): Stop | null {
    const { budget } = this.#options;
    const stopped = this.#allStopped ?? this.#stopped.get(agent);
    if (stopped !== undefined) return stopped;
    const why = budget?.stopped ?? null;
    return why === null ? null : { reason: 'budget', why };
  }

  /** The provider refused a call for its rate. */
  slowDown(): void {
    const now = readClock();
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
