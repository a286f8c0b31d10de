import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { isGraded, STATES } from '../src/states.ts';
import type { ResultMeta } from '../src/store/sample-log.ts';
import { escapeLine } from '../src/text/show.ts';
import { LiveLine, type Progress, renderProgress } from './progress-line.ts';

/** How often the line of a terminal is drawn anew, and how often a line is added where there is none, in ms. */
const REDRAW_MS = 200;
const ADD_MS = 5000;

export type ProgressOptions = {
  /** Whether the run is watched in a terminal, where one line can be drawn over and over. */
  readonly live: boolean;
  /** Calls of one provider that may run at once. */
  readonly concurrency: number;
};

/**
 * Shows how far the evals are while they run: one line at the bottom of a terminal, elsewhere a line every few seconds.
 * On standard error, so that what is piped from standard output stays the reports.
 */
export class ProgressReporter implements Reporter {
  readonly #options: ProgressOptions;
  readonly #suites = new Map<string, SuiteProgress>();
  #vitest: Vitest | null = null;
  #current: SuiteProgress | null = null;
  #line: LiveLine | null = null;
  #timer: NodeJS.Timeout | null = null;
  #added = '';

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    vitest.onClose(() => this.#stop());
  }

  onTestRunStart(): void {
    this.#stop();
    this.#suites.clear();
    this.#current = null;
  }

  onTestModuleCollected(module: TestModule): void {
    for (const test of module.children.allTests()) {
      const { eval: meta } = test.meta();
      if (meta !== undefined && test.options.mode === 'run') this.#suiteOf(meta.suite).expect(meta.agent);
    }
  }

  onTestCaseReady(test: TestCase): void {
    const { eval: meta } = test.meta();
    if (meta === undefined) return;
    this.#suiteOf(meta.suite).begin(meta.agent);
    this.#start();
  }

  onTestCaseResult(test: TestCase): void {
    const { eval: meta } = test.meta();
    if (meta === undefined || test.options.mode !== 'run') return;
    this.#current = this.#suiteOf(meta.suite);
    this.#current.end(meta.agent, meta);
  }

  onTestRunEnd(): void {
    this.#stop();
  }

  #suiteOf(suite: string): SuiteProgress {
    const known = this.#suites.get(suite);
    if (known !== undefined) return known;
    const made = new SuiteProgress(suite, this.#options.concurrency, performance.now());
    this.#suites.set(suite, made);
    this.#current ??= made;
    return made;
  }

  #start(): void {
    if (this.#timer !== null) return;
    const { live } = this.#options;
    if (live) this.#line = new LiveLine(process.stderr, [process.stdout, process.stderr]);
    this.#timer = setInterval(() => this.#show(), live ? REDRAW_MS : ADD_MS).unref();
  }

  #show(): void {
    if (this.#current === null) return;
    const text = escapeLine(renderProgress(this.#current.progress, performance.now()), 300);
    if (this.#line !== null) this.#line.show(text);
    else if (text !== this.#added) this.#vitest?.logger.errorStream.write(`${text}\n`);
    this.#added = text;
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#line?.stop();
    this.#line = null;
  }
}

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
    const isAsked = state !== undefined && STATES[state].ran && cached !== true && slots !== undefined;
    this.#providerOf(agent).end(isAsked ? slots : null);
    if (isAsked && cost_usd !== null) this.#spent = (this.#spent ?? 0) + cost_usd;
    if (state === undefined || !isGraded({ state, target: meta.hidden === true ? null : '' })) return;
    const tally = this.#tallyOf(agent);
    tally.judged++;
    if (STATES[state].correct) tally.correct++;
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
