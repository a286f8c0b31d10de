import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteComparison } from '../src/compare/compare-runs.ts';
import { readRegular } from '../src/data/files/read-file.ts';
import { gateSettingsOf } from '../src/store/manifest.ts';
import { hidesDataset } from '../src/words/audience.ts';
import { isFields } from '../src/words/fields.ts';
import type { Summary } from '../src/words/figures.ts';
import { escapeJson, tryOrUndefined } from '../src/words/show.ts';
import type { RunOutcome } from './evaluate-run.ts';

/** What summary.json has beside the figures. */
export type SummaryFile = Summary &
  Pick<RunOutcome, 'gates'> &
  Readonly<{
    comparison?: NonNullable<RunOutcome['comparison']>;
    /** Its agents and prompts compared with each other; absent where each suite has one of both. */
    variant_comparisons?: RunOutcome['pairs'];
    exit?: RunOutcome['exit'];
    trials?: RunOutcome['trials'];
    audit?: RunOutcome['audit']['suites'];
    /** The SHA-256 of the files that the figures are made of. */
    sources?: Readonly<Record<string, string>>;
  }>;

const FILE = 'summary.json';

export function renderSummary(outcome: RunOutcome, sources: SummaryFile['sources']): string {
  const { summary, gates, exit, trials, comparison, pairs, audit } = outcome;
  const file = {
    ...summary,
    gates,
    exit,
    trials,
    ...(comparison === null ? {} : { comparison }),
    ...(pairs.length === 0 ? {} : { variant_comparisons: pairs }),
    ...(audit.suites.length === 0 ? {} : { audit: audit.suites }),
    sources,
  };
  return `${escapeJson(file, 2)}\n`;
}

/**
 * A run as it is shown in CI: without the answers to changed questions, and with no text that may quote
 * a record. summary.json and summary.md may be published, and the records of most datasets may not.
 */
export function hideForPublic(run: RunOutcome): RunOutcome {
  const manifest = { ...run.manifest, config: { ...run.manifest.config, ci: true } };
  const privacy = gateSettingsOf(manifest);
  const leaveOut = ({ changed_answers, ...rest }: SuiteComparison): SuiteComparison =>
    changed_answers === undefined || hidesDataset(rest, privacy)
      ? rest
      : { ...rest, changed_answers };
  const { comparison, pairs, flips } = run;
  return {
    ...run,
    manifest,
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
  const file = join(folder, FILE);
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
    Array.isArray(value['gates'])
  );
}
