import { setTimeout } from 'node:timers';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Stopwatch } from '../processes/stopwatch.ts';
import { plural } from '../words/show.ts';
import { AgentError } from '../words/types.ts';

/**
 * Runs `work` until `watch` shows the deadline. Then, or when `cancelled` aborts, its signal aborts
 * and the promise rejects at once (AgentError "timed_out" or Interrupted), also when `work` ignores
 * the signal; what it settles to later is dropped. In a cancelled run `work` is not called.
 */
export function withDeadline<T>(
  watch: Stopwatch,
  deadlineMs: number,
  cancelled: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const end = (error: Error) => {
      free();
      reject(error);
      controller.abort(error);
    };
    const interrupt = () => end(new Interrupted('interrupted', { cause: cancelled.reason }));
    const late = () => {
      const message = `No answer within ${deadlineMs / 1000} s. If the agent may take longer, raise EVAL_TIMEOUT, or "timeoutSeconds" of the suite.`;
      end(new AgentError('timed_out', message));
    };
    const stopWaiting = watch.limit(deadlineMs, late);
    const free = () => {
      stopWaiting();
      cancelled.removeEventListener('abort', interrupt);
    };
    if (cancelled.aborted) return interrupt();
    cancelled.addEventListener('abort', interrupt, { once: true });
    // A blocked event loop delays the timer: what settles late is late all the same.
    const unlessLate = (settle: () => void) => (watch.ms > deadlineMs ? late() : settle());
    work(controller.signal)
      .then(
        (value) => unlessLate(() => resolve(value)),
        (error: unknown) => unlessLate(() => reject(error)),
      )
      .finally(free);
  });
}

/**
 * The run was cancelled during a call, or a pause of the machine made it late. It is not a failure of
 * the agent.
 */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reason: 'interrupted' | 'machine';

  constructor(reason: Interrupted['reason'], options: ErrorOptions) {
    super(`The call was ended: ${reason}.`, options);
    this.reason = reason;
  }
}

/** A simulated user failed. It is not a fault of the agent, whose replies have been paid. */
export class UserFailed extends Error {
  override readonly name = 'UserFailed';
  override readonly cause: AgentError;

  constructor(cause: AgentError) {
    super(`The simulated user failed: ${cause.message}`);
    this.cause = cause;
  }
}

/** Why nothing more is asked. */
export type StopReason = 'budget' | 'quota' | 'auth' | 'disk' | 'no_command' | 'interrupted';

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

/** A first call that takes longer has been accepted: a refused key is answered at once. */
const PILOT_MS = 5000;

/** Rate-limit errors of calls that ran side by side are one event. */
const COOL_DOWN_MS = 1000;

/**
 * The queue before one provider. A rate-limit error halves the number of calls that run at once; a
 * full round of successes raises it by one, up to what it was.
 */
export class ProviderQueue {
  readonly #options: QueueOptions;
  readonly #limit: LimitFunction;
  /** By agent: resolves when its first call has been accepted or has ended; then null. */
  readonly #pilots = new Map<string, Promise<void> | null>();
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
   * Runs a call of an agent when a slot is free. Returns the reason instead if no call may start.
   */
  run<T>(agent: string, call: () => Promise<T>, cancelled?: AbortSignal): Promise<T | StopReason> {
    const start = async () =>
      cancelled?.aborted === true ? 'interrupted' : this.#start(agent, call);
    return this.#limit(() => {
      const pilot = this.#pilots.get(agent);
      if (pilot === undefined && this.#options.pilot) return this.#sendPilot(agent, start);
      return pilot ? pilot.then(start) : start();
    });
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

/** If this many calls fail before any cost is known, the budget stops the run. */
const MOST_UNKNOWN = 10;

/**
 * Keeps the cost of a run under a limit in US dollars. A call starts while the known cost, plus the
 * expected cost of the calls that run, stays below it; a call is expected to cost the mean of its
 * agent's so far, or of all while its agent has none: judges cost less than agents. Once one call
 * was refused, all are: which samples are left out must not depend on which call ends first.
 */
export class Budget {
  readonly #limit: number;
  /** Amounts are integers of a billionth of a dollar: ten calls of $0.10 are then exactly $1. */
  #spent: number;
  readonly #all: Calls = { running: 0, ended: 0, cost: 0 };
  readonly #byAgent = new Map<string, Calls>();
  /** Calls that ended without a cost. */
  #unknown = 0;
  #stopped: string | null = null;

  constructor(limit: number, spent: number) {
    this.#limit = toUnits(limit);
    this.#spent = toUnits(spent);
  }

  /** Why no further call may start, fixed at the first refusal; null while calls may start. */
  findStop(agent = ''): string | null {
    const expected = this.#spent + this.#pending + this.#expect(agent);
    // Half a unit more, since a mean is not a whole number.
    if (this.#spent >= this.#limit || expected > this.#limit + 0.5)
      this.#stopped ??= this.#describeFull();
    return this.#stopped;
  }

  begin(agent = ''): void {
    const own = this.#byAgent.get(agent) ?? { running: 0, ended: 0, cost: 0 };
    this.#byAgent.set(agent, own);
    for (const calls of [own, this.#all]) calls.running++;
  }

  /**
   * Ends a call. A failed one without a cost (null) is taken to have cost as much as the others. An
   * answer without one ends the budget: `answeredBy` is its agent.
   */
  end(cost: number | null, answeredBy: string | null = null, agent = answeredBy ?? ''): void {
    if (cost === null) this.#addUnknown(answeredBy);
    const assumed = cost === null ? Math.round(this.#expect(agent)) : toUnits(cost);
    this.#spent += assumed;
    for (const calls of [this.#all, this.#byAgent.get(agent)]) {
      if (calls === undefined) continue;
      calls.cost += assumed;
      calls.running--;
      calls.ended++;
    }
  }

  #addUnknown(answeredBy: string | null): void {
    this.#unknown++;
    const cannotHold = `EVAL_MAX_COST=${this.#limit / UNIT} cannot be enforced`;
    if (answeredBy !== null) {
      const remedy =
        'Use a server that reports usage or an agent that returns "cost", or unset EVAL_MAX_COST.';
      this.#stopped ??= `${cannotHold}: an answer of ${answeredBy} came without cost and token counts. ${remedy}`;
    } else if (this.#all.cost === 0 && this.#unknown === MOST_UNKNOWN) {
      const why = `${this.#unknown} calls failed, and no cost is known yet`;
      this.#stopped ??= `${cannotHold}: ${why}. Correct the failure, or unset EVAL_MAX_COST.`;
    }
  }

  #describeFull(): string {
    const { running } = this.#all;
    const more = `${plural(running, 'running call')} may cost ${show(this.#pending)} more`;
    const pending = running === 0 ? '' : `, and ${more}`;
    const assumed =
      this.#unknown === 0 ? '' : ` (${plural(this.#unknown, 'failed call')} by estimate)`;
    const spent = `the calls so far cost ${show(this.#spent)}${assumed}`;
    return `EVAL_MAX_COST=${this.#limit / UNIT} does not allow another call: ${spent}${pending}`;
  }

  /** What the running calls are expected to cost. */
  get #pending(): number {
    return [...this.#byAgent].reduce(
      (sum, [agent, { running }]) => sum + running * this.#expect(agent),
      0,
    );
  }

  #expect(agent: string): number {
    const own = this.#byAgent.get(agent);
    const { ended, cost } = own !== undefined && own.ended > 0 ? own : this.#all;
    return ended === 0 ? 0 : cost / ended;
  }
}

/** Calls of an agent; the cost of those that ended, in units. */
type Calls = { running: number; ended: number; cost: number };

const UNIT = 1e9;

function toUnits(usd: number): number {
  return Math.round(usd * UNIT);
}

/** With enough digits for small amounts. */
function show(units: number): string {
  const usd = units / UNIT;
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}
