import type { SampleResult } from '../types.ts';

/** What tells one trial of one sample from all others. */
export type TrialIdentity = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'id' | 'trial'>;

type Entry<T> = { readonly trial: TrialIdentity; value: T };

/**
 * Values by trial. A trial is found by its id and then by its other parts, of which each id has few: to build one key of
 * all parts would be the dearest part of a report.
 */
export class TrialMap<T> {
  readonly #byId = new Map<string, Entry<T>[]>();
  #size = 0;

  /** How many trials have a value. */
  get size(): number {
    return this.#size;
  }

  get(trial: TrialIdentity): T | undefined {
    return this.#find(trial)?.value;
  }

  has(trial: TrialIdentity): boolean {
    return this.#find(trial) !== undefined;
  }

  /** A later value replaces the one before. */
  set(trial: TrialIdentity, value: T): void {
    const found = this.#find(trial);
    if (found !== undefined) {
      found.value = value;
      return;
    }
    this.#size += 1;
    const entries = this.#byId.get(trial.id);
    if (entries === undefined) this.#byId.set(trial.id, [{ trial, value }]);
    else entries.push({ trial, value });
  }

  #find(trial: TrialIdentity): Entry<T> | undefined {
    return this.#byId.get(trial.id)?.find((entry) => isSame(entry.trial, trial));
  }
}

function isSame(a: TrialIdentity, b: TrialIdentity): boolean {
  return a.trial === b.trial && a.agent === b.agent && a.suite === b.suite && a.dataset === b.dataset;
}
