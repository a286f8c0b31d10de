import { plural } from '../text/plural.ts';
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
  settle(cost: number | null, answeredBy: string | null = null): void {
    if (cost === null) this.#lose(answeredBy);
    const assumed = cost === null ? Math.round(this.#expected) : toUnits(cost);
    this.#spent += assumed;
    this.#settledCost += assumed;
    this.#running--;
    this.#settled++;
  }

  #lose(answeredBy: string | null): void {
    this.#unknown++;
    if (answeredBy !== null) {
      const why = `an answer of ${answeredBy} came without a cost, or without token counts to price`;
      this.#stopped ??= `EVAL_MAX_COST=${this.#limit / UNIT} cannot hold: ${why}. Return one of them with each answer, or unset EVAL_MAX_COST.`;
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
