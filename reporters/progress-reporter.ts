import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { kindOf, parseAgentSpecs } from '../src/agents/kinds.ts';
import { isCounted, STATES } from '../src/states.ts';
import type { ResultMeta } from '../src/store/sample-log.ts';
import { escapeLine } from '../src/text/show.ts';
import { namePrompt, nameVariant, pickVariant, type Variant } from '../src/text/wording.ts';
import { formatCost } from './html/page/format.js';
import { formatRate } from './tables.ts';

/**
 * How often the line in a terminal is redrawn, and how often a line is added without a terminal, in
 * ms.
 */
const REDRAW_MS = 200;
const ADD_MS = 5000;

export type ProgressOptions = {
  /** Whether the output goes to a terminal, in which a line can be redrawn. */
  readonly live: boolean;
  /** Calls of one provider that may run at once. */
  readonly concurrency: number;
};

/**
 * Shows the progress of running evals: one line at the bottom of a terminal, elsewhere a line every
 * few seconds. It writes to standard error, so that standard output has only the reports.
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
      if (meta !== undefined && test.options.mode === 'run') this.#suiteOf(meta.suite).expect(meta);
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
    const text = escapeLine(this.#current.render(performance.now()), 300);
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

/** With fewer answers the remaining time cannot be estimated. */
const MIN_ASKED = 3;

type VariantTally = Variant & { judged: number; correct: number };

/**
 * The calls of the agents that share one limit; `slots` is the concurrency when the last one ended.
 */
type ProviderTally = { started: number; done: number; asked: number; slots: number };

/** Counts the results of one suite as they arrive, with constant work for each. */
export class SuiteProgress {
  readonly #suite: string;
  readonly #startedAt: number;
  /** Calls of one provider that may run at once. */
  readonly #limit: number;
  readonly #sides = new Map<string, VariantTally>();
  /** By the agent's name and by the provider that several agents share. */
  readonly #providers = new Map<string, ProviderTally>();
  #total = 0;
  #done = 0;
  #asked = 0;
  #spent: number | null = null;

  constructor(suite: string, limit: number, startedAt: number) {
    this.#suite = suite;
    this.#limit = limit;
    this.#startedAt = startedAt;
  }

  /** One more test of an agent with a prompt will run. */
  expect(side: Variant): void {
    this.#total++;
    this.#tallyOf(side);
  }

  begin(agent: string): void {
    this.#providerOf(agent).started++;
  }

  /** `meta` is that of the finished test. Without a state the test was skipped or crashed. */
  end(
    agent: string,
    { prompt, state, cached, cost_usd = null, slots, no_target }: Partial<ResultMeta>,
  ): void {
    const provider = this.#providerOf(agent);
    this.#done++;
    provider.done++;
    if (state === undefined) return;
    // Only a call of this run has slots.
    if (STATES[state].ran && cached !== true && slots !== undefined) {
      this.#asked++;
      provider.asked++;
      provider.slots = slots;
      if (cost_usd !== null) this.#spent = (this.#spent ?? 0) + cost_usd;
    }
    if (!isCounted({ state, target: no_target === true ? null : '' })) return;
    const tally = this.#tallyOf(pickVariant({ agent, prompt }));
    tally.judged++;
    if (STATES[state].verdict === 'right') tally.correct++;
  }

  /** One line: progress, accuracy so far, running calls, cost, remaining time. `now` in ms. */
  render(now: number): string {
    const providers = [...new Set(this.#providers.values())];
    const running = providers.reduce((sum, provider) => sum + countRunning(provider), 0);
    const slots = Math.min(this.#limit, ...providers.map((provider) => provider.slots));
    const left = this.#total - this.#done;
    const parts = [
      `${this.#suite} ${this.#done}/${this.#total}`,
      describeAccuracy([...this.#sides.values()]),
      running === 0 ? null : `${running} running`,
      this.#spent === null ? null : `${formatCost(this.#spent)} spent`,
      slots === this.#limit ? null : `rate limit: ${slots} at once`,
      this.#asked < MIN_ASKED || left === 0
        ? null
        : `about ${showDuration(((now - this.#startedAt) / this.#asked) * left)} left`,
    ];
    return parts.filter((part) => part !== null).join('  ');
  }

  #tallyOf(side: Variant): VariantTally {
    const name = nameVariant(side);
    const tally = this.#sides.get(name) ?? { ...pickVariant(side), judged: 0, correct: 0 };
    this.#sides.set(name, tally);
    return tally;
  }

  /** The models of one API share one limit; every other agent has its own. */
  #providerOf(agent: string): ProviderTally {
    const known = this.#providers.get(agent);
    if (known !== undefined) return known;
    const [spec] = parseAgentSpecs(agent) ?? [];
    const name = spec !== undefined && kindOf(spec).model !== null ? spec.kind : agent;
    const provider = this.#providers.get(name) ?? {
      started: 0,
      done: 0,
      asked: 0,
      slots: this.#limit,
    };
    this.#providers.set(name, provider).set(agent, provider);
    return provider;
  }
}

/** Vitest starts more tests than there are slots. Replayed tests make no call. */
function countRunning({ started, done, asked, slots }: ProviderTally): number {
  return asked > 0 || done === 0 ? Math.max(0, Math.min(started - done, slots)) : 0;
}

/**
 * One rate for each agent and prompt: a mean would be no agent's accuracy. Null while nothing is
 * graded.
 */
function describeAccuracy(sides: readonly VariantTally[]): string | null {
  if (sides.every(({ judged }) => judged === 0)) return null;
  const rates = sides.map(({ judged, correct, ...side }) => {
    const rate = formatRate(judged === 0 ? null : correct / judged);
    return sides.length === 1 ? rate : `${shorten(side)} ${rate}`;
  });
  return `${rates.join(', ')} correct so far`;
}

/** Of a path the file name, of another long name the beginning. */
function shorten(side: Variant): string {
  const agent = side.agent.slice(side.agent.lastIndexOf('/') + 1).slice(0, 24);
  return side.prompt === undefined ? agent : `${agent} ${namePrompt(side)}`;
}

function showDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** The parts of a terminal's stream that are used here. */
export type TerminalStream = Pick<NodeJS.WriteStream, 'write' | 'columns'>;

const CLEAR = '\r\u001B[2K';

/**
 * A line at the bottom of a terminal that is redrawn in place. Other output to the given streams
 * appears above it: the line is removed before each write and drawn again after it.
 */
export class LiveLine {
  readonly #stream: TerminalStream;
  readonly #write: TerminalStream['write'];
  readonly #restore: readonly (() => void)[];
  #text = '';
  #atLineStart = true;

  constructor(stream: TerminalStream, others: readonly TerminalStream[]) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
    this.#restore = others.map((other) => this.#wrap(other));
  }

  show(text: string): void {
    if (!this.#atLineStart) return;
    // A line that wraps could not be cleared.
    this.#text = text.slice(0, (this.#stream.columns || 80) - 1);
    this.#draw();
  }

  /** Removes the line and restores the streams. */
  stop(): void {
    this.#clear();
    this.#text = '';
    for (const restore of this.#restore) restore();
  }

  #draw(): void {
    this.#write(`${CLEAR}${this.#text}`);
  }

  #clear(): void {
    if (this.#text !== '' && this.#atLineStart) this.#write(CLEAR);
  }

  #wrap(stream: TerminalStream): () => void {
    const write = stream.write;
    stream.write = new Proxy(write, {
      apply: (target, _, args) => {
        this.#clear();
        this.#atLineStart = endsLine(args[0]);
        const written = Reflect.apply(target, stream, args);
        if (this.#atLineStart) this.#draw();
        return written;
      },
    });
    return () => {
      stream.write = write;
    };
  }
}

function endsLine(chunk: unknown): boolean {
  const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
  return text === '' || text.endsWith('\n');
}
