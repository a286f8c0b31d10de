import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AskedVerdicts, askServers, NOTHING_ASKED } from '../src/audit/ask-servers.ts';
import { NO_TURNS } from '../src/compare/turns.ts';
import { type Exit, toInterrupted } from '../src/metrics/exit-code.ts';
import { listAgents, readShardRuns } from '../src/runs/find-shards.ts';
import { type MergedRuns, mergeRuns } from '../src/runs/merge-runs.ts';
import { readSampleLog } from '../src/runs/sample-log.ts';
import type { Session } from '../src/session/session.ts';
import { type Conclusion, concludeRun, type EndedRun } from './conclude-run.ts';
import { addToJobPage, type GithubJob } from './github.ts';
import { toGivenUp } from './given-up.ts';
import { describeError } from './outside-failures.ts';
import { toRemarks } from './remarks.ts';
import { loadPage, writeRunFiles } from './run-files.ts';
import type { EndedTest } from './settle.ts';
import { renderReport } from './terminal.ts';

/** How a run ended, as the reporter heard it from Vitest. */
export type RunEnd = Pick<EndedRun, 'tests' | 'failures' | 'refused' | 'neverRan' | 'watch' | 'interrupted'>;

/**
 * Everything that happens once the tests of a run have ended: `mergeShards` where there are shards, `askServers`, then
 * `conclude`, which needs what those two found. Keeps what each turn of watch mode leaves for the next one.
 */
export class RunReport {
  readonly #session: Session;
  readonly #github: GithubJob | null;
  readonly #log: (text: string) => void;
  #asked: AskedVerdicts = NOTHING_ASKED;
  #merged: MergedRuns | null = null;
  /** What the turns of watch mode so far left, for the flips of the next one. */
  #turns = NO_TURNS;

  constructor(session: Session, github: GithubJob | null, log: (text: string) => void) {
    this.#session = session;
    this.#github = github;
    this.#log = log;
  }

  /** Loads ahead what `conclude` needs. What cannot be loaded is said there. */
  prepare(): void {
    try {
      loadPage();
    } catch {}
  }

  /** For --merge-reports: gathers the rows that the shards left in their run folders. */
  mergeShards(tests: readonly EndedTest[]): void {
    const { folder } = this.#session;
    if (folder === null) return;
    const names = new Set(tests.map(({ meta }) => meta.run));
    const shards = readShardRuns(dirname(folder), [...names]);
    this.#session.nameAfter(listAgents(shards));
    this.#merged = mergeRuns(shards, this.#session.folder ?? folder);
  }

  /** For the rules of EVAL_AUDIT that ask a server. */
  async askServers(): Promise<void> {
    const { folder, config, secrets } = this.#session;
    if (folder === null) return;
    this.#asked = await askServers(config?.audit ?? [], secrets, () => readSampleLog(folder).results);
  }

  /**
   * Completes the run folder and prints the tables; gives the exit code, or null where nothing ran. `endedWith` is the
   * code of a process that a signal has ended.
   */
  conclude(end: RunEnd, endedWith?: number): Exit | null {
    const { folder, config, gates, baseline, secrets } = this.#session;
    if (folder === null || config === null) return null;
    try {
      const facts = { folder, config, gates, baseline, turns: this.#turns, asked: this.#asked };
      const concluded = concludeRun({ ...end, ...facts, merged: this.#merged });
      this.#turns = concluded.turns;
      const exit = endedWith === undefined ? concluded.exit : toInterrupted(endedWith, concluded.exit);
      return this.#publish({ ...concluded, exit });
    } catch (error) {
      return this.#giveUp(`the run folder cannot be read (${describeError(error, secrets)})`);
    }
  }

  /** The figures are shown even when a full disk keeps them from being written. */
  #publish(conclusion: Conclusion): Exit {
    const remarks = toRemarks(conclusion);
    try {
      writeRunFiles(conclusion, remarks);
      if (this.#github !== null)
        addToJobPage(this.#github, readFileSync(join(conclusion.folder, 'summary.md'), 'utf8'));
    } catch (error) {
      this.#log(renderReport(conclusion.summary, remarks.slice(0, -1), conclusion.comparison));
      return this.#giveUp(`the run folder cannot be completed (${describeError(error, this.#session.secrets)})`);
    }
    this.#log(renderReport(conclusion.summary, remarks, conclusion.comparison));
    return conclusion.exit;
  }

  #giveUp(problem: string): Exit {
    const exit = toGivenUp(problem, 'Make room or set EVAL_DIR');
    this.#log(`\n  ${exit.reason}\n`);
    return exit;
  }
}
