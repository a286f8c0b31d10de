/**
 * Keeps the cost of a run under a limit in US dollars. A call is admitted while what is known to be spent, plus what the
 * running calls are expected to cost, stays below it; the expectation is the mean of the calls so far.
 */
export class Budget {
  readonly #limit: number;
  #spent: number;
  #settled = 0;
  #settledCost = 0;
  #running = 0;

  constructor(limit: number, spent: number) {
    this.#limit = limit;
    this.#spent = spent;
  }

  /** Whether a call may start now. */
  admits(): boolean {
    return this.#spent < this.#limit && this.#spent + (this.#running + 1) * this.#expected <= this.#limit;
  }

  /** Why no call is admitted any more; calls that did not say what they cost make it an estimate at any rate. */
  describe(): string {
    return `EVAL_MAX_COST=${this.#limit} leaves no room for another call: $${this.#spent.toFixed(2)} are spent (estimated)`;
  }

  begin(): void {
    this.#running++;
  }

  /** Ends a call. One that failed without saying its cost is taken to have cost as much as the others. */
  settle(cost: number | null): void {
    const assumed = cost ?? this.#expected;
    this.#spent += assumed;
    this.#settledCost += assumed;
    this.#running--;
    this.#settled++;
  }

  get #expected(): number {
    return this.#settled === 0 ? 0 : this.#settledCost / this.#settled;
  }
}
