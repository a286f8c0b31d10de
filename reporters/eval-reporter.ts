import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  Vitest,
} from 'vitest/node';
import { describeUnknownSuites } from '../src/metrics/gates.ts';
import { EXTENSION } from '../src/package.ts';
import { readManifest } from '../src/store/manifest.ts';
import { readEnd, writeEnd } from '../src/store/run-end.ts';
import { type PlannedMeta, toIdentity } from '../src/store/trial-meta.ts';
import { escapeLine } from '../src/text/show.ts';
import { pickVariant } from '../src/text/wording.ts';
import type { EndedTest, RunEnd } from './describe-end.ts';
import type { Exit } from './exit-code.ts';
import { describeError, findRefused, listRunErrors } from './failures.ts';
import { type GithubJob, toAnnotation } from './github-job.ts';
import { toPickedPlans, toPlanRemarks } from './plan-remarks.ts';
import { toSentences } from './remarks.ts';
import type { ReportedSession, RunReport } from './run-report.ts';
import { followWorkers, readCliOptions, showInUi } from './vitest-main.ts';

const PROJECT = 'evals';

/** After this time Vitest has started the worker's process, which then needs more time to begin. */
const WORKER_IS_STARTED_MS = 15;

/**
 * Follows the evals of a run through Vitest. Prints what will be asked; at the end it has the
 * tables printed, the run folder completed and the exit code set. It is silent in a run without
 * evals.
 */
export default class EvalReporter implements Reporter {
  readonly #session: ReportedSession;
  readonly #github: GithubJob | null;
  #vitest: Vitest | null = null;
  #report: RunReport | null = null;
  #active = false;
  /** Problems with the blobs of a merge. */
  readonly #doubled: string[] = [];
  /** The eval files that this watch run selects, and those in which Vitest found something. */
  #toRun: readonly string[] = [];
  readonly #inWatchRun = new Set<string>();
  #killWorkers = () => {};
  /** The suites that Vitest collected, skipped ones too. */
  readonly #suites = new Set<string>();
  /**
   * The generated tests that Vitest collected, by module and, in a merge, run folder: in Vitest 4
   * all shards have the same modules. Tests lost in a crash stay in the denominator.
   */
  readonly #collected = new Map<string, readonly CollectedTest[]>();

  constructor(session: ReportedSession, github: GithubJob | null) {
    this.#session = session;
    this.#github = github;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    this.#killWorkers = followWorkers();
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const evals = specifications.filter(({ project }) => project.name === PROJECT);
    this.#active = evals.length > 0;
    this.#inWatchRun.clear();
    this.#toRun = evals.map(({ moduleId }) => moduleId);
    this.#recordSelection();
    // Ctrl-C and SIGTERM end the process without onTestRunEnd. The answers so far are reported all
    // the same.
    if (!this.#active) return;
    process.once('exit', this.#finishOnExit);
    // Load the report while the worker starts: this process is idle then.
    setTimeout(() => this.#active && this.#loadReport()?.prepare(), WORKER_IS_STARTED_MS).unref();
  }

  onTestModuleCollected(module: TestModule): void {
    this.#inWatchRun.add(module.moduleId);
    for (const { name } of module.children.suites()) this.#suites.add(name);
    const collected = [...module.children.allTests()].flatMap((test) => {
      const { eval: meta } = test.meta();
      // Read the mode now: when a run is cancelled, Vitest marks the remaining tests as skipped.
      return meta === undefined ? [] : [{ test, meta, picked: test.options.mode === 'run' }];
    });
    const key = this.#isMerge() ? `${module.id} ${collected[0]?.meta.run}` : module.id;
    if (this.#isMerge() && this.#collected.has(key)) {
      this.#doubled.push(
        `there are two reports of a shard: ${module.relativeModuleId}. Merge each shard once.`,
      );
    }
    this.#collected.set(key, collected);
    if (collected.length > 0) this.#session.makeLatest();
    this.#recordSelection();
    this.#announce(collected);
  }

  onTestModuleStart(module: TestModule): void {
    if (!this.#collected.get(module.id)?.length) return;
    // A watch run has rows of earlier ones, and a merge those of other runs.
    if (this.#vitest?.config.watch === false && !this.#isMerge())
      setImmediate(() => this.#loadReport()?.follow());
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
    const broken = modules.flatMap((module) => listRunErrors(module, secrets));
    const failures = [
      ...broken,
      ...errors.map((error) => describeError(error, secrets)),
      ...this.#doubled,
    ];
    const isRefused =
      errors.length === 0 && refused.length > 0 && refused.length === this.#toRun.length;
    const isUnbegun = this.#session.folder === null && skipped === null && failures.length > 0;
    if (isRefused || isUnbegun) {
      this.#refuse([...refused.map(({ why }) => why), ...(isRefused ? [] : failures)]);
      return;
    }
    const isFine = failures.length === 0 && refused.length === 0;
    // Every suite may be skipped because its own agent may cost money.
    const isEmpty = !this.#isMerge() && this.#listInWatchRun().length === 0;
    if (isFine && isEmpty && this.#session.discardEmpty()) {
      this.#leave();
      return;
    }
    if (this.#isMerge()) this.#mergeShards();
    const unknownSuites = isFine ? await this.#findStrayGates() : [];
    // Vitest ends the worker in the next turn, which then gives its memory back while this process
    // reports.
    await nextTurn();
    // Not earlier: Ctrl-C while a server answers must still write a report.
    this.#leave();
    const stop = (this.#vitest?.config.bail ?? 0) > 0 ? 'bail' : 'interrupted';
    const exit = this.#finish({
      failures,
      refused,
      unknownSuites,
      stop: reason === 'interrupted' ? stop : null,
    });
    if (exit === null) return;
    const annotation = this.#github === null ? null : toAnnotation(exit);
    if (annotation !== null) this.#vitest?.logger.log(annotation);
    this.#setExitCode(exit.code);
  }

  #mergeShards(): void {
    if (this.#vitest?.version.startsWith('4.'))
      this.#log(
        'Vitest 4 counts the results of one shard for all shards; the tables below have all.',
      );
    this.#loadReport()?.mergeShards(this.#endedTests());
  }

  /** Without a gate, failed tests decide. In a merge, Vitest 4 knows those of one shard alone. */
  #setExitCode(code: Exit['code']): void {
    if (code !== null) process.exitCode = code;
    else if (this.#isMerge() && this.#endedTests().some(({ state }) => state === 'failed'))
      process.exitCode = 1;
  }

  /** Nothing was asked, so there is no figure to report, and the run folder is removed. */
  #refuse(whys: readonly string[]): void {
    this.#leave();
    this.#session.discardEmpty();
    this.#vitest?.logger.log(`  exit 1: nothing was asked: ${[...new Set(whys)].join('; ')}`);
    process.exitCode = 1;
  }

  #leave(): void {
    process.off('exit', this.#finishOnExit);
    this.#active = false;
  }

  /**
   * A run that is killed must not miss what was left out; and for --merge-reports a blob does not
   * tell a test that was skipped while running from one that was not selected.
   */
  #recordSelection(): void {
    const { folder } = this.#session;
    const vitest = this.#vitest;
    if (folder === null || vitest === null || this.#isMerge()) return;
    const { config } = vitest;
    const left = this.#listInWatchRun().filter(({ picked }) => !picked);
    const end = readEnd(folder);
    const carried = end.absent.filter(({ suite }) => end.carried.includes(suite));
    writeEnd(folder, {
      ...end,
      not_started: this.#listNotStarted(),
      absent: [...carried, ...left.map(({ meta }) => ({ ...toIdentity(meta), reason: null }))],
      narrowed_by: {
        name: config.testNamePattern?.source ?? null,
        tags: config.tagsFilter ?? null,
        last_failed: readCliOptions(vitest).lastFailed === true,
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
    if (folder === null || this.#isMerge()) return;
    for (const [suite, own] of Map.groupBy(tests, ({ meta }) => meta.suite)) {
      const manifest = readManifest(folder).suites.find((other) => other.suite === suite);
      const plans = toPickedPlans(manifest?.plans ?? [], own);
      const subjects = plans.map((plan) => ({ suite, ...pickVariant(plan) }));
      const { trials = 1, judges = [], user } = manifest ?? {};
      for (const line of toSentences(
        toPlanRemarks({ suite, plans, trials, judges, ...(user && { user }) }),
        subjects,
      ))
        this.#log(line);
    }
  }

  #log(line: string): void {
    this.#vitest?.logger.log(`  ${escapeLine(line, 400)}`);
  }

  readonly #finishOnExit = (code: number): void => {
    // Workers would go on asking until this process has reported and ended.
    this.#killWorkers();
    this.#finish({ failures: [], refused: [], stop: 'interrupted', endedWith: code });
  };

  /** A gate on a suite of a file that did not run is not a mistake. */
  async #findStrayGates(): Promise<readonly string[]> {
    const strays = describeUnknownSuites(this.#session.gates, [...this.#suites]);
    const project = this.#vitest?.projects.find(({ name }) => name === PROJECT);
    if (strays.length === 0 || project === undefined) return [];
    // Where the command line names some eval files, the plugin leaves only those in `include`.
    if (!project.config.include.some((glob) => glob.includes('*'))) return [];
    const { testFiles } = await project.globTestFiles();
    return testFiles.every((file) => this.#inWatchRun.has(file)) ? strays : [];
  }

  #finish(end: Omit<RunEnd, 'tests' | 'neverRan'>): Exit | null {
    const tests = this.#endedTests();
    const neverRan = this.#listNotStarted();
    return this.#loadReport()?.finish({ ...end, tests, neverRan }) ?? null;
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

  #isMerge(): boolean {
    return this.#vitest?.config.mergeReports !== undefined;
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
      return { meta: test.meta().eval ?? meta, picked, state, error };
    });
  }
}

/** A generated test that Vitest collected; `picked` unless a name or a tag left it out. */
type CollectedTest = Readonly<{
  test: TestCase;
  meta: PlannedMeta;
  picked: boolean;
}>;
