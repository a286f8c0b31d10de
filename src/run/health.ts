import type { AgentLane } from './lanes.ts';
import type { Trial } from './plan.ts';

/** Why viva stopped asking an agent: the reason of its rows, and a sentence. */
export type Failing = Readonly<{ reason: 'score' | 'user' | 'bad_response'; why: string }>;

/** How many trials may fail so before an answer is graded. */
const MOST_FAILED = 10;

type Ends = { readonly graded: Set<Trial>; readonly failed: Set<Trial>; first: Failing | null };

/**
 * Whether asking is in vain: the first ten trials of an agent all ended in an error of its score or its
 * simulated user, or in an answer that cannot be read. The next would too.
 */
export class Health {
  readonly #ends = new Map<AgentLane, Ends>();

  /** Why nothing more is asked, by the first failure; null while an answer may be graded. */
  findStop(lane: AgentLane): Failing | null {
    const { graded, failed, first } = this.#of(lane);
    return graded.size === 0 && failed.size >= MOST_FAILED ? first : null;
  }

  /** False where an error of a score of this trial is known: what one left behind came before. */
  noteGraded(trial: Trial): boolean {
    const { graded, failed } = this.#of(trial.lane);
    if (failed.has(trial)) return false;
    graded.add(trial);
    return true;
  }

  /** False where a failure of this trial is known. */
  noteFailed(trial: Trial, failing: Failing): boolean {
    const ends = this.#of(trial.lane);
    if (ends.failed.has(trial)) return false;
    ends.first ??= failing;
    // What a score left behind fails after its answer was graded.
    ends.graded.delete(trial);
    ends.failed.add(trial);
    return true;
  }

  #of(lane: AgentLane): Ends {
    const ends = this.#ends.get(lane) ?? { graded: new Set(), failed: new Set(), first: null };
    this.#ends.set(lane, ends);
    return ends;
  }
}
