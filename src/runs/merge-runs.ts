import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../make-folders.ts';
import { type Manifest, readManifest, type SuiteManifest, writeManifest } from './manifest.ts';
import { toQuestionFile } from './question-log.ts';
import { appendResult, readSampleLog } from './sample-log.ts';

/** What the shards of a run must have in common. */
const COMMON = ['dataset', 'dataset_hash', 'prompt_hash', 'agents', 'trials', 'ids'] as const;

/**
 * Puts the rows and manifests of a run's shards into one run folder, as if it had run in one piece. Returns what is
 * wrong with them: a folder that is not there, or a shard of another dataset, prompt, agent or selection.
 */
export function mergeRuns(runs: string, names: readonly string[], target: string): readonly string[] {
  const folders = names.map((name) => join(runs, name));
  const absent = folders.filter((folder) => !existsSync(folder));
  const present = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
  for (const { folder } of present) copyRows(folder, target);
  for (const { folder, manifest } of present) copyQuestions(folder, manifest, target);
  const suites = mergeSuites(present.map(({ manifest }) => manifest));
  writeManifest(target, { ...readManifest(target), suites: suites.map(({ suite }) => suite) });
  return [
    ...absent.map((folder) => `the run folder of a shard is not there: ${folder}. Copy the runs of all shards there.`),
    ...suites.flatMap(({ problems }) => problems),
  ];
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
    if (existsSync(from)) copyFileSync(from, toQuestionFile(target, suite));
  }
}

function mergeSuites(manifests: readonly Manifest[]) {
  const shards = manifests.flatMap(({ suites }) => suites);
  return [...Map.groupBy(shards, ({ suite }) => suite).values()].map(mergeSuite);
}

function mergeSuite([first, ...others]: readonly SuiteManifest[]) {
  if (first === undefined) throw new Error('A suite without a shard cannot be merged.');
  const problems = others.flatMap((other) =>
    COMMON.filter((key) => JSON.stringify(other[key]) !== JSON.stringify(first[key])).map(
      (key) => `shards of ${first.suite} differ in ${key}: run all of them with the same settings and files.`,
    ),
  );
  return { suite: { ...first, shard: null, plans: [first, ...others].flatMap(({ plans }) => plans) }, problems };
}
