import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../src/data/files/read-file.ts';
import type { SuiteComparison } from '../src/figures/compare-runs.ts';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { decideExit } from '../src/figures/exit-code.ts';
import { RUN_FILES } from '../src/store/run-folder.ts';
import { hiddenFrom, hideMessages } from '../src/words/audience.ts';
import { field, isFields } from '../src/words/fields.ts';
import type { Summary } from '../src/words/figures.ts';
import { escapeJson, tryOrUndefined } from '../src/words/show.ts';

/** What summary.json has beside the figures. */
export type SummaryFile = Summary &
  Pick<RunOutcome, 'gates'> &
  Readonly<{
    comparison?: NonNullable<RunOutcome['comparison']>;
    /** Its agents and prompts compared with each other; absent where each suite has one of both. */
    variant_comparisons?: RunOutcome['pairs'];
    /** The figures of repeated trials; absent where no question has several. */
    trials?: RunOutcome['trials'];
  }>;

export function renderSummary(outcome: RunOutcome): string {
  const { summary, gates, comparison, pairs, trials } = outcome;
  const file = {
    ...summary,
    gates,
    ...(comparison === null ? {} : { comparison }),
    ...(pairs.length === 0 ? {} : { variant_comparisons: pairs }),
    ...(trials.length === 0 ? {} : { trials }),
  };
  return `${escapeJson(file, 2)}\n`;
}

/**
 * A run as it is shown in CI: without the answers to changed questions, and with no text that may quote
 * a record. summary.json and summary.md may be published, and the records of most datasets may not.
 */
export function hideForPublic(run: RunOutcome): RunOutcome {
  const isHidden = hiddenFrom({ ...run.audience, ci: true }, run.manifest.suites);
  const leaveOut = (whole: SuiteComparison): SuiteComparison => {
    if (!isHidden(whole.suite)) return whole;
    const { changed_answers: _, preference, ...rest } = whole;
    // What a judge said instead of a verdict may quote an answer.
    return preference === undefined
      ? rest
      : { ...rest, preference: { ...preference, why: undefined } };
  };
  const { comparison, pairs, flips, end, manifest } = run;
  const others = run.runErrors.slice(end.errors.length);
  const runErrors = [...hideMessages(end.errors, manifest, isHidden), ...others];
  return {
    ...run,
    isHidden,
    runErrors,
    exit: decideExit({ ...run, runErrors }),
    comparison:
      comparison === null ? null : { ...comparison, suites: comparison.suites.map(leaveOut) },
    pairs: pairs.map(leaveOut),
    flips: flips.map(leaveOut),
  };
}

/**
 * The summary.json of a run; null for a run that was killed before it was written. Throws if it
 * cannot be read.
 */
export function readSummary(folder: string): SummaryFile | null {
  const file = join(folder, RUN_FILES.summary.name);
  if (!existsSync(file)) return null;
  const value = tryOrUndefined((): unknown => JSON.parse(readRegular(file).toString('utf8')));
  if (isSummary(value)) return value;
  throw new Error(
    `${file} is not a summary of version 1. Remove it, and the figures are computed from the rows.`,
  );
}

function isSummary(value: unknown): value is SummaryFile {
  return (
    isFields(value) &&
    value['version'] === 1 &&
    Array.isArray(value['suites']) &&
    Array.isArray(value['gates']) &&
    (value['comparison'] === undefined || isComparison(value['comparison']))
  );
}

/** Whether it has what tells which runs and which suites were compared. */
function isComparison(value: unknown): boolean {
  return (
    isFields(value) &&
    typeof value['a'] === 'string' &&
    Array.isArray(value['suites']) &&
    value['suites'].every((suite) => isFields(field(suite, 'b')))
  );
}
