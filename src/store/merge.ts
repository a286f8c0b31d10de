import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegular } from '../records/files.ts';
import type { Sample, SampleResult } from '../types.ts';
import { type Manifest, readManifest, type SuiteManifest, writeManifest } from './manifest.ts';
import { toQuestionFile } from './question-log.ts';
import { appendResult, readSampleLog, TrialMap, type TrialMeta } from './sample-log.ts';
import {
  findDifferences,
  findNarrowingDifferences,
  findSplitProblems,
  nameShard,
  parseShard,
  type ShardRun,
  type ShardRuns,
  shardOf,
} from './shards.ts';

/** What the manifests of a run's shards say of it. */
export type MergedRuns = {
  /**
   * What is wrong: a shard that is missing, doubled, without a report, of another split, or of another dataset, prompt,
   * agent, limit or selection.
   */
  readonly problems: readonly string[];
  /** Every trial of all shards; its `run` is "" where no shard that is there was to have it. */
  readonly trials: readonly { readonly meta: TrialMeta; readonly picked: boolean }[];
  /** Of each run folder that was merged, why it ended early, or null. */
  readonly stops: ReadonlyMap<string, string | null>;
  /** The eval files that no shard started. */
  readonly notStarted: readonly string[];
};

/** Puts the rows and manifests of a run's shards into one run folder, as if it had run in one piece. */
export function mergeRuns(shards: ShardRuns, target: string): MergedRuns {
  const { present } = shards;
  for (const { folder } of present) copyRows(folder, target);
  for (const { folder, manifest } of present) copyQuestions(folder, manifest, target);
  const manifests = present.map(({ manifest }) => manifest);
  const suites = mergeSuites(manifests);
  writeManifest(target, {
    ...mergeSettings(readManifest(target), manifests[0]),
    suites: suites.map(({ suite }) => suite),
    merged_from: present.map(({ folder }) => basename(folder)),
  });
  return {
    problems: [...findProblems(shards), ...suites.flatMap(({ problems }) => problems)],
    trials: listTrials(
      suites.map(({ suite }) => suite),
      present,
    ),
    stops: new Map(present.map(({ folder, selection }) => [basename(folder), selection.stopped])),
    notStarted: findCommon(present.map(({ selection }) => selection.not_started)),
  };
}

function findProblems({ present, absent, unreported }: ShardRuns): readonly string[] {
  // A shard whose folder is lost is not missing as well: one error is enough.
  const lost = absent.flatMap(({ name }) => parseShard(name) ?? []);
  const planned = present.filter(({ manifest }) => manifest.suites.length > 0);
  const [first, ...others] = planned;
  return [
    ...absent.map(({ problem }) => problem),
    ...unreported.map(describeUnreported),
    ...findSplitProblems([...planned.map(shardOf), ...lost]),
    ...(first === undefined ? [] : others.flatMap((other) => findNarrowingDifferences(first, other))),
  ];
}

function describeUnreported(run: ShardRun): string {
  const name = nameShard(shardOf(run));
  return `${name} left no report (blob): its answers are read from ${basename(run.folder)}. Run ${name} again and merge again.`;
}

/** A trial belongs to the shard whose manifest lists it as its share; an older manifest does not list shares. */
function listTrials(suites: readonly SuiteManifest[], present: readonly ShardRun[]): MergedRuns['trials'] {
  const runOf = new TrialMap<string>();
  const leftOut = new TrialMap<true>();
  for (const { folder, manifest, selection } of present) {
    for (const one of selection.left_out) leftOut.set(one, true);
    for (const suite of manifest.suites) {
      const share = suite.share === undefined ? null : new Set(suite.share);
      const own = listExpectedTrials(suite, basename(folder)).filter(({ id }) => share?.has(id) !== false);
      for (const meta of own) runOf.set(meta, meta.run);
    }
  }
  const all = suites.flatMap((suite) => listExpectedTrials(suite, ''));
  return all.map((meta) => ({ meta: { ...meta, run: runOf.get(meta) ?? '' }, picked: !leftOut.has(meta) }));
}

function findCommon([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((name) => others.every((names) => names.includes(name)));
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
    mkdirSync(join(target, inside), { recursive: true });
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
  const { share: _share, ...common } = first;
  return { suite: { ...common, shard: null, plans: [first, ...others].flatMap(({ plans }) => plans) }, problems };
}

/** Every trial that a suite of a run was to have, agent by agent for each sample; their questions are not known. */
export function listExpectedTrials(suite: SuiteManifest, run: string): readonly TrialMeta[] {
  const { dataset, agents, trials, ids, groups, prompt_hash } = suite;
  return ids.flatMap((id, index) =>
    agents.flatMap((agent) =>
      Array.from({ length: trials }, (_, trial) => {
        const group = groups[index] ?? 'all';
        const identity = { suite: suite.suite, dataset, agent, id, trial: trial + 1, group };
        return { ...identity, prompt_hash, question_hash: '', run };
      }),
    ),
  );
}

/** The row of a trial that has no result: the agent was not asked, or what it said was lost. */
export function toNotRun(
  { run: _run, ...trial }: TrialMeta,
  target: Sample['target'],
  reason: string,
  explanation: string,
): SampleResult {
  return {
    version: 1,
    ...trial,
    target,
    state: 'not_run',
    reason,
    explanation,
    output: null,
    answer: null,
    how: null,
    rules: null,
    latency_ms: null,
    error: null,
    model: null,
    waited_ms: 0,
    usage: null,
    cost_usd: null,
    cached: false,
    attempts: 0,
    steps: null,
    confidence: null,
    started_at: null,
    answered_at: null,
  };
}
