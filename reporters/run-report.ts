import { auditEarly, type CaseAudit } from '../src/compare/audit.ts';
import { findCalibrations } from '../src/compare/calibrations.ts';
import type { ComparedRun } from '../src/compare/compare-runs.ts';
import { findReference } from '../src/compare/watch-runs.ts';
import type { EvalConfig } from '../src/settings.ts';
import { type SampleLog, SampleLogReader } from '../src/store/sample-log.ts';
import {
  readRun,
  readRunFiles,
  type StoredRun,
  toKeyedTrials,
  toRun,
} from '../src/store/stored-run.ts';
import type { Gate } from '../src/words/figures.ts';
import { hasRun, type SampleResult } from '../src/words/row.ts';
import { tryOrUndefined } from '../src/words/show.ts';
import { describeEnd, type RunEnd } from './describe-end.ts';
import { evaluate } from './evaluate-run.ts';
import type { Exit } from './exit-code.ts';
import { describeError } from './failures.ts';
import type { GithubJob } from './github-job.ts';
import type { PlannedSuite } from './plan-remarks.ts';
import { giveUp, publishRun } from './publish-run.ts';
import { loadPage } from './run-files.ts';
import { toPlanLines } from './run-remarks.ts';

/** What a reporter knows about its Vitest process. The plugin's `Session` is one. */
export type ReportedSession = Readonly<{
  /** Absolute path of the run folder; null if nothing may run. */
  folder: string | null;
  /** Null if the settings cannot be read. */
  config: EvalConfig | null;
  gates: readonly Gate[];
  baseline: ComparedRun | null;
  secrets: readonly string[];
  /** Why evals of this run are skipped although the settings are right; null if all may run. */
  skipped: string | null;
  /** Points `latest` at the run folder. */
  makeLatest(): void;
  /** Removes a run folder in which nothing was planned; says whether it did. */
  discardEmpty(): boolean;
}>;

/**
 * Everything that happens after the tests of a run. One for all watch runs, each of which is compared
 * with an earlier one.
 */
export class RunReport {
  readonly #session: ReportedSession;
  readonly #github: GithubJob | null;
  readonly #log: (text: string) => void;
  /** The folders of the watch runs so far that have answers. */
  readonly #watchRuns: string[] = [];
  #follower: RowFollower | null = null;

  constructor(session: ReportedSession, github: GithubJob | null, log: (text: string) => void) {
    this.#session = session;
    this.#github = github;
    this.#log = log;
  }

  /** Loads early what `finish` needs. If that fails, `finish` reports it. */
  prepare(): void {
    try {
      loadPage();
    } catch {}
  }

  /** What a suite is about to ask, and its cost. */
  listPlan(suite: PlannedSuite): readonly string[] {
    return toPlanLines(suite);
  }

  /** Reads and audits rows from now on, for `finish`. If that fails, `finish` reads them all. */
  follow(): void {
    const { folder } = this.#session;
    if (folder === null) return;
    this.#follower ??= tryOrUndefined(() => new RowFollower(folder)) ?? null;
  }

  /**
   * Completes the run folder and prints the tables. Returns the exit code, or null if nothing ran.
   */
  finish(end: RunEnd, listsFailures = false): Exit | null {
    const { folder, config, gates, baseline, secrets } = this.#session;
    if (folder === null || config === null) return null;
    const audience = { github: this.#github, secrets, log: this.#log, listsFailures };
    try {
      const followed = this.#follower?.end() ?? null;
      const files = readRunFiles(folder, undefined, followed?.log);
      const calibrationOf = findCalibrations(config.dir, files.manifest);
      const trials = toKeyedTrials(files);
      const stored = describeEnd(end, files, { gates, calibrationOf }, trials);
      const run = this.#compareWithEarlier(toRun(files, stored, trials));
      const outcome = evaluate(run, { calibrationOf, baseline, cases: followed?.cases });
      return publishRun(outcome, audience);
    } catch (error) {
      return giveUp(`the run folder cannot be read (${describeError(error, secrets)})`, audience);
    }
  }

  /** In watch mode, names the earlier watch run to compare this one with. */
  #compareWithEarlier(run: StoredRun): StoredRun {
    if (run.end.watch === null) return run;
    const earlier = this.#watchRuns.flatMap(
      (folder) => tryOrUndefined(() => readRun(folder)) ?? [],
    );
    if (run.results.some(hasRun)) this.#watchRuns.push(run.folder);
    const before = findReference(run, earlier)?.manifest.run ?? null;
    return { ...run, end: { ...run.end, before } };
  }
}

/** How often new rows are read, in ms. */
const READ_EVERY_MS = 50;

/** Later rows are left to the end, when the worker has given its memory back. */
const MOST_BYTES = 32_000_000;

/** All rows of a run, and the verdicts of the audit on those that were read early. */
type FollowedRows = Readonly<{
  log: SampleLog;
  cases: ReadonlyMap<SampleResult, CaseAudit>;
}>;

/**
 * Reads and audits the rows of a run while its worker writes them: the main process is idle until
 * all tests have ended.
 */
export class RowFollower {
  readonly #reader: SampleLogReader;
  readonly #cases = new Map<SampleResult, CaseAudit>();
  readonly #mostBytes: number;
  readonly #timer: NodeJS.Timeout;
  #isBroken = false;

  /** Throws if the run folder has no samples.jsonl. */
  constructor(runFolder: string, mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
    this.#reader = new SampleLogReader(runFolder);
    this.#timer = setInterval(() => this.read(), READ_EVERY_MS).unref();
  }

  /** Reads the rows since the last call. */
  read(): void {
    if (this.#reader.bytes > this.#mostBytes) return;
    try {
      for (const row of this.#reader.readMore()) {
        const verdict = auditEarly(row);
        if (verdict !== null) this.#cases.set(row, verdict);
      }
    } catch {
      clearInterval(this.#timer);
      this.#isBroken = true;
    }
  }

  /**
   * Reads what is left, and ends. Null if a row could not be read: the whole file must be read,
   * which says why.
   */
  end(): FollowedRows | null {
    clearInterval(this.#timer);
    return this.#isBroken ? null : { log: this.#reader.readAll(), cases: this.#cases };
  }
}
