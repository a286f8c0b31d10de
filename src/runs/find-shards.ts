import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';
import { readSelection, type Selection } from './selection.ts';
import { findDifferences, listMissing, nameShard, type Shard } from './shard-problems.ts';

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
  const pairs = run.manifest.suites.flatMap((suite) => {
    const its = other.manifest.suites.find((candidate) => candidate.suite === suite.suite);
    return its === undefined ? [] : [findDifferences(its, suite)];
  });
  return pairs.length > 0 && pairs.every((differences) => differences.length === 0);
}
