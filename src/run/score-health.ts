import type { Trial } from './plan.ts';

/** How many answers may end in an error of the score before one is graded. */
const MOST_UNGRADED = 10;

/**
 * Whether the scores of a suite work: when its first ten answers all ended in an error of a score, the
 * next would too, and asking for them would be in vain. Answers are cached.
 */
export class ScoreHealth {
  readonly #graded = new Set<Trial>();
  readonly #failed = new Set<Trial>();
  #first: string | null = null;

  /** Why the suite asks no more: its first error; null while an answer may be graded. */
  get why(): string | null {
    const isInVain = this.#graded.size === 0 && this.#failed.size >= MOST_UNGRADED;
    return isInVain ? this.#first : null;
  }

  /** False where an error of a score of this trial is known: what one left behind came before. */
  noteGraded(trial: Trial): boolean {
    if (this.#failed.has(trial)) return false;
    this.#graded.add(trial);
    return true;
  }

  /** An error of a score, in one line; false where one of this trial is known. */
  noteFailed(trial: Trial, why: string): boolean {
    if (this.#failed.has(trial)) return false;
    this.#first ??= why;
    // What a score left behind fails after its answer was graded.
    this.#graded.delete(trial);
    this.#failed.add(trial);
    return true;
  }
}
