import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { RowFollower } from '../src/store/sample-log.ts';
import { formatDollars } from '../src/words/amounts.js';
import { isCorrect, isCounted, type SampleResult, STATES, spentOn } from '../src/words/row.ts';
import { escapeLine, lineIf, tryOrUndefined } from '../src/words/show.ts';
import { namePrompt, nameVariant, pickVariant, type Variant } from '../src/words/variant.ts';
import { formatRate } from './format-figures.ts';
import type { ReportedSession } from './run-report.ts';

/**
 * How often the line in a terminal is redrawn, and how often a line is added without a terminal, in
 * ms.
 */
const REDRAW_MS = 200;
const ADD_MS = 5000;

/**
 * Shows the progress of running evals: one line at the bottom of a terminal, elsewhere a line every
 * few seconds. It counts the tests that ended, and takes accuracy and cost from the rows that they
 * wrote. It writes to standard error, so that standard output has only the reports.
 */
export class ProgressReporter implements Reporter {
  /** Whether the output goes to a terminal, in which a line can be redrawn. */
  readonly #isLive: boolean;
  readonly #session: Pick<ReportedSession, 'folder'>;
  readonly #suites = new Map<string, SuiteProgress>();
  #vitest: Vitest | null = null;
  #current: SuiteProgress | null = null;
  #line: LiveLine | null = null;
  #timer: NodeJS.Timeout | null = null;
  #added = '';
  #rows: RowFollower | null = null;

  constructor(session: Pick<ReportedSession, 'folder'>, isLive: boolean) {
    this.#session = session;
    this.#isLive = isLive;
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
    this.#current ??= this.#suiteOf(meta.suite);
    this.#start();
  }

  onTestCaseResult(test: TestCase): void {
    const { eval: meta } = test.meta();
    if (meta === undefined || test.options.mode !== 'run') return;
    this.#current = this.#suiteOf(meta.suite);
    this.#current.end();
  }

  onTestRunEnd(): void {
    this.#stop();
  }

  #suiteOf(suite: string): SuiteProgress {
    const progress = this.#suites.get(suite) ?? new SuiteProgress(suite, performance.now());
    this.#suites.set(suite, progress);
    return progress;
  }

  #start(): void {
    if (this.#timer !== null) return;
    const { folder } = this.#session;
    // Without a log there are no figures, but the number of tests that ended.
    if (folder !== null) this.#rows = tryOrUndefined(() => new RowFollower(folder)) ?? null;
    if (this.#isLive) this.#line = new LiveLine(process.stderr, [process.stdout, process.stderr]);
    this.#timer = setInterval(
      () => this.#printProgress(),
      this.#isLive ? REDRAW_MS : ADD_MS,
    ).unref();
  }

  #printProgress(): void {
    if (this.#current === null) return;
    this.#addRows();
    const text = escapeLine(this.#current.describeProgress(performance.now()), 300);
    if (this.#line !== null) this.#line.update(text);
    else if (text !== this.#added) this.#vitest?.logger.errorStream.write(`${text}\n`);
    this.#added = text;
  }

  /** One by one: there may be tens of thousands since the last time. */
  #addRows(): void {
    try {
      for (const row of this.#rows?.readEach() ?? []) this.#suiteOf(row.suite).add(row);
    } catch {
      // A row that cannot be read is reported at the end.
      this.#endReading();
    }
  }

  #endReading(): void {
    this.#rows?.close();
    this.#rows = null;
  }

  #stop(): void {
    this.#endReading();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#line?.stop();
    this.#line = null;
  }
}

/** With fewer answers the remaining time cannot be estimated. */
const MIN_ASKED = 3;

type VariantTally = Variant & { judged: number; correct: number };

/** Counts the results of one suite as they arrive, with constant work for each. */
export class SuiteProgress {
  readonly #suite: string;
  readonly #startedAt: number;
  readonly #variants = new Map<string, VariantTally>();
  #total = 0;
  #done = 0;
  #asked = 0;
  #spent: number | null = null;

  constructor(suite: string, startedAt: number) {
    this.#suite = suite;
    this.#startedAt = startedAt;
  }

  /** One more test of an agent with a prompt will run. */
  expect(variant: Variant): void {
    this.#total++;
    this.#tallyOf(variant);
  }

  /** One of these tests has ended. */
  end(): void {
    this.#done++;
  }

  /** A row was written. */
  add(row: SampleResult): void {
    // Only a call of this run has slots.
    if (STATES[row.state].ran && !row.cached && row.slots !== undefined) {
      this.#asked++;
      const spent = spentOn(row);
      if (spent !== null) this.#spent = (this.#spent ?? 0) + spent;
    }
    if (!isCounted(row)) return;
    const tally = this.#tallyOf(row);
    tally.judged++;
    if (isCorrect(row)) tally.correct++;
  }

  /** One line: progress, accuracy so far, cost, remaining time. `now` in ms. */
  describeProgress(now: number): string {
    const left = this.#total - this.#done;
    const perAnswer = (now - this.#startedAt) / this.#asked;
    return [
      `${this.#suite} ${this.#done}/${this.#total}`,
      ...describeAccuracy([...this.#variants.values()]),
      ...(this.#spent === null ? [] : [`${formatDollars(this.#spent)} spent`]),
      ...lineIf(
        this.#asked >= MIN_ASKED && left > 0,
        `about ${showDuration(perAnswer * left)} left`,
      ),
    ].join('  ');
  }

  #tallyOf(variant: Variant): VariantTally {
    const name = nameVariant(variant);
    const tally = this.#variants.get(name) ?? { ...pickVariant(variant), judged: 0, correct: 0 };
    this.#variants.set(name, tally);
    return tally;
  }
}

/**
 * One rate for each agent and prompt: a mean would be no agent's accuracy. Nothing while nothing is
 * graded.
 */
function describeAccuracy(variants: readonly VariantTally[]): readonly string[] {
  const rates = variants.map(({ judged, correct, ...variant }) => {
    const rate = formatRate(judged === 0 ? null : correct / judged);
    return variants.length === 1 ? rate : `${nameBriefly(variant)} ${rate}`;
  });
  const isGraded = variants.some(({ judged }) => judged > 0);
  return lineIf(isGraded, `${rates.join(', ')} correct so far`);
}

/** Of a path the file name, of another long name the beginning. */
function nameBriefly(variant: Variant): string {
  const agent = variant.agent.slice(variant.agent.lastIndexOf('/') + 1).slice(0, 24);
  return `${agent} ${namePrompt(variant)}`.trimEnd();
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
    // After Ctrl-C the process ends without onTestRunEnd.
    process.once('exit', this.stop);
  }

  update(text: string): void {
    if (!this.#atLineStart) return;
    // A line that wraps could not be cleared.
    this.#text = text.slice(0, (this.#stream.columns || 80) - 1);
    this.#draw();
  }

  /** Removes the line and restores the streams. */
  readonly stop = (): void => {
    process.off('exit', this.stop);
    this.#clear();
    this.#text = '';
    for (const restore of this.#restore) restore();
  };

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
