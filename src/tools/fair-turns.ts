import { readClock } from '../own-clock.ts';

type Waiting = { readonly owner: object; readonly start: () => void };

/**
 * Lets so many pieces of work run at a time, of each owner one, and begins with the owner whose work has taken the least
 * time so far: one that asks for a lot waits for itself, and not the others for it.
 */
export class FairTurns {
  #free: number;
  #waiting: readonly Waiting[] = [];
  readonly #busy = new Set<object>();
  readonly #usedMs = new WeakMap<object, number>();

  constructor(places: number) {
    this.#free = places;
  }

  async run<T>(owner: object, work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = [...this.#waiting, { owner, start: resolve }];
    this.#startNext();
    await promise;
    const start = readClock();
    try {
      return await work();
    } finally {
      this.#usedMs.set(owner, this.#used(owner) + readClock() - start);
      this.#busy.delete(owner);
      this.#free += 1;
      this.#startNext();
    }
  }

  /** Whoever asked first, among those that have used as much. */
  #startNext(): void {
    const ready = this.#waiting.filter(({ owner }) => !this.#busy.has(owner));
    const [next] = ready.toSorted((a, b) => this.#used(a.owner) - this.#used(b.owner));
    if (next === undefined || this.#free === 0) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#busy.add(next.owner);
    this.#free -= 1;
    next.start();
  }

  #used(owner: object): number {
    return this.#usedMs.get(owner) ?? 0;
  }
}
