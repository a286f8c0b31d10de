import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  Vitest,
} from 'vitest/node';
import type { Exit } from '../src/figures/exit-code.ts';
import { describeUnknownSuites } from '../src/figures/gates.ts';
import { EXTENSION } from '../src/package.ts';
import { readManifest } from '../src/store/manifest.ts';
import { readEnd } from '../src/store/run-end.ts';
import { RunWriter } from '../src/store/run-writer.ts';
import { type PlannedMeta, toIdentity } from '../src/store/trial-meta.ts';
import type { EndedTest, RunEnd } from './describe-end.ts';
import { describeError } from './describe-error.ts';
import { findPlace, findRefused, listModuleFailures } from './failures.ts';
import type { GithubJob } from './github-job.ts';
import { ListReporter } from './list-reporter.ts';
import { toPickedPlans } from './plan-remarks.ts';
import type { RowSink } from './row-sink.ts';
import type { ReportedSession, RunReport } from './run-report.ts';
import { drawLine, findTerminal, type Tone } from './terminal.ts';
import { followWorkers, letWorkersEnd, showInUi } from './vitest-main.ts';

/**
 * Follows the evals of a run through Vitest. Prints what will be asked; at the end it has the
 * tables printed, the run folder completed and the exit code set.
 */
export default class EvalReporter implements Reporter {
  readonly #session: ReportedSession;
  readonly #github: GithubJob | null;
  readonly #lastFailed: boolean;
  readonly #sink: RowSink | null;
  #vitest: Vitest | null = null;
  #report: RunReport | null = null;
  #active = false;
  /** The eval files that this watch run selects, and those in which Vitest found something. */
  #toRun: readonly string[] = [];
  readonly #inWatchRun = new Set<string>();
  /** The suites that Vitest collected, skipped ones too. */
  readonly #suites = new Set<string>();
  /** The generated tests that Vitest collected, by module. Tests lost in a crash stay counted. */
  readonly #collected = new Map<string, readonly CollectedTest[]>();

  constructor(
    session: ReportedSession,
    github: GithubJob | null,
    lastFailed: boolean,
    sink: RowSink | null,
  ) {
    this.#session = session;
    this.#github = github;
    this.#lastFailed = lastFailed;
    this.#sink = sink;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    const killWorkers = followWorkers((worker) => this.#session.groups?.killOf(worker));
    // Workers would go on asking until `#finishOnExit`, which comes later, has reported.
    process.once('exit', killWorkers);
  }

  onTestRunStart(evals: readonly TestSpecification[]): void {
    this.#active = evals.length > 0;
    this.#inWatchRun.clear();
    this.#toRun = evals.map(({ moduleId }) => moduleId);
    this.#recordSelection();
    // Ctrl-C and SIGTERM end the process without onTestRunEnd. The answers so far are reported all
    // the same.
    if (!this.#active) return;
    process.once('exit', this.#finishOnExit);
  }

  onTestModuleCollected(module: TestModule): void {
    this.#inWatchRun.add(module.moduleId);
    for (const { name } of module.children.suites()) this.#suites.add(name);
    const collected = [...module.children.allTests()].flatMap((test) => {
      const { eval: meta } = test.meta();
      // Read the mode now: when a run is cancelled, Vitest marks the remaining tests as skipped.
      return meta === undefined ? [] : [{ test, meta, picked: test.options.mode === 'run' }];
    });
    this.#collected.set(module.id, collected);
    if (collected.length > 0) {
      this.#session.makeLatest();
      this.#sink?.begin();
    }
    this.#recordSelection();
    this.#announce(collected);
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    if (!this.#active) return;
    const { secrets, skipped } = this.#session;
    // Vitest only counts skipped evals, so the reason is printed here.
    if (skipped !== null) this.#log(skipped);
    const refused = this.#vitest === null ? [] : findRefused(modules, this.#vitest.config, secrets);
    const broken = modules.flatMap((module) => listModuleFailures(module, secrets));
    const failures = [...broken, ...errors.map((error) => describeError(error, secrets))];
    const isRefused =
      errors.length === 0 && refused.length > 0 && refused.length === this.#toRun.length;
    const isUnbegun = this.#session.folder === null && skipped === null && failures.length > 0;
    if (isRefused || isUnbegun) {
      this.#refuse([...refused.map(({ why }) => why), ...(isRefused ? [] : failures)]);
      return;
    }
    const isFine = failures.length === 0 && refused.length === 0;
    // Every suite may be skipped because its own agent may cost money.
    const isEmpty = this.#listInWatchRun().length === 0;
    if (isFine && isEmpty && this.#session.discardEmpty()) {
      this.#leave();
      return;
    }
    const unknownSuites = isFine ? await this.#findStrayGates() : [];
    await letWorkersEnd();
    // Not earlier: Ctrl-C while a server answers must still write a report.
    this.#leave();
    const cause = (this.#vitest?.config.bail ?? 0) > 0 ? 'bail' : 'interrupted';
    const stop = reason === 'interrupted' ? cause : null;
    const exit = this.#finish({ failures, refused, unknownSuites, stop });
    // Without a gate, failed tests decide.
    if (exit !== null && exit.code !== null) process.exitCode = exit.code;
    if (this.#sink !== null) await keepExitCode(() => this.#sink?.end());
  }

  /** Nothing was asked, so there is no figure to report, and the run folder is removed. */
  #refuse(whys: readonly string[]): void {
    this.#leave();
    this.#session.discardEmpty();
    this.#log(`exit 1: nothing was asked: ${[...new Set(whys)].join('; ')}`, 'bad');
    process.exitCode = 1;
  }

  #leave(): void {
    process.off('exit', this.#finishOnExit);
    this.#active = false;
  }

  /** A run that is killed must not miss what was left out. */
  #recordSelection(): void {
    const { folder } = this.#session;
    const vitest = this.#vitest;
    if (folder === null || vitest === null) return;
    const { config } = vitest;
    const left = this.#listInWatchRun().filter(({ picked }) => !picked);
    const end = readEnd(folder);
    new RunWriter(folder).end({
      ...end,
      not_started: this.#listNotStarted(),
      absent: left.map(({ meta }) => ({ ...toIdentity(meta), reason: null })),
      narrowed_by: {
        // In watch mode it is not in the configuration.
        name: vitest.getGlobalTestNamePattern()?.source ?? null,
        tags: config.tagsFilter ?? null,
        last_failed: this.#lastFailed,
      },
    });
  }

  #listNotStarted(): readonly string[] {
    return this.#toRun
      .filter((file) => !this.#inWatchRun.has(file))
      .map((file) => relative(process.cwd(), file));
  }

  /** Prints what will be asked and its cost, before the first call; nothing for a replay. */
  #announce(tests: readonly CollectedTest[]): void {
    const { folder } = this.#session;
    if (folder === null) return;
    for (const [suite, ofSuite] of Map.groupBy(tests, ({ meta }) => meta.suite)) {
      const manifest = readManifest(folder).suites.find((other) => other.suite === suite);
      if (manifest === undefined) continue;
      const plans = toPickedPlans(manifest.plans, ofSuite);
      const lines = this.#loadReport()?.listPlan({ ...manifest, plans }) ?? [];
      for (const line of lines) this.#log(line);
    }
  }

  #log(line: string, tone: Tone = 'note'): void {
    this.#vitest?.logger.log(drawLine(line, tone, findTerminal()).trimEnd());
  }

  readonly #finishOnExit = (code: number): void => {
    // A library may end the process, which must not pass for a run that has ended.
    const endedWith = code === 0 ? 1 : code;
    process.exitCode = endedWith;
    this.#finish({ failures: [], refused: [], stop: 'interrupted', endedWith });
  };

  /** A gate on a suite of a file that did not run is not a mistake. */
  async #findStrayGates(): Promise<readonly string[]> {
    const strays = describeUnknownSuites(this.#session.gates, [...this.#suites]);
    if (strays.length === 0 || this.#vitest === null) return [];
    const { testFiles } = await this.#vitest.getRootProject().globTestFiles();
    return testFiles.every((file) => this.#inWatchRun.has(file)) ? strays : [];
  }

  #finish(end: Omit<RunEnd, 'tests' | 'neverRan'>): Exit | null {
    const reporters = this.#vitest?.config.reporters ?? [];
    const listsFailures = reporters.some((one) => one instanceof ListReporter);
    const tests = this.#endedTests();
    const neverRan = this.#listNotStarted();
    return this.#loadReport()?.finish({ ...end, tests, neverRan }, listsFailures) ?? null;
  }

  /**
   * Null without a run folder. Loaded on first use, synchronously: Ctrl-C may be ending the
   * process.
   */
  #loadReport(): RunReport | null {
    if (this.#session.folder === null) return null;
    const { RunReport }: typeof import('./run-report.ts') = createRequire(import.meta.url)(
      `./run-report${EXTENSION}`,
    );
    this.#report ??= new RunReport(this.#session, this.#github, (text) => this.#publish(text));
    return this.#report;
  }

  /** Prints the tables. The Vitest UI shows them at the files that ran. */
  #publish(text: string): void {
    if (this.#vitest === null) return;
    this.#vitest.logger.log(text);
    const hasRun = (test?: TestCase) =>
      test !== undefined && this.#inWatchRun.has(test.module.moduleId);
    const files = [...this.#collected.values()].flatMap(([first]) =>
      first !== undefined && hasRun(first.test) ? [first.test.module.id] : [],
    );
    showInUi(this.#vitest, files, text);
  }

  /** The tests that Vitest collected in this watch run. */
  #listInWatchRun(): readonly CollectedTest[] {
    const collected = [...this.#collected.values()].flat();
    return collected.filter(({ test }) => this.#inWatchRun.has(test.module.moduleId));
  }

  #endedTests(): readonly EndedTest[] {
    return this.#listInWatchRun().map(({ test, meta, picked }) => {
      const { state, errors } = test.result();
      const message = errors?.[0]?.message;
      const error = message === undefined ? null : stripVTControlCharacters(message);
      return { meta: test.meta().eval ?? meta, picked, state, error, place: findPlace(test) };
    });
  }
}

/** Functions of the user run here, which may set a code of their own, or end the process with one. */
async function keepExitCode(call: () => unknown): Promise<void> {
  const { exitCode } = process;
  const keep = () => {
    process.exitCode = exitCode;
  };
  process.once('exit', keep);
  await call();
  process.off('exit', keep);
  keep();
}

/** A generated test that Vitest collected; `picked` unless a name or a tag left it out. */
type CollectedTest = Readonly<{
  test: TestCase;
  meta: PlannedMeta;
  picked: boolean;
}>;
