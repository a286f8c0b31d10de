import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegular } from '../records/files.ts';
import { writeJson } from './line-file.ts';
import { type AgentConditions, type Manifest, readManifest, type SuiteManifest } from './manifest.ts';
import type { TrialIdentity } from './sample-log.ts';

export type ShardRun = { readonly folder: string; readonly manifest: Manifest; readonly selection: Selection };

/** The run folders of shards, as they were found. */
export type ShardRuns = {
  readonly present: readonly ShardRun[];
  /** Names of run folders that are not there, or cannot be read, and why. */
  readonly absent: readonly { readonly name: string; readonly problem: string }[];
  /** Those of `present` that no report names. */
  readonly unreported: readonly ShardRun[];
};

/** Finds the run folders of shards below the folder of all runs; `names` are those that reports name. */
export function readShardRuns(runs: string, names: readonly string[]): ShardRuns {
  const named: ShardRun[] = [];
  const absent: ShardRuns['absent'][number][] = [];
  for (const name of names.toSorted()) {
    const folder = join(runs, basename(name));
    try {
      if (!existsSync(folder)) throw new Error(`it is not there: ${folder}. Copy the runs of all shards there.`);
      named.push(readShard(folder));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      absent.push({ name, problem: `the run folder of ${nameFolder(name)} cannot be merged: ${problem}` });
    }
  }
  const lost = absent.flatMap(({ name }) => parseShard(name) ?? []);
  const unreported = findUnreported(runs, named, lost);
  // Names tell little of the order: shards of one second are sorted by their agents.
  const present = [...named, ...unreported].sort((a, b) => (shardOf(a)?.index ?? 0) - (shardOf(b)?.index ?? 0));
  return { present, absent, unreported };
}

/** The agents of shards, each once, as their manifests name them. */
export function listAgents({ present }: ShardRuns): readonly string[] {
  return [...new Set(present.flatMap(({ manifest }) => manifest.suites.flatMap(({ agents }) => agents)))];
}

/** Which shard a run is; null for a whole run. */
export function shardOf({ manifest }: ShardRun): Shard | null {
  return manifest.suites[0]?.shard ?? null;
}

/** Which shard a run folder is of, by its name. */
export function parseShard(name: string): Shard | null {
  const [, index, count] = /-shard-(\d{1,9})-of-(\d{1,9})(?:-\d{1,9})?$/.exec(name) ?? [];
  return index === undefined ? null : { index: Number(index), count: Number(count) };
}

function readShard(folder: string): ShardRun {
  return { folder, manifest: readManifest(folder), selection: readSelection(folder) };
}

function nameFolder(name: string): string {
  const shard = parseShard(name);
  return shard === null ? 'a run' : nameShard(shard);
}

/**
 * A shard that was killed leaves no report: the newest run folder of it that fits the others. What an earlier merge took
 * is part of another run, unless that merge took one of these shards as well.
 */
function findUnreported(runs: string, named: readonly ShardRun[], lost: readonly Shard[]): readonly ShardRun[] {
  const split = named.map(shardOf).find((shard) => shard !== null);
  const missing = split == null ? [] : listMissing([...named.map(shardOf), ...lost], split.count);
  if (missing.length === 0) return [];
  const names = named.map(({ folder }) => basename(folder));
  const others = readOthers(runs, names);
  const merges = others.map(({ manifest }) => manifest.merged_from ?? []);
  const taken = new Set(merges.filter((from) => !from.some((name) => names.includes(name))).flat());
  const fitting = others.filter((run) => !taken.has(basename(run.folder)) && named.every((own) => fits(run, own)));
  return missing.flatMap((index) => fitting.findLast((run) => shardOf(run)?.index === index) ?? []);
}

/** All other runs that can be read, the oldest first. */
function readOthers(runs: string, names: readonly string[]): readonly ShardRun[] {
  const others = readdirSync(runs).filter((name) => !names.includes(name));
  return others.toSorted().flatMap((name) => {
    try {
      return [readShard(join(runs, name))];
    } catch {
      return [];
    }
  });
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

/**
 * selection.json: what the main process of a run knows, for --merge-reports. It is a file beside the manifest because
 * the worker writes that at the same time.
 */
export type Selection = {
  readonly version: 1;
  /** The eval files of which no test was collected yet. */
  readonly not_started: readonly string[];
  /** The trials that a name, a tag or --last-failed left out. */
  readonly left_out: readonly TrialIdentity[];
  /** Why the run ended early, such as "bail"; null where it ended by itself or was killed. */
  readonly stopped: string | null;
  /** Which tests were asked for; absent in the file of an older version. */
  readonly narrowed_by?: Narrowing;
};

/** The options that leave tests out. */
type Narrowing = {
  readonly name: string | null;
  readonly tags: readonly string[] | null;
  readonly last_failed: boolean;
};

const FILE = 'selection.json';

export function writeSelection(runFolder: string, selection: Omit<Selection, 'version'>): void {
  writeJson(join(runFolder, FILE), { version: 1, ...selection });
}

/** What a run folder says; of one without the file, by an older version, that everything was selected and ran. */
export function readSelection(runFolder: string): Selection {
  const file = join(runFolder, FILE);
  if (!existsSync(file)) return { version: 1, not_started: [], left_out: [], stopped: null };
  const selection: unknown = JSON.parse(readRegular(file).toString('utf8'));
  if (isSelection(selection)) return selection;
  throw new Error(`${file} is none of version 1. Merge with the version of viva that wrote it.`);
}

function isSelection(value: unknown): value is Selection {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'left_out' in value &&
    Array.isArray(value.left_out) &&
    'not_started' in value &&
    Array.isArray(value.not_started)
  );
}

export type Shard = NonNullable<SuiteManifest['shard']>;

/** What the shards of a suite must have in common. */
const COMMON = ['dataset', 'dataset_hash', 'prompt_hash', 'agents', 'trials', 'ids', 'groups'] as const;

/** What each agent must have in common in all shards, and what it is called. */
const CONDITIONS = [
  ['fingerprint', 'the fingerprint (code, model, parameters, tools)'],
  ['recording', 'the predictions'],
  ['cache_key', 'EVAL_CACHE_KEY'],
  ['deadlines', 'the deadlines in seconds'],
  ['max_steps', 'the step limit'],
] as const satisfies readonly (readonly [keyof AgentConditions, string])[];

/** Whether these are all shards of one split, once each; null stands for a run that is no shard. */
export function findSplitProblems(shards: readonly (Shard | null)[]): readonly string[] {
  const [first, ...others] = shards;
  if (first === undefined) return [];
  const stranger = others.find((other) => other?.count !== first?.count);
  if (stranger !== undefined) {
    const both = `${nameShard(stranger)} beside ${nameShard(first)}`;
    return [`${both}: shards of different splits. Merge the shards of one split alone.`];
  }
  const indices = shards.map((shard) => shard?.index ?? 1);
  const doubled = [...new Set(indices.filter((index, place) => indices.indexOf(index) !== place))].sort(
    (a, b) => a - b,
  );
  const missing = listMissing(shards, first?.count ?? 1);
  const name = (index: number) => nameShard(first === null ? null : { ...first, index });
  return [
    ...doubled.map((index) => `${name(index)} is there twice. Merge each shard once.`),
    ...describeMissing(missing, first?.count ?? 1),
  ];
}

function describeMissing(indices: readonly number[], count: number): readonly string[] {
  const [last, ...others] = indices.toReversed();
  if (last === undefined) return [];
  if (others.length === 0)
    return [`shard ${last} of ${count} is missing. Add its report and its run folder, or run it again.`];
  const named = `shards ${others.toReversed().join(', ')} and ${last} of ${count}`;
  return [`${named} are missing. Add their reports and their run folders, or run them again.`];
}

/** The shards of a split that are not there, by index; null stands for a whole run. */
function listMissing(shards: readonly (Shard | null)[], count: number): readonly number[] {
  const indices = new Set(shards.map((shard) => shard?.index ?? 1));
  return Array.from({ length: count }, (_, index) => index + 1).filter((index) => !indices.has(index));
}

/** In what a shard of a suite differs from the first one, each with the names of both. */
export function findDifferences(first: SuiteManifest, other: SuiteManifest): readonly string[] {
  const fields = COMMON.filter((key) => differ(first[key], other[key]));
  const differences = [...fields, ...differentConditions(first, other)];
  return differences.map((what) => `${first.suite}: ${describeDifference(first.shard, other.shard, what)}`);
}

const NARROWED_BY = [
  ['name', '-t'],
  ['tags', '--tags-filter'],
  ['last_failed', '--last-failed'],
] as const satisfies readonly (readonly [keyof Narrowing, string])[];

/** In which of the options that leave tests out a shard differs from the first one: they hold for all suites of a run. */
export function findNarrowingDifferences(first: ShardRun, other: ShardRun): readonly string[] {
  const [own, its] = [first.selection.narrowed_by, other.selection.narrowed_by];
  const tell = (what: string) => describeDifference(shardOf(first), shardOf(other), what);
  if (own === undefined || its === undefined) return own === its ? [] : [tell('the version of viva')];
  const different = NARROWED_BY.filter(([key]) => differ(own[key], its[key]));
  return different.map(([key, option]) => tell(`${option} (${show(its[key])}, not ${show(own[key])})`));
}

function describeDifference(first: Shard | null, other: Shard | null, what: string): string {
  const differs = `${nameShard(other)} differs from ${nameShard(first)} in ${what}.`;
  return `${differs} Run all shards with the same settings and files.`;
}

function differentConditions(first: SuiteManifest, other: SuiteManifest): readonly string[] {
  if (first.conditions === undefined && other.conditions === undefined) return [];
  if (first.conditions === undefined || other.conditions === undefined) return ['the version of viva'];
  const otherOf = new Map(other.conditions.map((each) => [each.agent, each]));
  return first.conditions.flatMap((own) => {
    const its = otherOf.get(own.agent);
    if (its === undefined) return [];
    const different = CONDITIONS.filter(([key]) => differ(own[key], its[key]));
    return different.map(([key, what]) => `${what} of ${own.agent} (${show(its[key])}, not ${show(own[key])})`);
  });
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

function show(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value);
}

export function nameShard(shard: Shard | null): string {
  return shard === null ? 'a whole run' : `shard ${shard.index} of ${shard.count}`;
}
