import { isGaiaItself } from '../metrics/full-split.ts';
import type { CacheParts } from '../store/cache.ts';
import {
  type AgentConditions,
  type AgentPlan,
  GRADER_VERSION,
  recordSuite,
  type SuiteManifest,
} from '../store/manifest.ts';
import { writeQuestions } from '../store/run-folder.ts';
import type { Agent, Dataset, Sample, ToolUse } from '../types.ts';
import type { Station } from './ask.ts';
import type { CachedAnswers } from './lane.ts';
import { hashPrompt, shortHash } from './prompt.ts';
import type { ProvidedRun } from './provided-run.ts';
import type { Trial } from './trial.ts';

export type Plans = { readonly plans: readonly AgentPlan[]; readonly kept: ReadonlySet<Trial> };

/**
 * What a run is about to do with each agent: how many trials are kept already, how many it will ask, at what cost; and
 * which trials are kept.
 */
export function describePlans(stations: readonly Station[], trials: readonly Trial[]): Plans {
  const kept = new Set<Trial>();
  const plans = stations.map((station) => {
    const own = trials.filter((trial) => trial.station === station);
    return describePlan(station, own, kept);
  });
  return { plans, kept };
}

function describePlan({ agent, answers }: Station, trials: readonly Trial[], keptTrials: Set<Trial>): AgentPlan {
  const found = trials.map((trial) => {
    const asked = trial.parts === null ? null : (answers?.find(trial.parts) ?? null);
    if (asked !== null) keptTrials.add(trial);
    return asked;
  });
  const kept = found.filter((asked) => asked !== null);
  const ages = kept.map(({ answeredAt }) => answeredAt).sort();
  const costs = kept.flatMap((asked) => (asked.outcome === 'answered' ? [asked.answer.cost ?? null] : []));
  const known = costs.filter((cost) => cost !== null);
  const missed = trials.flatMap(({ parts }, index) => (found[index] === null && parts !== null ? [parts] : []));
  return {
    agent: agent.name,
    kept: answers !== null,
    trials: trials.length,
    cached: kept.length,
    oldest: ages[0] ?? null,
    newest: ages.at(-1) ?? null,
    to_ask: trials.length - kept.length,
    expected_cost_usd: known.length === 0 ? null : mean(known) * (trials.length - kept.length),
    ...(agent.price === undefined ? {} : { price: agent.price }),
    missed_because: answers === null ? null : explainMisses(missed, answers, kept.length === 0),
  };
}

/**
 * Why trials are asked although there is a cache: the setting, or what changed since, counted when it is not the same
 * for all. Null when nothing is, and when there is no more to say than that nobody was asked before.
 */
function explainMisses(missed: readonly CacheParts[], answers: CachedAnswers, isAll: boolean): string | null {
  if (missed.length === 0) return null;
  if (answers.asksAll !== null) return `EVAL_CACHE=${answers.asksAll} asks all again`;
  const counts = Map.groupBy(missed, (parts) => nameMiss(answers.explainMiss(parts)));
  const reasons = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  const [[only = NEW] = []] = reasons;
  if (reasons.length === 1 && only === NEW) return null;
  if (reasons.length === 1 && isAll) return `all missed: ${only}`;
  return reasons.map(([reason, { length }], index) => `${length}${index === 0 ? ' missed' : ''}: ${reason}`).join('; ');
}

const NEW = 'new question';

function nameMiss(changed: readonly (keyof CacheParts)[] | null): string {
  if (changed === null) return NEW;
  if (changed.length === 0) return 'failed before (EVAL_CACHE=retry)';
  return changed[0] === 'trial' ? 'new trial' : `${changed.map(nameOf).join(' and ')} changed`;
}

function nameOf(part: keyof CacheParts): string {
  return part === 'limits' ? 'deadline or step limit' : part;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type Run = Pick<Extract<ProvidedRun, { readonly status: 'ready' }>, 'config' | 'shard'>;

/** What the answers of each agent depend on beside questions and prompt; the samples are those of all shards. */
function describeConditions(
  stations: readonly Station[],
  samples: readonly Sample[],
  { config: { cacheKey, maxSteps, trials }, shard }: Run,
  deadlineMs: (sample: Sample) => number,
): readonly AgentConditions[] {
  const deadlines = [...new Map(samples.map((sample) => [sample.group, deadlineMs(sample) / 1000]))];
  return stations.map(({ agent }) => ({
    agent: agent.name,
    fingerprint: agent.fingerprint === undefined ? null : shortHash(agent.fingerprint),
    // What another process will not be merged with need not be hashed.
    recording: shard === null ? null : hashRecording(agent, samples, trials),
    cache_key: cacheKey === null ? null : shortHash(cacheKey),
    deadlines,
    max_steps: maxSteps,
  }));
}

function hashRecording(agent: Agent, samples: readonly Sample[], trials: number): string | null {
  if (agent.recall === undefined) return null;
  const numbers = Array.from({ length: trials }, (_, index) => index + 1);
  const said = samples.map(({ id }) => numbers.map((trial) => agent.recall?.(id, trial)));
  return shortHash(JSON.stringify(said, (_, value) => (value instanceof Error ? value.message : value)));
}

/** Puts into the manifest what is about to happen, before the first call. */
export function recordPlan(
  run: ProvidedRun & { readonly status: 'ready' },
  { suite, prompt }: { readonly suite: string; readonly prompt: string },
  dataset: Dataset,
  plan: {
    readonly identity: Pick<SuiteManifest, 'suite' | 'dataset' | 'dataset_hash'>;
    readonly samples: readonly Sample[];
    /** The samples that this shard takes. */
    readonly share: readonly Sample[];
    readonly unmatchedIds: readonly string[];
    readonly stations: readonly Station[];
    readonly plans: readonly AgentPlan[];
    deadlineMs(sample: Sample): number;
  },
): void {
  const { source = null } = dataset;
  const isGaia = isGaiaItself({ dataset: dataset.name, source });
  const selected = new Set(plan.samples);
  const inOrder = dataset.samples.filter((sample) => selected.has(sample));
  writeQuestions(run.folder, suite, inOrder);
  recordSuite(run.folder, {
    ...plan.identity,
    source,
    placeholders: dataset.placeholders ?? [],
    prompt_hash: hashPrompt(prompt),
    grader: GRADER_VERSION,
    agents: plan.stations.map(({ agent }) => agent.name),
    conditions: describeConditions(plan.stations, inOrder, run, plan.deadlineMs),
    trials: run.config.trials,
    notes: [...dataset.notes, ...plan.stations.flatMap((station) => toNotes(station, isGaia))],
    ids: inOrder.map(({ id }) => id),
    groups: inOrder.map(({ group }) => group),
    hidden_ids: inOrder.filter(({ target }) => target === null).map(({ id }) => id),
    group_sizes: [...Map.groupBy(dataset.samples, ({ group }) => group)].map(([group, own]) => [group, own.length]),
    shard: run.shard,
    ...(run.shard === null ? {} : { share: plan.share.map(({ id }) => id) }),
    unmatched_ids: plan.unmatchedIds,
    plans: plan.plans,
    tools: plan.stations.flatMap(({ agent }) =>
      agent.tools === undefined ? [] : [{ agent: agent.name, ...agent.tools }],
    ),
  });
}

function toNotes({ agent, answers }: Station, isGaia: boolean): readonly string[] {
  const { name, notes = [], tools } = agent;
  // A replay was asked elsewhere.
  return isGaia && answers !== null ? [...notes, `${name}: ${LEAKS[tools?.leak_guard ?? 'unknown']}.`] : notes;
}

/** Whether an agent may look GAIA's answers up, which are on the web. */
const LEAKS: Readonly<Record<ToolUse['leak_guard'] | 'unknown', string>> = {
  'no web': 'none of its tools reaches the web',
  on: 'leak guard on: copies of GAIA on the web are refused',
  'in part': 'leak guard on for fetch_page alone: a search or an MCP server that takes no block list may show leaks',
  off: 'no leak guard: a search or an MCP server that takes no block list may show copies of GAIA',
  unknown: 'its tools are its own: whether they reach the web, and copies of GAIA there, is not known',
};
