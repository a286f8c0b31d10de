/** Counts the calls of the agents that share one limit on calls at once. */
export class ProviderProgress {
  #started = 0;
  #done = 0;
  #asked = 0;
  #slots: number;

  constructor(limit: number) {
    this.#slots = limit;
  }

  begin(): void {
    this.#started++;
  }

  /** `slots` is how many calls were admitted at once when this one ended; null when nobody was asked. */
  end(slots: number | null): void {
    this.#done++;
    if (slots === null) return;
    this.#asked++;
    this.#slots = slots;
  }

  get asked(): number {
    return this.#asked;
  }

  /** Calls that are admitted at once just now. */
  get slots(): number {
    return this.#slots;
  }

  /** Vitest starts many tests that then wait for a slot, and tests of a recording that ask nobody. */
  get running(): number {
    const isLive = this.#asked > 0 || this.#done === 0;
    return isLive ? Math.max(0, Math.min(this.#started - this.#done, this.#slots)) : 0;
  }
}
