import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { toVisible } from '../../src/text/visible-text.ts';
import { LiveLine } from './live-line.ts';
import { renderProgress } from './progress-line.ts';
import { SuiteProgress } from './suite-progress.ts';

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
    const text = toVisible(renderProgress(this.#current.progress, performance.now()), 300);
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
