import { setTimeout } from 'node:timers';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Budget } from './budget.ts';

/** Why nothing more is asked. */
export type StopReason =
  | 'budget'
  | 'quota'
  | 'auth'
  | 'disk'
  | 'no_command'
  | 'changed'
  | 'interrupted';

type Stop = Readonly<{ reason: StopReason; why: string }>;

type QueueOptions = Readonly<{
  /** Most calls at once. */
  concurrency: number;
  budget: Budget | null;
  /**
   * Whether an agent's first call runs by itself: a wrong key then costs one failed call and not
   * twenty.
   */
  pilot: boolean;
}>;

type CallOptions<T> = Readonly<{ cancelled?: AbortSignal; find?: () => T | null }>;

/** A first call that takes longer has been accepted: a refused key is answered at once. */
const PILOT_MS = 5000;

/** Rate-limit errors of calls that ran side by side are one event. */
const COOL_DOWN_MS = 1000;

/**
 * The queue before one provider: first come, first served, unless it gives way. A rate-limit
 * error halves the number of calls that run at once; a full round of successes raises it by one, up
 * to what it was.
 */
export class ProviderQueue {
  readonly #options: QueueOptions;
  readonly #limit: LimitFunction;
  /** By agent: resolves when its first call has been accepted or has ended; then null. */
  readonly #pilots = new Map<string, Promise<void> | null>();
  /** In the order in which they came. */
  readonly #waiting: (() => Promise<void>)[] = [];
  #runsAhead = 0;
  readonly #stopped = new Map<string, Stop>();
  #allStopped: Stop | null = null;
  #lastSlowDown = Number.NEGATIVE_INFINITY;
  #successes = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** How many calls may run at once now. */
  get concurrency(): number {
    return this.#limit.concurrency;
  }

  /**
   * Runs a call of an agent when a slot is free, unless `find` then knows what it would give. Returns
   * the reason instead if no call may start.
   */
  run<T>(
    agent: string,
    call: () => Promise<T>,
    { cancelled, find = () => null }: CallOptions<T> = {},
  ): Promise<T | StopReason> {
    const start = async () => {
      if (cancelled?.aborted === true) return 'interrupted';
      return find() ?? this.#start(agent, call);
    };
    const { promise, resolve, reject } = Promise.withResolvers<T | StopReason>();
    // What is found is no first call: it says nothing of the key, and costs nothing.
    const admit = async () =>
      (this.#needsPilot(agent) ? find() : null) ?? this.#admit(agent, start);
    this.#waiting.push(() => admit().then(resolve, reject));
    void this.#limit(() => this.#takeNext()?.());
    return promise;
  }

  /**
   * Who is served first from now on, beside so many runs that ask the same: with none those that came
   * first, with one those that came last. Others would ask with one of these two all the way, so they
   * choose by chance.
   */
  giveWay(runsAhead: number): void {
    this.#runsAhead = runsAhead;
  }

  /**
   * Starts no further call of one agent, or of all; calls that run go on. The first reason stays.
   */
  stop(reason: StopReason, why: string, agent: string | null = null): void {
    if (agent === null) this.#allStopped ??= { reason, why };
    else if (!this.#stopped.has(agent)) this.#stopped.set(agent, { reason, why });
  }

  /** Why an agent is asked nothing more, in a sentence for the report; null while it is asked. */
  whyStopped(agent: string): string | null {
    return this.#findStop(agent)?.why ?? null;
  }

  /** To be called after a rate-limit error. */
  slowDown(): void {
    const now = performance.now();
    this.#successes = 0;
    if (now - this.#lastSlowDown < COOL_DOWN_MS) return;
    this.#lastSlowDown = now;
    this.#limit.concurrency = Math.max(1, Math.floor(this.#limit.concurrency / 2));
  }

  /** To be called after a call that succeeded. */
  speedUp(): void {
    this.#successes++;
    if (
      this.#successes < this.#limit.concurrency ||
      this.#limit.concurrency >= this.#options.concurrency
    )
      return;
    this.#successes = 0;
    this.#limit.concurrency++;
  }

  #takeNext(): (() => Promise<void>) | undefined {
    if (this.#runsAhead === 0) return this.#waiting.shift();
    if (this.#runsAhead === 1) return this.#waiting.pop();
    return this.#waiting.splice(Math.floor(Math.random() * this.#waiting.length), 1)[0];
  }

  #admit<T>(agent: string, start: () => Promise<T>): Promise<T> {
    if (this.#needsPilot(agent)) return this.#sendPilot(agent, start);
    return this.#pilots.get(agent)?.then(start) ?? start();
  }

  #needsPilot(agent: string): boolean {
    return this.#options.pilot && !this.#pilots.has(agent);
  }

  async #sendPilot<T>(agent: string, start: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const follow = () => {
      this.#pilots.set(agent, null);
      resolve();
    };
    this.#pilots.set(agent, promise);
    if (this.#options.budget === null) setTimeout(follow, PILOT_MS).unref();
    return start().finally(follow);
  }

  async #start<T>(agent: string, call: () => Promise<T>): Promise<T | StopReason> {
    const stop = this.#findStop(agent);
    if (stop !== null) return stop.reason;
    this.#options.budget?.begin(agent);
    return call();
  }

  #findStop(agent: string): Stop | null {
    const stopped = this.#allStopped ?? this.#stopped.get(agent);
    if (stopped !== undefined) return stopped;
    const why = this.#options.budget?.findStop(agent) ?? null;
    return why === null ? null : { reason: 'budget', why };
  }
}
