import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import type { Exit } from '../src/figures/exit-code.ts';
import { RUN_FILES, toReportLink } from '../src/store/run-folder.ts';
import { RunWriter } from '../src/store/run-writer.ts';
import { resultKey } from '../src/store/trial-meta.ts';
import { STATES } from '../src/words/row.ts';
import { describeError } from './describe-error.ts';
import { drawFailures, toFailedCase } from './failure-lines.ts';
import { renderFiles } from './files.ts';
import { addToJobPage, type GithubJob, toAnnotation } from './github-job.ts';
import { toEndLines, toRemarks } from './remarks.ts';
import { renderText } from './render.ts';
import { drawLine, findTerminal, type Line } from './terminal.ts';

/** Where a finished run is shown. */
export type Outlet = Readonly<{
  /** The job whose page gets the summary; null outside GitHub Actions. */
  github: GithubJob | null;
  /** The keys that an error must not show. */
  secrets: readonly string[];
  log: (text: string) => void;
  /**
   * Where the user's code failed, by the key of the trial; absent if the failed cases are not
   * listed.
   */
  places?: ReadonlyMap<string, string>;
}>;

/**
 * Completes the folder of a run, of Vitest or of a merge, and prints its tables, even if a full disk
 * keeps them from being written.
 */
export function publishRun(outcome: RunOutcome, outlet: Outlet): Exit {
  const { github, secrets } = outlet;
  const remarks = toRemarks(outcome);
  const { folder, summary, exit } = outcome;
  const failures = outlet.places === undefined ? '' : listFailures(outcome, outlet.places);
  const renderWith = (parts: Parameters<typeof renderText>[1]) =>
    failures + renderText(summary, parts, outcome);
  try {
    writeRunFiles(outcome, remarks);
    if (github !== null)
      addToJobPage(github, readFileSync(join(folder, RUN_FILES.tables.name), 'utf8'));
  } catch (error) {
    outlet.log(renderWith([remarks]));
    const problem = `the run folder cannot be completed (${describeError(error, secrets)})`;
    return giveUp(problem, outlet);
  }
  return printEnd(exit, renderWith([remarks, toEndLines(outcome)]), outlet);
}

function listFailures(
  { folder, results, isHidden }: RunOutcome,
  places: ReadonlyMap<string, string>,
): string {
  const failed = results.filter(({ state }) => STATES[state].fails);
  const cases = failed.map((row) =>
    toFailedCase(row, {
      isHidden: isHidden(row.suite),
      place: places.get(resultKey(row)) ?? null,
    }),
  );
  return drawFailures(cases, toReportLink(folder), findTerminal());
}

/** The end of a run whose folder cannot be read or written. */
export function giveUp(problem: string, outlet: Outlet): Exit {
  const remedy = 'Make room or set EVAL_DIR, and run again: cached answers are not asked again.';
  const reason = `exit 1: ${problem}. ${remedy}`;
  return printEnd(
    { code: 1, reason, problems: [problem] },
    `\n${drawLine(reason, 'bad', findTerminal())}`,
    outlet,
  );
}

function printEnd(exit: Exit, text: string, { github, log }: Outlet): Exit {
  log(text);
  const annotation = github === null ? null : toAnnotation(exit);
  if (annotation !== null) log(annotation);
  return exit;
}

/** Writes the files of a run that has ended. `remarks` are what is printed. */
export function writeRunFiles(
  outcome: RunOutcome,
  remarks: readonly Line[] = toRemarks(outcome),
): void {
  const writer = new RunWriter(outcome.folder);
  writer.end(outcome.end);
  for (const { name, lines } of renderFiles(outcome, remarks)) writer.file(name, lines);
}
