import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { EvalConfig } from '../config.ts';
import type { ProvidedBaseline } from '../run/provided-run.ts';
import { hasRun } from '../states.ts';
import { type Manifest, readManifest, type SuiteManifest } from '../store/manifest.ts';
import { listExpectedTrials, toNotRun } from '../store/merge.ts';
import { readSampleLog, resultKey } from '../store/sample-log.ts';
import { hideOwnWords, hidesRecords } from '../text/hide-records.ts';
import { nearest } from '../text/wording.ts';
import type { SampleResult } from '../types.ts';
import { type ComparedSide, explainRefusal, findPartner, type SideIdentity, toSides } from './compare-runs.ts';
import { gradeAgain } from './grade-again.ts';

/** A run that is compared with another one. */
export type ComparedRun = {
  /** Absolute path, and its last part. */
  readonly folder: string;
  readonly name: string;
  readonly sides: readonly ComparedSide[];
  /** Lines of samples.jsonl that a crash or a full disk tore: their trials count as not run. */
  readonly unreadable: number;
  /** Trials of which samples.jsonl has several rows, as watch mode leaves them: the last one counts. */
  readonly repeated: number;
};

/**
 * Reads a run folder: a result for each trial that its manifest selected, `not_run` where no row tells of it. Choices
 * that an older version read are read again. Throws for a folder that is no run, that another version wrote, or in
 * which nothing was answered. `hides` says that records must not be shown.
 */
export function readRun(folder: string, hides = false): ComparedRun {
  const manifest = readManifest(folder);
  if (!isWhole(manifest)) {
    throw new Error(`${folder}: facts are missing in its manifest.json. Compare with a run that was not edited.`);
  }
  const { results: written, unreadable } = readSampleLog(folder);
  const rows = hides ? written.map(hideOwnWords) : written;
  const { results, repeated } = selectRows(manifest, rows, basename(folder));
  if (!results.some(hasRun)) {
    throw new Error(`${folder} holds no result of what it was to ask. Name a run in which something was answered.`);
  }
  const sides = toSides(folder, manifest, results).map((side) => gradeAgain(folder, manifest, side));
  return { folder, name: basename(folder), sides, unreadable, repeated };
}

/** The last row of each trial counts; in watch mode rows of an earlier prompt are left in the log. */
function selectRows({ suites }: Manifest, rows: readonly SampleResult[], run: string) {
  const rowsOf = Map.groupBy(rows, toKey);
  const found = suites
    .flatMap((suite) => listExpectedTrials(suite, run))
    .map((trial) => ({ trial, own: rowsOf.get(toKey(trial)) ?? [] }));
  return {
    results: found.map(({ trial, own }) => own.at(-1) ?? toNotRun(trial, '', 'missing', 'The run has no row of it.')),
    repeated: found.filter(({ own }) => own.length > 1).length,
  };
}

function toKey(trial: Parameters<typeof resultKey>[0] & Pick<SampleResult, 'prompt_hash'>): string {
  return resultKey(trial) + trial.prompt_hash;
}

/** A folder may come from elsewhere: what would make the comparison throw is refused by name. */
function isWhole({ versions, config, suites }: Partial<Manifest>): boolean {
  return typeof (versions ?? 0) === 'object' && typeof (config ?? 0) === 'object' && suites?.every(isSuite) === true;
}

function isSuite(suite: Partial<SuiteManifest> | null): boolean {
  const lists = [suite?.ids, suite?.groups, suite?.agents];
  const { trials } = suite ?? {};
  return lists.every((list) => Array.isArray(list)) && Number.isInteger(trials) && (trials ?? 0) > 0;
}

/**
 * The absolute path of the run folder that a text names: a path, or `latest` for the newest run of EVAL_DIR that has
 * results. `name` is what the text was given for, for the error.
 */
export function findRun(text: string, dir: string, name: string): string {
  const path = text === 'latest' ? findLatest(dir) : resolve(text);
  // Links are followed, since `latest` moves on with the next run.
  if (path !== null && isFolder(path)) return realpathSync(path);
  throw new Error(
    `${name} must be the folder of an earlier run, or latest, got ${JSON.stringify(text)}. ${suggest(text, dir)}`,
  );
}

/** A dry run, or one that was refused, leaves a folder without results, which is no run to compare with. */
function findLatest(dir: string): string | null {
  const byName = listRuns(dir).sort().reverse();
  return [join(dir, 'latest'), ...byName].find(hasResults) ?? null;
}

function hasResults(folder: string): boolean {
  return (statSync(join(folder, 'samples.jsonl'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function suggest(text: string, dir: string): string {
  const known = listRuns(dir).filter(hasResults);
  return known.length === 0
    ? `No run in ${join(dir, 'runs')} has results yet.`
    : `Did you mean ${nearest(text, known)}?`;
}

function listRuns(dir: string): string[] {
  const runs = join(dir, 'runs');
  return existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run)) : [];
}

/** The run that EVAL_BASELINE names; null without one. Throws when there is no such run, or it cannot be compared with. */
export function readBaseline(
  config: Pick<EvalConfig, 'baseline' | 'dir' | 'ci' | 'showGated'> | null,
): ComparedRun | null {
  if (config === null || config.baseline === null) return null;
  return readRun(findRun(config.baseline, config.dir, 'EVAL_BASELINE'), hidesRecords(config));
}

/** Without its results, which only the main process needs. */
export function toProvidedBaseline(baseline: ComparedRun | null): ProvidedBaseline | null {
  if (baseline === null) return null;
  const { name, sides } = baseline;
  return {
    name,
    sides: sides.map(({ suite, dataset, dataset_hash, agent, refused }) => {
      return { suite, dataset, dataset_hash, agent, ...(refused === undefined ? {} : { refused }) };
    }),
  };
}

/**
 * Throws when a suite that is about to run has nothing to be compared with. A baseline that lacks the suite altogether
 * is no mistake where other suites run beside it.
 */
export function checkBaseline(
  baseline: ProvidedBaseline | null,
  sides: readonly SideIdentity[],
  { suites }: { readonly suites: number },
): void {
  if (baseline === null) return;
  const isThere = baseline.sides.some(({ suite }) => sides.some((side) => side.suite === suite));
  if (!isThere && suites > 1) return;
  const reasons = sides.map((side) => explainRefusal(side, findPartner(side, baseline.sides, sides)));
  const [first] = reasons;
  if (first === undefined || reasons.includes(null)) return;
  throw new Error(
    `EVAL_BASELINE names ${JSON.stringify(baseline.name)} (A), with which this run (B) cannot be compared: ${first} ` +
      'Name a run on the same dataset, or leave EVAL_BASELINE out.',
  );
}
