import pLimit, { type LimitFunction } from 'p-limit';
import { plural } from '../text/wording.ts';

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
        if (ahead === undefined && this.#options.budget === null) setTimeout(pilot.resolve, PILOT_MS).unref();
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
    const now = performance.now();
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

/** Whose answer must carry its cost: a model's has it from its server, a module returns it. */
export type Payee = { readonly name: string; readonly isModel: boolean };

/**
 * Keeps the cost of a run under a limit in US dollars. A call is admitted while what is known to be spent, plus what the
 * running calls are expected to cost, stays below it; the expectation is the mean of the calls so far. Once a call was
 * refused, so are all others: which samples are left out must not depend on who ends first.
 */
export class Budget {
  readonly #limit: number;
  /** In whole billionths of a dollar, as all amounts here: ten calls of $0.10 are $1 and not less. */
  #spent: number;
  #settled = 0;
  #settledCost = 0;
  /** Calls that ended without saying what they cost. */
  #unknown = 0;
  #running = 0;
  #stopped: string | null = null;

  constructor(limit: number, spent: number) {
    this.#limit = toUnits(limit);
    this.#spent = toUnits(spent);
  }

  /** Why no call may start any more, in the words of when the first one was refused; null while one may. */
  get stopped(): string | null {
    const expected = this.#spent + (this.#running + 1) * this.#expected;
    // Half a unit: the mean of calls is no whole number.
    if (this.#spent < this.#limit && expected <= this.#limit + 0.5) return this.#stopped;
    this.#stopped ??= this.#describe();
    return this.#stopped;
  }

  begin(): void {
    this.#running++;
  }

  /**
   * Ends a call. One that failed without saying its cost (null) is taken to have cost as much as the others; an answer
   * without one ends the budget, which cannot hold from then on.
   */
  settle(cost: number | null, answeredBy: Payee | null = null): void {
    if (cost === null) this.#lose(answeredBy);
    const assumed = cost === null ? Math.round(this.#expected) : toUnits(cost);
    this.#spent += assumed;
    this.#settledCost += assumed;
    this.#running--;
    this.#settled++;
  }

  #lose(answeredBy: Payee | null): void {
    this.#unknown++;
    if (answeredBy !== null) {
      const { name, isModel } = answeredBy;
      const why = `an answer of ${name} came without ${isModel ? '' : 'a cost, or without '}token counts to price`;
      const remedy = isModel ? 'Use a server that reports usage' : 'Return one of them with each answer';
      this.#stopped ??= `EVAL_MAX_COST=${this.#limit / UNIT} cannot hold: ${why}. ${remedy}, or unset EVAL_MAX_COST.`;
    } else if (this.#settledCost === 0 && this.#unknown === MOST_UNKNOWN) {
      const why = `${this.#unknown} calls failed, and none has said yet what it cost`;
      this.#stopped ??= `EVAL_MAX_COST=${this.#limit / UNIT} cannot hold: ${why}. Mend what fails, or unset EVAL_MAX_COST.`;
    }
  }

  #describe(): string {
    const running = plural(this.#running, 'call was', 'calls were');
    const pending =
      this.#running === 0 ? '' : `, and ${running} running, expected to cost ${show(this.#running * this.#expected)}`;
    const failed = plural(this.#unknown, 'failed call');
    const assumed = this.#unknown === 0 ? '' : ` (${failed} by estimate)`;
    return `EVAL_MAX_COST=${this.#limit / UNIT} leaves no room for another call: ${show(this.#spent)} were spent${assumed}${pending}`;
  }

  get #expected(): number {
    return this.#settled === 0 ? 0 : this.#settledCost / this.#settled;
  }
}

/** Failed calls that may go by before the first known cost: with none, nothing would ever end the run. */
const MOST_UNKNOWN = 10;

const UNIT = 1e9;

function toUnits(usd: number): number {
  return Math.round(usd * UNIT);
}

/** With enough digits for small amounts. */
function show(units: number): string {
  const usd = units / UNIT;
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}
