import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, TestSpecification, Vitest } from 'vitest/node';
import { type AskedVerdicts, askServers, NOTHING_ASKED } from '../src/audit/ask-servers.ts';
import { NO_TURNS } from '../src/compare/turns.ts';
import type { Exit } from '../src/metrics/exit-code.ts';
import { readManifest } from '../src/runs/manifest.ts';
import { listAgents, mergeRuns, readShardRuns } from '../src/runs/merge-runs.ts';
import { readSampleLog } from '../src/runs/sample-log.ts';
import type { Session } from '../src/session/session.ts';
import { toVisible } from '../src/text/visible-text.ts';
import { type Conclusion, concludeRun } from './conclude-run.ts';
import { type CollectedTest, toEndedTests } from './ended-tests.ts';
import { addToJobPage, type GithubJob, toAnnotation } from './github.ts';
import { describeError, outsideFailures } from './outside-failures.ts';
import { toPickedPlans } from './picked-plans.ts';
import { toPlanRemarks } from './plan-remarks.ts';
import { toLines } from './remark.ts';
import { toRemarks } from './remarks.ts';
import { writeRunFiles } from './run-files.ts';
import type { EndedTest } from './settle.ts';
import { renderReport } from './terminal.ts';

const PROJECT = 'evals';

/**
 * Aggregates the evals of a run: prints the tables, completes the run folder and decides the exit code. It is silent,
 * and leaves everything as it is, in a run without evals.
 */
export default class EvalReporter implements Reporter {
  readonly #session: Session;
  readonly #github: GithubJob | null;
  #vitest: Vitest | null = null;
  #asked: AskedVerdicts = NOTHING_ASKED;
  #active = false;
  /** What is wrong with the blobs of a merge. */
  readonly #doubled: string[] = [];
  /** The eval files that this turn was to run, and those of which Vitest collected something. */
  #toRun: readonly string[] = [];
  readonly #turn = new Set<string>();
  /** What the turns of watch mode so far left, for the flips of the next one. */
  #turns = NO_TURNS;
  /** The generated tests that Vitest collected, by module: what a crash loses is still in the denominator. */
  readonly #collected = new Map<string, readonly CollectedTest[]>();

  constructor(session: Session, github: GithubJob | null) {
    this.#session = session;
    this.#github = github;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const evals = specifications.filter(({ project }) => project.name === PROJECT);
    this.#active = evals.length > 0;
    this.#turn.clear();
    this.#toRun = evals.map(({ moduleId }) => moduleId);
    // Ctrl-C and SIGTERM end the process without onTestRunEnd: what was answered until then is still reported.
    if (this.#active) process.once('exit', this.#concludeOnExit);
  }

  onTestModuleCollected(module: TestModule): void {
    const tests = [...module.children.allTests()].filter((test) => test.meta().eval !== undefined);
    if (this.#vitest?.config.mergeReports !== undefined && this.#collected.has(module.id)) {
      this.#doubled.push(`a shard is there twice: ${module.relativeModuleId}. Merge each shard once.`);
    }
    this.#turn.add(module.moduleId);
    // The mode is read now: a cancelled run turns the tests that are left into skipped ones.
    const collected = tests.map((test) => ({ test, picked: test.options.mode === 'run' }));
    this.#collected.set(module.id, collected);
    this.#announce(collected);
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    if (!this.#active) return;
    this.#sayHeld();
    const { secrets } = this.#session;
    const broken = modules.flatMap((module) => outsideFailures(module, secrets));
    const thrown = errors.map((error) => describeError(error, secrets));
    const failures = [...broken, ...thrown, ...this.#mergeShards()];
    this.#asked = await this.#askServers();
    process.off('exit', this.#concludeOnExit);
    this.#active = false;
    const exit = this.#conclude(failures, reason === 'interrupted' ? this.#interruption() : null);
    if (exit !== null) this.#annotate(exit);
    if (exit !== null && exit.code !== null) process.exitCode = exit.code;
  }

  /** For the rules of EVAL_AUDIT that ask a server. Ctrl-C while it answers still leaves a report. */
  #askServers(): Promise<AskedVerdicts> {
    const { folder, config, secrets } = this.#session;
    if (folder === null) return Promise.resolve(NOTHING_ASKED);
    return askServers(config?.audit ?? [], secrets, () => readSampleLog(folder).results);
  }

  /** Why evals are skipped: Vitest counts them, and each says no more than that it was not asked. */
  #sayHeld(): void {
    const { held } = this.#session;
    if (held !== null) this.#log(held);
  }

  /** Says what is about to be asked, and at what cost, before a paid run; nothing of a replay. */
  #announce(collected: readonly CollectedTest[]): void {
    const { folder } = this.#session;
    const tests = collected.flatMap(({ test, picked }) => {
      const meta = test.meta().eval;
      return meta === undefined ? [] : [{ meta, picked }];
    });
    const suite = tests[0]?.meta.suite;
    if (folder === null || suite === undefined || this.#vitest?.config.mergeReports !== undefined) return;
    const manifest = readManifest(folder).suites.find((other) => other.suite === suite);
    const plans = toPickedPlans(manifest?.plans ?? [], tests);
    const subjects = plans.map(({ agent }) => ({ suite, agent }));
    for (const line of toLines(toPlanRemarks({ suite, plans }), subjects)) this.#log(line);
  }

  #log(line: string): void {
    this.#vitest?.logger.log(`  ${toVisible(line, 400)}`);
  }

  readonly #concludeOnExit = (code: number): void => {
    this.#conclude([], 'interrupted', { code: null, reason: `exit ${code}: the run was interrupted` });
  };

  #conclude(failures: readonly string[], interrupted: string | null, forcedExit?: Exit): Exit | null {
    const { folder, config, gates } = this.#session;
    if (folder === null || config === null) return null;
    const tests = this.#endedTests();
    const watch = this.#vitest?.config.watch === true;
    const merged = this.#vitest?.config.mergeReports !== undefined;
    const neverRan = this.#toRun.filter((file) => !this.#turn.has(file)).map((file) => relative(process.cwd(), file));
    try {
      const { baseline } = this.#session;
      const ended = { folder, config, gates, tests, failures, neverRan, watch, merged, interrupted };
      const concluded = concludeRun({ ...ended, baseline, turns: this.#turns, asked: this.#asked });
      this.#turns = concluded.turns;
      return this.#report(forcedExit === undefined ? concluded : { ...concluded, exit: forcedExit });
    } catch (error) {
      return this.#giveUp(`the run folder cannot be read (${describeError(error, this.#session.secrets)})`);
    }
  }

  /** The figures are shown even when a full disk keeps them from being written. */
  #report(conclusion: Conclusion): Exit {
    const remarks = toRemarks(conclusion);
    try {
      writeRunFiles(conclusion, remarks);
      if (this.#github !== null)
        addToJobPage(this.#github, readFileSync(join(conclusion.folder, 'summary.md'), 'utf8'));
    } catch (error) {
      this.#vitest?.logger.log(renderReport(conclusion.summary, remarks.slice(0, -1), conclusion.comparison));
      return this.#giveUp(`the run folder cannot be completed (${describeError(error, this.#session.secrets)})`);
    }
    this.#vitest?.logger.log(renderReport(conclusion.summary, remarks, conclusion.comparison));
    return conclusion.exit;
  }

  #annotate(exit: Exit): void {
    const annotation = this.#github === null ? null : toAnnotation(exit);
    if (annotation !== null) this.#vitest?.logger.log(annotation);
  }

  #giveUp(problem: string): Exit {
    const reason = `exit 1: ${problem}. Make room or set EVAL_DIR, and run again: answers that were kept are not asked again.`;
    this.#vitest?.logger.log(`\n  ${reason}\n`);
    return { code: 1, reason };
  }

  /** For --merge-reports: gathers the rows that the shards left in their run folders; gives what is wrong with them. */
  #mergeShards(): readonly string[] {
    if (this.#vitest?.config.mergeReports === undefined || this.#session.folder === null) return [];
    const names = new Set(this.#endedTests().map(({ meta }) => meta.run));
    const shards = readShardRuns(dirname(this.#session.folder), [...names]);
    this.#session.nameAfter(listAgents(shards));
    return [...mergeRuns(shards, this.#session.folder), ...this.#doubled];
  }

  #endedTests(): readonly EndedTest[] {
    return toEndedTests([...this.#collected.values()], this.#turn);
  }

  #interruption(): string {
    return (this.#vitest?.config.bail ?? 0) > 0 ? 'bail' : 'interrupted';
  }
}
