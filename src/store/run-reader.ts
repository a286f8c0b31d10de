import { type Audience, hiddenFrom, hideAgentWording, hideMessages } from '../words/audience.ts';
import { type SampleResult, spentOn } from '../words/row.ts';
import { nameVariant } from '../words/variant.ts';
import {
  listOwnQuestions,
  listVariants,
  type Manifest,
  readManifest,
  type SuiteManifest,
} from './manifest.ts';
import { readEnd, type StoredEnd } from './run-end.ts';
import { type LoggedQuestion, readQuestions } from './run-folder.ts';
import { readSampleLog, toNotRun } from './sample-log.ts';
import { resultKey, type TrialIdentity, type TrialMeta } from './trial-meta.ts';

/** The files that a run is made of: manifest.json, samples.jsonl and end.json. */
export type RunFiles = Readonly<{
  /** Absolute path. */
  folder: string;
  manifest: Manifest;
  end: StoredEnd;
  /** The rows as they were written, but for replaced ones; those of hidden suites without the agents' own words. */
  rows: readonly SampleResult[];
  audience: Audience;
  /** Whether this audience must not see the texts of a suite. */
  isHidden(suite: string): boolean;
  /** How many lines of samples.jsonl a crash or a full disk cut off. */
  unreadable: number;
}>;

/** A run as its folder has it. All figures are made of this. */
export type StoredRun = RunFiles &
  Readonly<{
    /**
     * One for each planned trial, in the order of the plan: its row, or `not_run` with the reason.
     * What a name, a tag or --last-failed left out is not there.
     */
    results: readonly SampleResult[];
    /** How many trials were left out so. */
    leftOut: number;
    /** Trials that were generated, or answered, more than once. The last row counts. */
    duplicates: readonly string[];
  }>;

/**
 * Reads a run folder for an audience, by default that of the run itself. Throws if the folder is not
 * a run, or if a file is damaged or of another version.
 */
export function readRun(folder: string, audience?: Audience): StoredRun {
  const files = readRunFiles(folder, audience);
  return toRun(files, toKeyedTrials(files));
}

/** As `readRun`, before the rows are paired with the plan. */
export function readRunFiles(folder: string, reader?: Audience): RunFiles {
  const manifest = readManifest(folder);
  const audience = reader ?? manifest.config;
  const isHidden = hiddenFrom(audience, manifest.suites);
  const { results, unreadable } = readSampleLog(folder);
  // Whatever is made of a run is made of this, so texts are hidden here.
  const rows = withoutReplaced(results).map((row) =>
    isHidden(row.suite) ? hideAgentWording(row) : row,
  );
  const end = readEnd(folder);
  const errors = hideMessages(end.errors, manifest, isHidden);
  const whys = hideMessages(
    end.refused.map(({ file, why }) => `${file}: ${why}`),
    manifest,
    isHidden,
  );
  const refused = end.refused.map(({ file }, index) => ({
    file,
    why: whys[index]?.slice(`${file}: `.length) ?? '',
  }));
  return {
    ...{ folder, manifest, rows, audience, isHidden, unreadable },
    end: { ...end, errors, refused },
  };
}

/**
 * Leaves out the verdict of a score whose row says later that it failed: what the score left behind
 * came after it.
 */
function withoutReplaced(rows: readonly SampleResult[]): readonly SampleResult[] {
  const isOfScore = ({ state, reason }: SampleResult) => state === 'not_run' && reason === 'score';
  const last = new Map(
    rows.flatMap((row, index) => (isOfScore(row) ? [[resultKey(row), index]] : [])),
  );
  if (last.size === 0) return rows;
  return rows.filter((row, index) => index >= (last.get(resultKey(row)) ?? 0));
}

/** The questions of a suite of a run, by id; empty if they are hidden or their file is missing. */
export function readShownQuestions(
  { folder, isHidden }: Pick<RunFiles, 'folder' | 'isHidden'>,
  suite: string,
): ReadonlyMap<string, LoggedQuestion> {
  return isHidden(suite) ? new Map() : readQuestions(folder, suite);
}

/**
 * Every trial that a run or a shard has planned: suite by suite in the order of the eval files,
 * agent by agent for each sample.
 */
export function listPlannedTrials({ run, suites, config }: Manifest): readonly TrialMeta[] {
  // A dry run asks nothing.
  if (config['dryRun'] === true) return [];
  return suites
    .toSorted((a, b) => a.eval_file.localeCompare(b.eval_file))
    .flatMap((entry) => listTrialsOf(entry, run));
}

function listTrialsOf(entry: SuiteManifest, run: string): readonly TrialMeta[] {
  const { suite, dataset, trials } = entry;
  const variants = listVariants(entry);
  const numbers = Array.from({ length: trials }, (_, index) => index + 1);
  return listOwnQuestions(entry).flatMap(({ id, group, groups, cluster, hash }) =>
    variants.flatMap((variant) =>
      numbers.map((trial) => ({
        suite,
        dataset,
        ...variant,
        id,
        trial,
        group,
        groups,
        cluster,
        question_hash: hash,
        run,
      })),
    ),
  );
}

/** The planned trials of a run and its rows, by their keys. Of repeated rows the last one counts. */
export type KeyedTrials = Readonly<{
  planned: ReadonlyMap<string, TrialMeta>;
  rowOf: ReadonlyMap<string, SampleResult>;
}>;

export function toKeyedTrials({ manifest, rows }: RunFiles): KeyedTrials {
  return {
    planned: new Map(listPlannedTrials(manifest).map((trial) => [resultKey(trial), trial])),
    rowOf: new Map(rows.map((row) => [resultKey(row), row])),
  };
}

export function toRun(files: RunFiles, { planned, rowOf }: KeyedTrials): StoredRun {
  const { manifest, rows, end } = files;
  const reasonOf = new Map(end.absent.map((trial) => [resultKey(trial), trial.reason]));
  const hidden = new Map(
    manifest.suites.map(({ suite, questions }) => [
      suite,
      new Set(questions.flatMap(({ id, hidden }) => (hidden === true ? id : []))),
    ]),
  );
  const results = [...planned].flatMap(([key, trial]): readonly SampleResult[] => {
    const row = rowOf.get(key);
    if (row !== undefined) return [row];
    const reason = reasonOf.get(key);
    if (reason === null) return [];
    // A sample without a target must not count as wrong.
    const target = hidden.get(trial.suite)?.has(trial.id) === true ? null : '';
    return [toNotRun(trial, target, reason ?? 'crash', explainAbsent(reason))];
  });
  return {
    ...files,
    results,
    leftOut: planned.size - results.length,
    duplicates: [
      ...end.duplicates,
      ...(rowOf.size < rows.length ? listRepeated(rows).map(nameTrial) : []),
    ],
  };
}

/** Why a trial of a merged run has no row: no shard was given that has planned it. */
export const NO_SHARD = 'no_shard';

/** What a run's own questions have cost in USD. */
export function computeSpent({ rows }: RunFiles): number {
  return rows.reduce((sum, row) => sum + (spentOn(row) ?? 0), 0);
}

function explainAbsent(reason: string | undefined): string {
  return reason === NO_SHARD
    ? 'The shard with this sample is missing from the merge, or it stopped before this suite.'
    : 'This sample was selected, but no result was written for it.';
}

/** All but the first of the trials that are there several times. */
export function listRepeated<T extends TrialIdentity>(trials: readonly T[]): readonly T[] {
  return [...Map.groupBy(trials, resultKey).values()].flatMap(([, ...again]) => again);
}

export function nameTrial({ suite, id, trial, ...variant }: TrialIdentity): string {
  return `${suite} ${id} (${nameVariant(variant)}, trial ${trial})`;
}
