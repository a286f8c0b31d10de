import type { AgentLane } from './lanes.ts';
import type { Trial } from './plan.ts';

/** Why viva stopped asking an agent: the reason of its rows, and a sentence. */
export type Failing = Readonly<{ reason: 'score' | 'user' | 'bad_response'; why: string }>;

/** How many questions may fail so before an answer is graded. */
const MOST_FAILED = 10;

type Ends = {
  readonly graded: Set<Trial>;
  readonly failed: Set<Trial>;
  /** The ids of what failed: all trials of one bad record do. */
  readonly questions: Set<string>;
  first: Failing | null;
};

/**
 * Whether asking is in vain: the first ten questions of an agent all ended in an error of its score or
 * its simulated user, or in an answer that cannot be read. The next would too. Answers that are there
 * are graded all the same: if one can be, the agent is asked again.
 */
export class Health {
  readonly #ends = new Map<AgentLane, Ends>();

  /** Why nothing more is asked, by the first failure; null while an answer may be graded. */
  findStop(lane: AgentLane): Failing | null {
    const { graded, questions, first } = this.#of(lane);
    return graded.size === 0 && questions.size >= MOST_FAILED ? first : null;
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
    ends.questions.add(trial.sample.id);
    return true;
  }

  #of(lane: AgentLane): Ends {
    const known = this.#ends.get(lane);
    if (known !== undefined) return known;
    const [graded, failed] = [new Set<Trial>(), new Set<Trial>()];
    const ends: Ends = { graded, failed, questions: new Set(), first: null };
    this.#ends.set(lane, ends);
    return ends;
  }
}
