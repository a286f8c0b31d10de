import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nonEmpty } from '../words/fields.ts';
import type { Note } from '../words/sample.ts';
import { lineIf } from '../words/show.ts';
import type { AgentPlan, Manifest, SuiteManifest } from './manifest.ts';
import { BEGUN, PRINTED, type StoredEnd } from './run-end.ts';
import { readRunName } from './run-folder.ts';
import { listPlannedTrials, NO_SHARD, type RunFiles, readRunFiles } from './run-reader.ts';
import { RunWriter } from './run-writer.ts';
import { findGaps, nameShards, type ShardRun } from './shards.ts';
import { resultKey, toIdentity } from './trial-meta.ts';

/** Shards that agree, of which one at least has planned questions. */
type AgreedShards = readonly ShardRun[];

/**
 * Makes the run folder of a merge below `dir`: manifest, rows, end, questions, prompts, traces and
 * work folders of all shards, as one run without shards has them. `judging` are the settings of the
 * merge, which say how the run is judged and shown; the others are those of the shards. Nothing
 * stays of a folder that cannot be completed.
 */
export function mergeShards(
  runs: AgreedShards,
  dir: string,
  judging: Partial<Manifest['config']>,
  now: Date,
): RunFiles {
  const { manifest: common } = findNewest(runs);
  const manifest = joinManifests(runs, judging);
  const { agents } = readRunName(common.run);
  const writer = RunWriter.begin(
    dir,
    { agents: [agents], now, part: 'merged' },
    (run) => ({ ...manifest, run }),
    { ...joinEnds(runs, manifest), ended_at: now.toISOString() },
  );
  try {
    writer.takeOver(runs.map(({ folder }) => folder));
    return readRunFiles(writer.folder);
  } catch (error) {
    writer.remove();
    throw error;
  }
}

/** The newest shard that came to its end, or else the newest: its settings and its gates count. */
export function findNewest(runs: AgreedShards): ShardRun {
  const age = ({ manifest, end }: ShardRun) =>
    [manifest.suites.length > 0, end.ended_at !== null, manifest.created_at].join();
  const [newest] = runs.toSorted((a, b) => (age(a) < age(b) ? 1 : -1));
  if (newest === undefined) throw new Error('A merge needs a shard.');
  return newest;
}

/** Whose gates count, if shards had different ones: they change no answer, so they may differ. */
export function describeGates(runs: AgreedShards): readonly string[] {
  const { end, manifest, shard } = findNewest(runs);
  const toJudging = (ofShard: StoredEnd, { minAccuracy }: Manifest['config']) => [
    ofShard.gates,
    minAccuracy ?? null,
  ];
  const counting = toJudging(end, manifest.config);
  const differs = runs.some(
    (run) =>
      run.end.ended_at !== null &&
      !isDeepStrictEqual(toJudging(run.end, run.manifest.config), counting),
  );
  const name = nameShards([shard.index], shard.count);
  return lineIf(differs, `the shards had different gates: those of the newest, ${name}, count`);
}

function joinManifests(runs: AgreedShards, judging: Partial<Manifest['config']>): Manifest {
  const { manifest: common } = findNewest(runs);
  const planned = runs.flatMap(({ manifest }) => manifest.suites);
  const commits = new Set(runs.map(({ manifest }) => manifest.git_commit));
  return {
    ...common,
    created_at: runs.map(({ manifest }) => manifest.created_at).sort()[0] ?? common.created_at,
    git_commit: commits.size === 1 ? common.git_commit : null,
    config: { ...common.config, ...judging },
    suites: [...Map.groupBy(planned, ({ suite }) => suite).values()].flatMap(joinEntries),
    merged_from: runs.map(({ folder }) => basename(folder)),
  };
}

/** Joins the entries that shards have of one suite. */
function joinEntries([common, ...others]: readonly SuiteManifest[]): readonly SuiteManifest[] {
  if (common === undefined) return [];
  const entries = [common, ...others];
  // A shard makes some judges only when it needs them.
  const judges = new Map(
    entries.flatMap((entry) => (entry.judges ?? []).map((judge) => [judge.judge, judge])),
  );
  const plans = Map.groupBy(
    entries.flatMap((entry) => entry.plans),
    ({ agent, prompt }) => JSON.stringify([agent, prompt]),
  );
  return [
    {
      ...common,
      judges: nonEmpty([...judges.values()]),
      prefer: common.prefer && {
        ...common.prefer,
        pairs: entries.reduce((sum, { prefer }) => sum + (prefer?.pairs ?? 0), 0),
        known: entries.reduce((sum, { prefer }) => sum + (prefer?.known ?? 0), 0) || undefined,
      },
      notes: joinNotes(entries, (entry) => entry.notes),
      agent_notes: joinNotes(entries, (entry) => entry.agent_notes),
      questions: common.questions.map(({ elsewhere: _, ...question }) => question),
      shard: null,
      plans: [...plans.values()].flatMap(joinPlans),
    },
  ];
}

/** The notes of all shards once, and those of some with their shards. */
function joinNotes<Noted extends Note>(
  entries: readonly SuiteManifest[],
  read: (entry: SuiteManifest) => readonly Noted[],
): readonly Noted[] {
  const all = entries.flatMap((entry) => read(entry).map((note) => ({ note, shard: entry.shard })));
  const same = Map.groupBy(all, ({ note }) => JSON.stringify(note));
  return [...same.values()].flatMap((equal) => {
    const shards = equal.flatMap(({ shard }) => shard ?? []);
    const where = nameShards(
      shards.map(({ index }) => index),
      shards[0]?.count ?? 0,
    );
    return equal
      .slice(0, 1)
      .map(({ note }) =>
        equal.length === entries.length ? note : { ...note, text: `in ${where}, ${note.text}` },
      );
  });
}

/** What shards planned for one agent, together. */
function joinPlans([common, ...others]: readonly AgentPlan[]): readonly AgentPlan[] {
  if (common === undefined) return [];
  const plans = [common, ...others];
  const sum = (count: (plan: AgentPlan) => number) =>
    plans.reduce((total, plan) => total + count(plan), 0);
  const times = (time: (plan: AgentPlan) => string | null) =>
    plans.flatMap((plan) => time(plan) ?? []).sort();
  const isKnown = plans.every((plan) => plan.to_ask === 0 || plan.expected_cost_usd !== null);
  const hasCost = plans.some(({ expected_cost_usd }) => expected_cost_usd !== null);
  const reasons = new Set(plans.flatMap(({ missed_because }) => missed_because ?? []));
  return [
    {
      ...common,
      trials: sum(({ trials }) => trials),
      cached: sum(({ cached }) => cached),
      oldest: times(({ oldest }) => oldest)[0] ?? null,
      newest: times(({ newest }) => newest).at(-1) ?? null,
      to_ask: sum(({ to_ask }) => to_ask),
      expected_cost_usd:
        isKnown && hasCost ? sum(({ expected_cost_usd }) => expected_cost_usd ?? 0) : null,
      missed_because: reasons.size === 0 ? null : [...reasons].join('; '),
    },
  ];
}

function joinEnds(runs: AgreedShards, merged: Manifest): StoredEnd {
  const ends = runs.map(({ end }) => end);
  const { narrowed_by, gates, stray_gates } = findNewest(runs).end;
  const planned = new Set(merged.suites.map(({ eval_file }) => eval_file));
  const list = (read: (end: StoredEnd) => readonly string[]) => [...new Set(ends.flatMap(read))];
  return {
    ...BEGUN,
    narrowed_by,
    gates,
    stray_gates,
    absent: listAbsent(runs, merged),
    errors: [...findGaps(runs), ...list((end) => end.errors)],
    duplicates: ends.flatMap(({ duplicates }) => duplicates),
    refused: joinRefused(ends),
    // Of a file that some shards have begun, the trials of the others are not run.
    not_started: list((end) => end.not_started).filter((file) => !planned.has(file)),
  };
}

/** Each shard refuses the same files. */
function joinRefused(ends: readonly StoredEnd[]): StoredEnd['refused'] {
  const whyOf = new Map(ends.flatMap(({ refused }) => refused.map(({ file, why }) => [file, why])));
  return [...whyOf].map(([file, why]) => {
    return { file, why: why === PRINTED ? 'see the output of its shards' : why };
  });
}

/** Why trials have no row: what their shards say of them, or that no shard has planned them. */
function listAbsent(runs: AgreedShards, merged: Manifest): StoredEnd['absent'] {
  const explained = runs.flatMap(({ end }) => end.absent);
  if (runs.length === runs[0]?.shard.count) return explained;
  const ofShards = runs.flatMap(({ manifest }) => listPlannedTrials(manifest));
  const planned = new Set(ofShards.map(resultKey));
  const missing = listPlannedTrials(merged).filter((trial) => !planned.has(resultKey(trial)));
  return [...explained, ...missing.map((trial) => ({ ...toIdentity(trial), reason: NO_SHARD }))];
}
