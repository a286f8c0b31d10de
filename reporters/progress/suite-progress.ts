import { isGraded } from '../../src/metrics/states.ts';
import type { ResultMeta } from '../../src/runs/trial-meta.ts';
import type { Progress } from './progress-line.ts';
import { ProviderProgress } from './provider-progress.ts';

type Tally = { judged: number; correct: number };

/** Counts the results of one suite as they come: constant work for each, however many there are. */
export class SuiteProgress {
  readonly #suite: string;
  readonly #startedAt: number;
  /** Calls of one provider that may run at once. */
  readonly #limit: number;
  readonly #agents = new Map<string, Tally>();
  readonly #providers = new Map<string, ProviderProgress>();
  #total = 0;
  #done = 0;
  #spent: number | null = null;

  constructor(suite: string, limit: number, startedAt: number) {
    this.#suite = suite;
    this.#limit = limit;
    this.#startedAt = startedAt;
  }

  /** One more test of an agent is to run. */
  expect(agent: string): void {
    this.#total++;
    this.#tallyOf(agent);
  }

  begin(agent: string): void {
    this.#providerOf(agent).begin();
  }

  /** `meta` is what a test carries once it has run; without a state it was skipped or crashed. */
  end(agent: string, meta: Partial<ResultMeta>): void {
    this.#done++;
    const { state, cached, cost_usd = null, slots } = meta;
    // Only a call that was made now had slots to share.
    const isAsked = state !== undefined && state !== 'not_run' && cached !== true && slots !== undefined;
    this.#providerOf(agent).end(isAsked ? slots : null);
    if (isAsked && cost_usd !== null) this.#spent = (this.#spent ?? 0) + cost_usd;
    if (state === undefined || !isGraded({ state, target: meta.hidden === true ? null : '' })) return;
    const tally = this.#tallyOf(agent);
    tally.judged++;
    if (state === 'correct') tally.correct++;
  }

  get progress(): Progress {
    const providers = [...this.#providers];
    return {
      suite: this.#suite,
      total: this.#total,
      done: this.#done,
      agents: [...this.#agents].map(([agent, tally]) => ({ agent, ...tally })),
      asked: providers.reduce((sum, [, { asked }]) => sum + asked, 0),
      running: providers.reduce((sum, [, { running }]) => sum + running, 0),
      spent: this.#spent,
      slowed: providers.flatMap(([provider, { slots }]) => (slots < this.#limit ? [{ provider, slots }] : [])),
      startedAt: this.#startedAt,
    };
  }

  #tallyOf(agent: string): Tally {
    const tally = this.#agents.get(agent) ?? { judged: 0, correct: 0 };
    this.#agents.set(agent, tally);
    return tally;
  }

  #providerOf(agent: string): ProviderProgress {
    const name = nameProvider(agent);
    const provider = this.#providers.get(name) ?? new ProviderProgress(this.#limit);
    this.#providers.set(name, provider);
    return provider;
  }
}

/** Models of one API share its limit on calls; every other agent has its own. */
function nameProvider(agent: string): string {
  return /^(?:openai|openai-chat|anthropic)(?=:)/.exec(agent)?.[0] ?? agent;
}
