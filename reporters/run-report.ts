import type { ComparedRun } from '../src/figures/compare-runs.ts';
import { evaluate } from '../src/figures/evaluate-run.ts';
import type { Exit } from '../src/figures/exit-code.ts';
import { findCalibrations } from '../src/figures/stored-calibrations.ts';
import { findReference } from '../src/figures/watch-runs.ts';
import type { GroupLists } from '../src/processes/groups.ts';
import type { EvalConfig } from '../src/settings.ts';
import {
  readRun,
  readRunFiles,
  type StoredRun,
  toKeyedTrials,
  toRun,
} from '../src/store/run-reader.ts';
import { resultKey } from '../src/store/trial-meta.ts';
import type { GateScope } from '../src/words/figures.ts';
import { hasRun } from '../src/words/row.ts';
import { tryOrUndefined } from '../src/words/show.ts';
import { describeEnd, type RunEnd } from './describe-end.ts';
import { describeError } from './describe-error.ts';
import type { GithubJob } from './github-job.ts';
import type { PlannedSuite } from './plan-remarks.ts';
import { giveUp, publishRun } from './publish-run.ts';
import { toPlanLines } from './remarks.ts';

/** What a reporter knows about its Vitest process. The plugin's `Session` is one. */
export type ReportedSession = Readonly<{
  /** Absolute path of the run folder; null if nothing may run. */
  folder: string | null;
  /** The process groups of the workers; null if nothing may run. */
  groups: Pick<GroupLists, 'killOf'> | null;
  /** Null if the settings cannot be read. */
  config: EvalConfig | null;
  gates: readonly GateScope[];
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

  constructor(session: ReportedSession, github: GithubJob | null, log: (text: string) => void) {
    this.#session = session;
    this.#github = github;
    this.#log = log;
  }

  /** What a suite is about to ask, and its cost. Here, since this module is loaded late. */
  listPlan(suite: PlannedSuite): readonly string[] {
    return toPlanLines(suite);
  }

  /**
   * Completes the run folder and prints the tables. Returns the exit code, or null if nothing ran.
   */
  finish(end: RunEnd, listsFailures = false): Exit | null {
    const { folder, config, gates, baseline, secrets } = this.#session;
    if (folder === null || config === null) return null;
    const shown = { github: this.#github, secrets, log: this.#log };
    const outlet = listsFailures ? { ...shown, places: listPlaces(end) } : shown;
    try {
      const files = readRunFiles(folder);
      const calibrationOf = findCalibrations(config.dir, files.manifest);
      const trials = toKeyedTrials(files);
      const stored = describeEnd(end, files, { gates, calibrationOf }, trials);
      const run = this.#compareWithEarlier(toRun({ ...files, end: stored }, trials));
      const outcome = evaluate(run, { calibrationOf, baseline });
      return publishRun(outcome, outlet);
    } catch (error) {
      return giveUp(`the run folder cannot be read (${describeError(error, secrets)})`, outlet);
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

/** Where the user's code failed, by the key of the trial. */
function listPlaces({ tests }: RunEnd): ReadonlyMap<string, string> {
  return new Map(
    tests.flatMap(({ meta, place }) => (place === null ? [] : [[resultKey(meta), place]])),
  );
}
