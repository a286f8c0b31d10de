import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegular } from '../records/record.ts';
import { messageOf } from '../text/show.ts';
import type { Shard } from '../types.ts';
import {
  listOwnQuestions,
  listVariants,
  type Manifest,
  readManifest,
  type SuiteManifest,
  writeManifest,
} from './manifest.ts';
import { type AbsentTrial, BEGUN, writeEnd } from './run-end.ts';
import { copyRun, listPlannedTrials, type RunFiles, readRunFiles } from './stored-run.ts';
import { resultKey, toIdentity } from './trial-meta.ts';

/**
 * Throws if there is no report, or if one is cut off or not a report. Vitest's own error does not
 * say what to do.
 */
export function checkBlobs(folder: string): void {
  const files = (existsSync(folder) ? readdirSync(folder) : []).map((name) => join(folder, name));
  const cut = files.find((file) => {
    const text = statSync(file).isFile() ? readRegular(file).toString('utf8').trim() : '[]';
    return !text.startsWith('[') || !text.endsWith(']');
  });
  if (files.length > 0 && cut === undefined) return;
  const why =
    cut === undefined
      ? `${folder} has no report (blob) of a shard: it was not copied here, or every shard was killed before its end.`
      : `${cut} is not a report (blob) of a shard, or it is cut off. Remove it if it is another file.`;
  const problem = `${why}\nCopy the reports, or run each shard again with --reporter=blob: answers that came are cached.`;
  // Vitest prints the stack, which does not help the user.
  throw Object.assign(new Error(problem), { stack: problem });
}

/** The run folder of a shard; `shard` is null for a whole run. */
type ShardRun = RunFiles & { readonly shard: Shard | null };

/** The run folders of shards. */
export type ShardRuns = {
  readonly present: readonly ShardRun[];
  /**
   * Shards that are missing, double, of another split, or with other settings.
   */
  readonly problems: readonly string[];
};

/**
 * Finds the run folders of shards in the folder of all runs; `names` are the folders that reports
 * name.
 */
export function readShardRuns(runs: string, names: readonly string[]): ShardRuns {
  const present: ShardRun[] = [];
  const lost: string[] = [];
  for (const name of names.toSorted()) {
    const folder = join(runs, basename(name));
    try {
      if (!existsSync(folder))
        throw new Error(`${folder} does not exist. Copy the run folders of all shards to ${runs}.`);
      present.push(readShard(folder));
    } catch (error) {
      lost.push(`the run folder ${basename(name)} cannot be merged: ${messageOf(error)}`);
    }
  }
  present.sort((a, b) => (a.shard?.index ?? 0) - (b.shard?.index ?? 0));
  const planned = present.filter(({ manifest }) => manifest.suites.length > 0);
  const shards = planned.map(({ shard }) => shard);
  // A shard whose folder is lost must not be reported as missing too.
  const problems = lost.length > 0 ? lost : findSplitProblems(shards, isWhole(planned));
  return { present, problems: [...problems, ...findDifferences(planned)] };
}

/**
 * Writes the rows, the manifest and the end of all shards into one run folder, as if the run had no
 * shards.
 */
export function mergeRuns({ present, problems }: ShardRuns, target: string): void {
  for (const run of present) copyRun(run, target);
  const [first] = present;
  const all = present.flatMap(({ manifest }) => manifest.suites);
  const suites = [...Map.groupBy(all, ({ suite }) => suite).values()].flatMap(joinShares);
  const manifest = {
    ...mergeSettings(readManifest(target), first?.manifest),
    suites,
    merged_from: present.map(({ folder }) => basename(folder)),
  };
  writeManifest(target, manifest);
  const notStarted = first?.end.not_started ?? [];
  writeEnd(target, {
    ...BEGUN,
    narrowed_by: first?.end.narrowed_by ?? BEGUN.narrowed_by,
    absent: listAbsent(manifest, present),
    errors: problems,
    not_started: notStarted.filter((name) =>
      present.every(({ end }) => end.not_started.includes(name)),
    ),
  });
}

function readShard(folder: string): ShardRun {
  // The merge hides what must be hidden.
  const files = readRunFiles(folder, {});
  return { ...files, shard: files.manifest.suites[0]?.shard ?? null };
}

function nameShard(shard: Shard | null): string {
  return shard === null ? 'a complete run' : `shard ${shard.index} of ${shard.count}`;
}

/** If there are more shards than records, some have nothing to report: they are not missed. */
function isWhole(runs: readonly ShardRun[]): boolean {
  const suites = Map.groupBy(
    runs.flatMap(({ manifest }) => manifest.suites),
    ({ suite }) => suite,
  );
  return [...suites.values()].every((parts) => {
    const reported = new Set(parts.flatMap(listOwnQuestions).map(({ id }) => id));
    return parts.every(({ questions }) => questions.every(({ id }) => reported.has(id)));
  });
}

/**
 * Checks that these are all shards of one split, once each; none is missing if they are whole. Null
 * is a run without shards.
 */
export function findSplitProblems(
  shards: readonly (Shard | null)[],
  areWhole = false,
): readonly string[] {
  const [first = null] = shards;
  const stranger = shards.find((other) => other?.count !== first?.count);
  if (stranger !== undefined) {
    const both = `${nameShard(stranger)} beside ${nameShard(first)}`;
    return [`${both}: these are shards of different splits. Merge the shards of one split only.`];
  }
  const count = shards.length === 0 ? 0 : (first?.count ?? 1);
  return Array.from({ length: count }, (_, place) => place + 1).flatMap((index) => {
    const name = nameShard(first === null ? null : { ...first, index });
    const times = shards.filter((shard) => (shard?.index ?? 1) === index).length;
    if (times === 0 && areWhole) return [];
    if (times === 0)
      return [`${name} is missing. Add its report and its run folder, or run it again.`];
    return times === 1 ? [] : [`there are two runs of ${name}. Merge each shard once.`];
  });
}

/**
 * The differences between shards. Each fact is compared with that of the first shard that has it.
 */
function findDifferences(runs: readonly ShardRun[]): readonly string[] {
  const firsts = new Map<string, { readonly value: string; readonly shard: Shard | null }>();
  return runs.flatMap((run) =>
    listFacts(run).flatMap(([name, fact]) => {
      const value = fact == null ? 'none' : JSON.stringify(fact);
      const first = firsts.get(name);
      if (first === undefined) firsts.set(name, { value, shard: run.shard });
      if (first === undefined || first.value === value) return [];
      const values = ` (${value}, not ${first.value})`;
      // Lists of ids are too long to show.
      const what = `${name}${values.length > 200 ? '' : values}`;
      const differs = `${nameShard(run.shard)} differs from ${nameShard(first.shard)} in ${what}.`;
      return `${differs} Run all shards with the same settings and files.`;
    }),
  );
}

type Fact = readonly [name: string, value: unknown];

/** The facts in which all shards must agree. */
function listFacts({ manifest, end: { narrowed_by: by } }: ShardRun): readonly Fact[] {
  const { dryRun, judges, user } = manifest.config;
  const ofRun = {
    EVAL_DRY_RUN: dryRun,
    EVAL_JUDGE: judges,
    EVAL_USER: user,
    '-t': by.name,
    '--tags-filter': by.tags,
    '--last-failed': by.last_failed,
  };
  return [...Object.entries(ofRun), ...manifest.suites.flatMap(listSuiteFacts)];
}

function listSuiteFacts(entry: SuiteManifest): readonly Fact[] {
  const { suite, conditions, questions, judges = [] } = entry;
  const { dataset, dataset_hash, prompt_hash, agents, trials } = entry;
  const prompts = listVariants(entry).flatMap(({ prompt }) => prompt ?? []);
  const [ids, groups] = [questions.map(({ id }) => id), questions.map(({ group }) => group)];
  const common = { dataset, dataset_hash, prompt_hash, prompts, agents, trials, ids, groups };
  const ofAgents = conditions.flatMap(({ agent, ...own }) =>
    Object.entries(own).map(([name, value]): Fact => [`${name} of ${agent}`, value]),
  );
  const ofJudges = judges.map(({ judge, fingerprint, prompt_hash: prompt }): Fact => {
    return [`judge ${judge}`, [fingerprint, prompt]];
  });
  const all: readonly Fact[] = [...Object.entries(common), ...ofJudges, ...ofAgents];
  return all.map(([name, value]) => [`${suite} ${name}`, value]);
}

/** Joins the shards' entries of one suite. */
function joinShares(shares: readonly SuiteManifest[]): readonly SuiteManifest[] {
  return shares.slice(0, 1).map((common) => {
    const questions = common.questions.map(({ elsewhere: _, ...question }) => question);
    // A shard makes some judges only when it needs them.
    const judges = new Map(
      shares.flatMap((each) => (each.judges ?? []).map((judge) => [judge.judge, judge])),
    );
    const judged = judges.size === 0 ? {} : { judges: [...judges.values()] };
    return {
      ...common,
      questions,
      ...judged,
      shard: null,
      plans: shares.flatMap(({ plans }) => plans),
    };
  });
}

/**
 * What was asked comes from the shards' settings; how it is judged and shown comes from the merge's
 * own.
 */
function mergeSettings(own: Manifest, first: Manifest = own): Manifest {
  const judging = ['dir', 'minAccuracy', 'baseline', 'showGated', 'ci'];
  const settings = Object.entries(own.config).filter(([key]) => judging.includes(key));
  return { ...own, config: { ...first.config, ...Object.fromEntries(settings) } };
}

/**
 * Why trials of the merged run have no row: what their shard says of them, or that no shard has
 * them.
 */
function listAbsent(merged: Manifest, present: readonly ShardRun[]): readonly AbsentTrial[] {
  const planned = present.flatMap(({ manifest }) => listPlannedTrials(manifest).map(resultKey));
  const inShards = new Set(planned);
  const missing = listPlannedTrials(merged).filter((trial) => !inShards.has(resultKey(trial)));
  return [
    ...present.flatMap(({ end }) => end.absent),
    ...missing.map((trial) => ({ ...toIdentity(trial), reason: 'missing' })),
  ];
}
