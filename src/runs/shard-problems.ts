import type { AgentConditions, SuiteManifest } from './manifest.ts';

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
    ...describeMissing(missing.map(name)),
  ];
}

function describeMissing(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  if (names.length === 1) return [`${names[0]} is missing. Add its report and its run folder, or run it again.`];
  return [`${names.join(', ')} are missing. Add their reports and their run folders, or run them again.`];
}

/** The shards of a split that are not there, by index; null stands for a whole run. */
export function listMissing(shards: readonly (Shard | null)[], count: number): readonly number[] {
  const indices = new Set(shards.map((shard) => shard?.index ?? 1));
  return Array.from({ length: count }, (_, index) => index + 1).filter((index) => !indices.has(index));
}

/** In what a shard of a suite differs from the first one, each with the names of both. */
export function findDifferences(first: SuiteManifest, other: SuiteManifest): readonly string[] {
  const fields = COMMON.filter((key) => differ(first[key], other[key]));
  const differences = [...fields, ...differentConditions(first, other)];
  return differences.map(
    (what) =>
      `${first.suite}: ${nameShard(other.shard)} differs from ${nameShard(first.shard)} in ${what}. ` +
      'Run all shards with the same settings and files.',
  );
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
