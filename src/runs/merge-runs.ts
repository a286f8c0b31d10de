import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';
import { readRegular } from '../files/regular-file.ts';
import { type Manifest, readManifest, type SuiteManifest, writeManifest } from './manifest.ts';
import { toQuestionFile } from './question-log.ts';
import { appendResult, readSampleLog } from './sample-log.ts';
import { findDifferences, findSplitProblems, nameShard, type Shard } from './shard-problems.ts';

/** The run folders of shards, as they were found. */
export type ShardRuns = {
  readonly present: readonly { readonly folder: string; readonly manifest: Manifest }[];
  /** Names of run folders that are not there, or cannot be read, and why. */
  readonly absent: readonly { readonly name: string; readonly problem: string }[];
};

/** Finds the run folders of shards by name below the folder of all runs. */
export function readShardRuns(runs: string, names: readonly string[]): ShardRuns {
  const present: ShardRuns['present'][number][] = [];
  const absent: ShardRuns['absent'][number][] = [];
  for (const name of names.toSorted()) {
    const folder = join(runs, basename(name));
    try {
      if (!existsSync(folder)) throw new Error(`it is not there: ${folder}. Copy the runs of all shards there.`);
      present.push({ folder, manifest: readManifest(folder) });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      absent.push({ name, problem: `the run folder of ${nameFolder(name)} cannot be merged: ${problem}` });
    }
  }
  // Names tell little of the order: shards of one second are sorted by their agents.
  present.sort((a, b) => shardOf(a) - shardOf(b));
  return { present, absent };
}

function shardOf({ manifest }: ShardRuns['present'][number]): number {
  return manifest.suites[0]?.shard?.index ?? 0;
}

/** The agents of shards, each once, as their manifests name them. */
export function listAgents({ present }: ShardRuns): readonly string[] {
  return [...new Set(present.flatMap(({ manifest }) => manifest.suites.flatMap(({ agents }) => agents)))];
}

/**
 * Puts the rows and manifests of a run's shards into one run folder, as if it had run in one piece. Returns what is
 * wrong with them: a shard that is missing, doubled, of another split, or of another dataset, prompt, agent, limit or
 * selection.
 */
export function mergeRuns({ present, absent }: ShardRuns, target: string): readonly string[] {
  for (const { folder } of present) copyRows(folder, target);
  for (const { folder, manifest } of present) copyQuestions(folder, manifest, target);
  const manifests = present.map(({ manifest }) => manifest);
  const suites = mergeSuites(manifests);
  writeManifest(target, {
    ...mergeSettings(readManifest(target), manifests[0]),
    suites: suites.map(({ suite }) => suite),
    merged_from: present.map(({ folder }) => basename(folder)),
  });
  // A shard whose folder is lost is not missing as well: one error is enough.
  const lost = absent.flatMap(({ name }) => parseShard(name) ?? []);
  const shards = manifests.flatMap(({ suites: [first] }) => (first === undefined ? [] : [first.shard]));
  return [
    ...absent.map(({ problem }) => problem),
    ...findSplitProblems([...shards, ...lost]),
    ...suites.flatMap(({ problems }) => problems),
  ];
}

function nameFolder(name: string): string {
  const shard = parseShard(name);
  return shard === null ? 'a run' : nameShard(shard);
}

/** Which shard a run folder is of, by its name. */
function parseShard(name: string): Shard | null {
  const [, index, count] = /-shard-(\d{1,9})-of-(\d{1,9})(?:-\d{1,9})?$/.exec(name) ?? [];
  return index === undefined ? null : { index: Number(index), count: Number(count) };
}

/** What was asked is told by the shards' settings; how it is judged and where it is put, by the merge's own. */
function mergeSettings(own: Manifest, first: Manifest | undefined): Manifest {
  const kept = ['dir', 'minAccuracy', 'baseline', 'audit', 'showGated', 'ci'];
  const settings = Object.entries(own.config).filter(([key]) => kept.includes(key));
  return { ...own, config: { ...(first ?? own).config, ...Object.fromEntries(settings) } };
}

function copyRows(folder: string, target: string): void {
  for (const row of readSampleLog(folder).results) appendResult(target, row);
  const traces = join(folder, 'traces');
  if (!existsSync(traces)) return;
  for (const entry of readdirSync(traces, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const inside = entry.parentPath.slice(folder.length + 1);
    makeFolders(join(target, inside));
    copyFileSync(join(entry.parentPath, entry.name), join(target, inside, entry.name));
  }
}

/** Each shard keeps the questions of all of them. */
function copyQuestions(folder: string, { suites }: Manifest, target: string): void {
  for (const { suite } of suites) {
    const from = toQuestionFile(folder, suite);
    if (existsSync(from)) writeFileSync(toQuestionFile(target, suite), readRegular(from));
  }
}

function mergeSuites(manifests: readonly Manifest[]) {
  const shards = manifests.flatMap(({ suites }) => suites);
  return [...Map.groupBy(shards, ({ suite }) => suite).values()].map(mergeSuite);
}

function mergeSuite([first, ...others]: readonly SuiteManifest[]) {
  if (first === undefined) throw new Error('A suite without a shard cannot be merged.');
  const problems = others.flatMap((other) => findDifferences(first, other));
  return { suite: { ...first, shard: null, plans: [first, ...others].flatMap(({ plans }) => plans) }, problems };
}
