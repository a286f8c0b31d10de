import { formatDollars } from '../words/amounts.js';
import { plural } from '../words/show.ts';

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
      this.#stopped ??= this.#explainFull();
    return this.#stopped;
  }

  begin(agent = ''): void {
    const ofAgent = this.#byAgent.get(agent) ?? { running: 0, ended: 0, cost: 0 };
    this.#byAgent.set(agent, ofAgent);
    for (const calls of [ofAgent, this.#all]) calls.running++;
  }

  /**
   * Ends a call. One without a cost (null) is taken to have cost as much as the others. Where it must
   * state a cost (`isPriced`), that ends the budget.
   */
  end({ agent = '', cost, isPriced = false }: EndedCall): void {
    if (cost === null) this.#addUnknown(isPriced ? agent : null);
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
        'Use a server that reports usage or an agent that returns "costUsd", or unset EVAL_MAX_COST.';
      this.#stopped ??= `${cannotHold}: an answer of ${answeredBy} came without cost and token counts. ${remedy}`;
    } else if (this.#all.cost === 0 && this.#unknown === MOST_UNKNOWN) {
      const why = `${this.#unknown} calls failed, and no cost is known yet`;
      this.#stopped ??= `${cannotHold}: ${why}. Correct the failure, or unset EVAL_MAX_COST.`;
    }
  }

  #explainFull(): string {
    const { running } = this.#all;
    const more = `${plural(running, 'running call')} may cost ${formatDollars(this.#pending / UNIT)} more`;
    const pending = running === 0 ? '' : `, and ${more}`;
    const assumed =
      this.#unknown === 0 ? '' : ` (${plural(this.#unknown, 'failed call')} by estimate)`;
    const spent = `the calls so far cost ${formatDollars(this.#spent / UNIT)}${assumed}`;
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
    const ofAgent = this.#byAgent.get(agent);
    const { ended, cost } = ofAgent !== undefined && ofAgent.ended > 0 ? ofAgent : this.#all;
    return ended === 0 ? 0 : cost / ended;
  }
}

/** `cost` in USD. */
type EndedCall = Readonly<{ agent?: string; cost: number | null; isPriced?: boolean }>;

/** Calls of an agent; the cost of those that ended, in units. */
type Calls = { running: number; ended: number; cost: number };

const UNIT = 1e9;

function toUnits(usd: number): number {
  return Math.round(usd * UNIT);
}
