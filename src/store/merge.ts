import { copyFileSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../text/thrown.ts';
import {
  listExpectedTrials,
  type Manifest,
  readManifest,
  readSelection,
  type Selection,
  type SuiteManifest,
  writeManifest,
} from './manifest.ts';
import { toQuestionFile } from './run-folder.ts';
import { appendResult, readSampleLog, resultKey, type TrialMeta } from './sample-log.ts';

type ShardRun = { readonly folder: string; readonly manifest: Manifest; readonly selection: Selection };

type Shard = NonNullable<SuiteManifest['shard']>;

/** The run folders of shards, as they were found. */
export type ShardRuns = {
  readonly present: readonly ShardRun[];
  /** A shard that is missing, doubled, without a report, of another split, or was asked for other tests. */
  readonly problems: readonly string[];
};

/** Finds the run folders of shards below the folder of all runs; `names` are those that reports name. */
export function readShardRuns(runs: string, names: readonly string[]): ShardRuns {
  const named: ShardRun[] = [];
  const problems: string[] = [];
  // A shard whose folder is lost is not reported as missing too.
  const lost: Shard[] = [];
  for (const name of names.toSorted()) {
    const folder = join(runs, basename(name));
    try {
      if (!existsSync(folder)) throw new Error(`it is not there: ${folder}. Copy the runs of all shards there.`);
      named.push(readShard(folder));
    } catch (error) {
      const shard = parseShard(name);
      if (shard !== null) lost.push(shard);
      const said = messageOf(error);
      problems.push(`the run folder of ${nameShard(shard)} cannot be merged: ${said}`);
    }
  }
  const unreported = findUnreported(runs, named, lost);
  const present = [...named, ...unreported].sort((a, b) => (shardOf(a)?.index ?? 0) - (shardOf(b)?.index ?? 0));
  const planned = present.filter(({ manifest }) => manifest.suites.length > 0);
  const [first, ...others] = planned;
  return {
    present,
    problems: [
      ...problems,
      // Where there are more shards than records, some have nothing to report.
      ...unreported.filter(hadSamples).map(describeUnreported),
      ...findSplitProblems([...planned.map(shardOf), ...lost]),
      ...(first === undefined ? [] : others.flatMap((other) => findNarrowingDifferences(first, other))),
    ],
  };
}

/** What the run folders of a run's shards say of it. */
export type MergedRuns = {
  readonly problems: readonly string[];
  /** Every trial of all shards; its `run` is "" if no shard that is there was to have it. */
  readonly trials: readonly { readonly meta: TrialMeta; readonly picked: boolean }[];
  /** Of each run folder that was merged, why it ended early, or null. */
  readonly stops: ReadonlyMap<string, string | null>;
  /** The eval files that no shard started. */
  readonly notStarted: readonly string[];
};

/** Puts the rows and manifests of a run's shards into one run folder, as if it had run in one piece. */
export function mergeRuns({ present, problems }: ShardRuns, target: string): MergedRuns {
  for (const { folder, manifest } of present) copyFiles(folder, manifest, target);
  const [firstRun] = present;
  const bySuite = Map.groupBy(
    present.flatMap(({ manifest }) => manifest.suites),
    ({ suite }) => suite,
  );
  const suites: SuiteManifest[] = [];
  const differences: string[] = [];
  for (const [first, ...others] of bySuite.values()) {
    if (first === undefined) continue;
    const { share: _share, ...common } = first;
    suites.push({ ...common, shard: null, plans: [first, ...others].flatMap(({ plans }) => plans) });
    differences.push(...others.flatMap((other) => findDifferences(first, other)));
  }
  writeManifest(target, {
    ...mergeSettings(readManifest(target), firstRun?.manifest),
    suites,
    merged_from: present.map(({ folder }) => basename(folder)),
  });
  const notStarted = firstRun?.selection.not_started ?? [];
  return {
    problems: [...problems, ...differences],
    trials: listTrials(suites, present),
    stops: new Map(present.map(({ folder, selection }) => [basename(folder), selection.stopped])),
    notStarted: notStarted.filter((name) => present.every(({ selection }) => selection.not_started.includes(name))),
  };
}

function copyFiles(folder: string, { suites }: Manifest, target: string): void {
  for (const row of readSampleLog(folder).results) appendResult(target, row);
  const traces = join(folder, 'traces');
  if (existsSync(traces)) cpSync(traces, join(target, 'traces'), { recursive: true });
  // Each shard keeps the questions of all of them.
  for (const { suite } of suites) {
    const questions = toQuestionFile(folder, suite);
    if (existsSync(questions)) copyFileSync(questions, toQuestionFile(target, suite));
  }
}

/** The shards' settings say what was asked; the merge's own say how it is judged and where it is put. */
function mergeSettings(own: Manifest, first: Manifest = own): Manifest {
  const kept = ['dir', 'minAccuracy', 'baseline', 'audit', 'showGated', 'ci'];
  const settings = Object.entries(own.config).filter(([key]) => kept.includes(key));
  return { ...own, config: { ...first.config, ...Object.fromEntries(settings) } };
}

/** A trial belongs to the shard whose manifest lists it as its share; an older manifest does not list shares. */
function listTrials(suites: readonly SuiteManifest[], present: readonly ShardRun[]): MergedRuns['trials'] {
  const runOf = new Map<string, string>();
  const leftOut = new Set<string>();
  for (const { folder, manifest, selection } of present) {
    for (const trial of selection.left_out) leftOut.add(resultKey(trial));
    for (const suite of manifest.suites) {
      const share = suite.share === undefined ? null : new Set(suite.share);
      const own = listExpectedTrials(suite, basename(folder)).filter(({ id }) => share?.has(id) !== false);
      for (const meta of own) runOf.set(resultKey(meta), meta.run);
    }
  }
  const all = suites.flatMap((suite) => listExpectedTrials(suite, ''));
  return all.map((meta) => ({
    meta: { ...meta, run: runOf.get(resultKey(meta)) ?? '' },
    picked: !leftOut.has(resultKey(meta)),
  }));
}

function readShard(folder: string): ShardRun {
  return { folder, manifest: readManifest(folder), selection: readSelection(folder) };
}

/** Which shard a run is; null for a whole run. */
function shardOf({ manifest }: ShardRun): Shard | null {
  return manifest.suites[0]?.shard ?? null;
}

/** Which shard a run folder is of, by its name. */
function parseShard(name: string): Shard | null {
  const [, index, count] = /-shard-(\d{1,9})-of-(\d{1,9})(?:-\d{1,9})?$/.exec(name) ?? [];
  return index === undefined ? null : { index: Number(index), count: Number(count) };
}

function nameShard(shard: Shard | null): string {
  return shard === null ? 'a whole run' : `shard ${shard.index} of ${shard.count}`;
}

/** A shard that was killed leaves no report. Finds the newest run folder of it that fits the others. */
function findUnreported(runs: string, named: readonly ShardRun[], lost: readonly Shard[]): readonly ShardRun[] {
  const known = [...named.map(shardOf), ...lost];
  const count = known.find((shard) => shard !== null)?.count ?? 0;
  const missing = indicesOf(count).filter((index) => !known.some((shard) => shard?.index === index));
  if (missing.length === 0) return [];
  const names = named.map(({ folder }) => basename(folder));
  const others = readdirSync(runs).filter((name) => parseShard(name) !== null && !names.includes(name));
  const fitting = others.toSorted().flatMap((name) => {
    try {
      const run = readShard(join(runs, name));
      return named.every((own) => fits(run, own)) ? [run] : [];
    } catch {
      return [];
    }
  });
  return missing.flatMap((index) => fitting.findLast((run) => shardOf(run)?.index === index) ?? []);
}

/** Whether two runs can be shards of one split: they asked the same suite under the same conditions. */
function fits(run: ShardRun, other: ShardRun): boolean {
  if (shardOf(run)?.count !== shardOf(other)?.count) return false;
  if (run.manifest.config['dryRun'] !== other.manifest.config['dryRun']) return false;
  if (findNarrowingDifferences(other, run).length > 0) return false;
  const pairs = run.manifest.suites.flatMap((suite) => {
    const its = other.manifest.suites.find((candidate) => candidate.suite === suite.suite);
    return its === undefined ? [] : [findDifferences(its, suite)];
  });
  return pairs.length > 0 && pairs.every((differences) => differences.length === 0);
}

function hadSamples({ manifest }: ShardRun): boolean {
  return manifest.suites.some(({ share }) => share?.length !== 0);
}

function describeUnreported(run: ShardRun): string {
  const name = nameShard(shardOf(run));
  return `${name} left no report (blob): its answers are read from ${basename(run.folder)}. Run ${name} again and merge again.`;
}

/** Whether these are all shards of one split, once each; null stands for a run that is no shard. */
export function findSplitProblems(shards: readonly (Shard | null)[]): readonly string[] {
  const [first = null] = shards;
  const stranger = shards.find((other) => other?.count !== first?.count);
  if (stranger !== undefined) {
    const both = `${nameShard(stranger)} beside ${nameShard(first)}`;
    return [`${both}: shards of different splits. Merge the shards of one split alone.`];
  }
  return indicesOf(shards.length === 0 ? 0 : (first?.count ?? 1)).flatMap((index) => {
    const name = nameShard(first === null ? null : { ...first, index });
    const times = shards.filter((shard) => (shard?.index ?? 1) === index).length;
    if (times === 0) return [`${name} is missing. Add its report and its run folder, or run it again.`];
    return times === 1 ? [] : [`${name} is there twice. Merge each shard once.`];
  });
}

function indicesOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** What the shards of a suite must have in common. */
const COMMON = ['dataset', 'dataset_hash', 'prompt_hash', 'agents', 'trials', 'ids', 'groups'] as const;

/** What each agent must have in common in all shards. */
const CONDITIONS = ['fingerprint', 'cache_key', 'deadlines', 'max_steps'] as const;

const NARROWED_BY = { name: '-t', tags: '--tags-filter', last_failed: '--last-failed' } as const;

/** In what a shard of a suite differs from the first one, each with the names of both. */
export function findDifferences(first: SuiteManifest, other: SuiteManifest): readonly string[] {
  const fields = COMMON.filter((key) => differ(first[key], other[key]));
  const differences = [...fields, ...findOtherConditions(first.conditions, other.conditions)];
  return differences.map((what) => `${first.suite}: ${describeDifference(first.shard, other.shard, what)}`);
}

function findOtherConditions(first: SuiteManifest['conditions'], other: SuiteManifest['conditions']) {
  if (first === undefined || other === undefined) return first === other ? [] : ['the version of viva'];
  return first.flatMap((own) => {
    const its = other.find(({ agent }) => agent === own.agent) ?? own;
    const different = CONDITIONS.filter((key) => differ(own[key], its[key]));
    return different.map((key) => `${key} of ${own.agent} (${show(its[key])}, not ${show(own[key])})`);
  });
}

/** In which of the options that leave tests out a shard differs from the first one: they hold for all suites of a run. */
function findNarrowingDifferences(first: ShardRun, other: ShardRun): readonly string[] {
  const [own, its] = [first.selection.narrowed_by, other.selection.narrowed_by];
  const tell = (what: string) => describeDifference(shardOf(first), shardOf(other), what);
  if (own === undefined || its === undefined) return own === its ? [] : [tell('the version of viva')];
  const different = (['name', 'tags', 'last_failed'] as const).filter((key) => differ(own[key], its[key]));
  return different.map((key) => tell(`${NARROWED_BY[key]} (${show(its[key])}, not ${show(own[key])})`));
}

function describeDifference(first: Shard | null, other: Shard | null, what: string): string {
  const differs = `${nameShard(other)} differs from ${nameShard(first)} in ${what}.`;
  return `${differs} Run all shards with the same settings and files.`;
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

function show(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value);
}
