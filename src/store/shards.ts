import { basename } from 'node:path';
import { DOCS } from '../package.ts';
import type { Shard } from '../words/sample.ts';
import { lineIf, listUp, showPath } from '../words/show.ts';
import { hasManifest, listOwnQuestions, type Manifest, readManifest } from './manifest.ts';
import { readRunName } from './run-folder.ts';
import { type RunFiles, readRunFiles } from './run-reader.ts';

/** A run of one shard. Nothing is hidden in it: what is made of it hides. */
export type ShardRun = RunFiles & Readonly<{ shard: Shard }>;

export type PickedShards = Readonly<{
  /** The newest run of each shard that has one, in the order of the shards. */
  runs: readonly ShardRun[];
  /** What was left out of the folders, and why: a sentence each. */
  notes: readonly string[];
}>;

/**
 * Picks the runs to merge from run folders in any order: shards of one split, the newest run of
 * each. Throws for a folder that is no run, for shards of different splits or of several runs, and
 * if there is no shard.
 */
export function pickShards(folders: readonly string[]): PickedShards {
  const heads = [...new Set(folders)].map(readHead);
  const others = heads.filter(({ why }) => why !== null);
  const shards = heads.flatMap(({ folder, manifest, shard, why }) =>
    shard === null || why !== null ? [] : { folder, manifest, shard },
  );
  if (shards.length === 0) throw new Error(describeNoShard(others));
  checkSplit(shards);
  const byIndex = Map.groupBy(shards, ({ shard }) => shard.index);
  const reruns = [...byIndex.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, runs]) => runs.toSorted((a, b) => comparePlans(a, b) || compareAge(a, b)));
  checkReruns(reruns);
  return {
    runs: reruns.flatMap(([newest]) =>
      newest === undefined ? [] : { ...readRunFiles(newest.folder, {}), shard: newest.shard },
    ),
    notes: [
      ...reruns.flatMap(describeReruns),
      ...lineIf(others.length > 0, `left out: ${listOthers(others)}`),
    ],
  };
}

/**
 * The shards that are missing or did not come to their end, and what to do: a sentence each. Their
 * trials without a row are not run.
 */
export function findGaps(runs: readonly ShardRun[]): readonly string[] {
  const count = runs[0]?.shard.count ?? 0;
  const present = runs.map(({ shard }) => shard.index);
  const all = Array.from({ length: count }, (_, place) => place + 1);
  const indexOf = (those: readonly ShardRun[]) => those.map(({ shard }) => shard.index);
  const gaps: readonly Gap[] = [
    [isWhole(runs) ? [] : all.filter((index) => !present.includes(index)), MISSING],
    [indexOf(runs.filter(({ end }) => end.ended_at === null)), KILLED],
    [indexOf(runs.filter(({ end }) => end.stop === 'interrupted')), INTERRUPTED],
  ];
  return gaps.flatMap(([shards, { one, several }]) =>
    lineIf(
      shards.length > 0,
      `${nameShards(shards, count)} ${shards.length === 1 ? one : several} and merge again`,
    ),
  );
}

type Gap = readonly [shards: readonly number[], words: typeof MISSING];

const MISSING = { one: 'is missing: run it', several: 'are missing: run them' };
const KILLED = {
  one: 'did not end (refused, killed or still running): run it again',
  several: 'did not end (refused, killed or still running): run them again',
};
const INTERRUPTED = {
  one: 'was interrupted: run it again',
  several: 'were interrupted: run them again',
};

/** "shard 2 of 4", "shards 1, 2 and 4 of 4". */
export function nameShards(indices: readonly number[], count: number): string {
  const [last, ...others] = indices.map(String).toReversed();
  if (others.length === 0) return `shard ${last} of ${count}`;
  const shown = others.length < 10 ? `${others.toReversed().join(', ')} and ${last}` : null;
  return `shards ${shown ?? listUp(indices.map(String), 10)} of ${count}`;
}

/**
 * Whether each question was planned by a shard. If there are more shards than questions, the other
 * shards are not missed.
 */
function isWhole(runs: readonly ShardRun[]): boolean {
  const entries = runs.flatMap(({ manifest }) => manifest.suites);
  return [...Map.groupBy(entries, ({ suite }) => suite).values()].every((ofSuite) => {
    const planned = new Set(ofSuite.flatMap(listOwnQuestions).map(({ id }) => id));
    return ofSuite.every(({ questions }) => questions.every(({ id }) => planned.has(id)));
  });
}

/** What is known of a run without its rows; `why` says why it is not merged. */
type Head = Readonly<{
  folder: string;
  manifest: Manifest;
  shard: Shard | null;
  why: string | null;
}>;

type FoundShard = Omit<Head, 'why'> & { readonly shard: Shard };

function readHead(folder: string): Head {
  if (!hasManifest(folder)) {
    const remedy = 'Name the run folders of the shards, as in .evals/runs/*';
    throw new Error(`${showPath(folder)} is not a run: it has no manifest.json. ${remedy}.`);
  }
  const manifest = readManifest(folder);
  const [first] = manifest.suites;
  // A run that was killed before it planned anything has its shard in its name alone.
  const shard = first === undefined ? readRunName(manifest.run).shard : first.shard;
  return { folder, manifest, shard, why: whyLeftOut(manifest, shard) };
}

function whyLeftOut({ merged_from, config }: Manifest, shard: Shard | null): string | null {
  if (merged_from !== undefined) return 'merged already';
  if (config['dryRun'] === true) return 'a dry run';
  return shard === null ? 'a whole run' : null;
}

function describeNoShard(others: readonly Head[]): string {
  return (
    `There is no shard to merge. Left out: ${listOthers(others)}.\n` +
    'Run the evals with --shard=1/2 and --shard=2/2, for example, and merge these runs. ' +
    `See ${DOCS}/ci.md#split-a-run-over-machines.`
  );
}

function listOthers(others: readonly Head[]): string {
  return listUp(
    others.map(({ folder, why }) => `${basename(folder)} (${why})`),
    5,
  );
}

function checkSplit(shards: readonly FoundShard[]): void {
  const splits = [...Map.groupBy(shards, ({ shard }) => shard.count)];
  if (splits.length < 2) return;
  const named = splits.map(([count, ofSplit]) => {
    const names = ofSplit.map(({ folder }) => basename(folder));
    return `of ${count} (${listUp(names, 2)})`;
  });
  throw new Error(
    `These are shards of different splits: ${named.join(' and ')}.\nName the shards of one split.`,
  );
}

/**
 * Throws if a run that is left out asked what no other has: it is no earlier run of its shard, but of
 * another suite or agent, which must not be lost.
 */
function checkReruns(reruns: readonly (readonly FoundShard[])[]): void {
  const kept = new Set(reruns.flatMap(([newest]) => (newest ? listAsked(newest) : [])));
  for (const [newest, ...older] of reruns)
    for (const run of older) {
      const lost = listAsked(run).filter((asked) => !kept.has(asked));
      if (newest === undefined || lost.length === 0) continue;
      const [left, taken] = [run, newest].map(({ folder }) => basename(folder));
      throw new Error(
        `These are shards of several runs: ${left} has ${listUp(lost, 3)}, and ${taken}, which is newer, has not.\n` +
          'Name the shards of one run.',
      );
    }
}

function listAsked({ manifest: { suites } }: FoundShard): readonly string[] {
  return suites.flatMap(({ suite, agents }) => agents.map((agent) => `${suite} by ${agent}`));
}

/** A run that was killed before it had planned anything replaces no other. */
function comparePlans(a: FoundShard, b: FoundShard): number {
  const [ofA, ofB] = [a, b].map(({ manifest }) => Number(manifest.suites.length > 0));
  return (ofB ?? 0) - (ofA ?? 0);
}

/** The newest first. */
function compareAge(a: FoundShard, b: FoundShard): number {
  const [ofA, ofB] = [a, b].map(({ manifest, folder }) => `${manifest.created_at} ${folder}`);
  return (ofA ?? '') < (ofB ?? '') ? 1 : -1;
}

function describeReruns(runs: readonly FoundShard[]): readonly string[] {
  const [newest, ...older] = runs;
  if (newest === undefined || older.length === 0) return [];
  const isAlike = new Set(runs.map(({ folder }) => basename(folder))).size < runs.length;
  const [taken = '', ...left] = runs.map(({ folder }) =>
    isAlike ? showPath(folder) : basename(folder),
  );
  const { index, count } = newest.shard;
  const name = nameShards([index], count);
  return [`${name}: ${taken} counts; left out ${listUp(left, 5)}`];
}
