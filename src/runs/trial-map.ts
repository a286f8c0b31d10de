import type { SampleResult } from '../types.ts';

/** What tells one trial of one sample from all others. */
export type TrialIdentity = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'id' | 'trial'>;

export function toIdentity({ suite, dataset, agent, id, trial }: TrialIdentity): TrialIdentity {
  return { suite, dataset, agent, id, trial };
}

type Entry<T> = { readonly of: TrialIdentity; value: T };

/**
 * Values by trial. A trial is found by its id, its number, and then among the suites and agents of which a run has few:
 * to build one key of all parts takes longer than to look it up.
 */
export class TrialMap<T> {
  readonly #byId = new Map<string, Map<number, Entry<T>[]>>();
  #size = 0;

  /** How many trials have a value. */
  get size(): number {
    return this.#size;
  }

  get(trial: TrialIdentity): T | undefined {
    return find(this.#byId.get(trial.id)?.get(trial.trial), trial)?.value;
  }

  has(trial: TrialIdentity): boolean {
    return find(this.#byId.get(trial.id)?.get(trial.trial), trial) !== undefined;
  }

  /** A later value replaces the one before. */
  set(trial: TrialIdentity, value: T): void {
    const entries = this.#entriesOf(trial);
    const found = find(entries, trial);
    if (found !== undefined) {
      found.value = value;
      return;
    }
    this.#size += 1;
    entries.push({ of: trial, value });
  }

  #entriesOf({ id, trial }: TrialIdentity): Entry<T>[] {
    const numbers = this.#byId.get(id) ?? new Map<number, Entry<T>[]>();
    const entries = numbers.get(trial) ?? [];
    this.#byId.set(id, numbers.set(trial, entries));
    return entries;
  }
}

function find<T>(entries: readonly Entry<T>[] | undefined, trial: TrialIdentity): Entry<T> | undefined {
  return entries?.find(({ of }) => {
    return of.agent === trial.agent && of.suite === trial.suite && of.dataset === trial.dataset;
  });
}
