import { basename } from 'node:path';
import { kindOf } from '../agents/kinds.ts';
import { shuffleChoices } from '../data/shuffle-choices.ts';
import type { EvalConfig } from '../settings.ts';
import type { CacheKey } from '../store/cache.ts';
import type { AgentPlan, JudgeFacts, SuiteManifest } from '../store/manifest.ts';
import type { TrialMeta } from '../store/trial-meta.ts';
import type { Outcome } from '../words/answer.ts';
import type { Sample } from '../words/sample.ts';
import { redactMessage } from '../words/secrets.ts';
import { escapeLine } from '../words/show.ts';
import { pickVariant } from '../words/variant.ts';
import { findCached } from './cached-answer.ts';
import type { AgentLane } from './lanes.ts';
import { hashQuestion, shortHash } from './prompt.ts';
import type { ReadyRun } from './provided-run.ts';
import type { ChosenSamples, LoadedDataset } from './samples.ts';
import type { Suite } from './suite.ts';
import { hashAttachment } from './workdir.ts';

/** One trial of one sample by one agent: it becomes a test and a row. */
export type Trial = Readonly<{
  /** With its options in the order of this trial. */
  sample: Sample;
  lane: AgentLane;
  meta: TrialMeta;
  deadlineMs: number;
  /** What its answer is cached under; null when the agent's answers are not cached. */
  key: CacheKey | null;
  /** The SHA-256 of each attachment; absent when no agent's answers are cached. */
  attachmentHashes?: readonly string[];
  /** The time of its cached answer, and its cost in USD if known. Null without a cached answer. */
  cached: Readonly<{ at: string; cost: number | null }> | null;
}>;

/** What the trials of a suite are made from. */
export type SuitePlan = ChosenSamples &
  Readonly<{
    suite: Pick<Suite, 'name' | 'file' | 'files' | 'definition' | 'prompts'>;
    dataset: LoadedDataset;
    lanes: readonly AgentLane[];
    /** How often each question is asked. */
    trials: number;
    judges?: readonly JudgeFacts[];
    prefer?: SuiteManifest['prefer'];
    deadlineMs(sample: Sample): number;
  }>;

/**
 * Samples times trials times agents times prompts. Agents alternate, so each has work from the
 * start.
 */
export function planTrials(
  plan: SuitePlan,
  { config, folder }: Pick<ReadyRun, 'config' | 'folder'>,
): readonly Trial[] {
  const run = basename(folder);
  const isCached = plan.lanes.some(({ cache }) => cache !== null);
  const { samples, choicesSeed: seed } = plan.dataset;
  const repeats = isCached ? countRepeats(samples) : new Map<string, number>();
  const numbers = Array.from({ length: plan.trials }, (_, index) => index + 1);
  const lanes = plan.lanes.map((lane) => describeLane(lane, config));
  // What an agent is asked depends on who plays its user.
  const user = plan.lanes[0]?.user?.fingerprint;
  return plan.share.flatMap((own) => {
    const questionHash = hashQuestion(own);
    const deadlineMs = plan.deadlineMs(own);
    const hashes = isCached ? own.attachments.map(hashAttachment) : [];
    const sent = user === undefined ? hashes : [...hashes, user];
    const limits = { steps: config.maxSteps, deadline: deadlineMs };
    const question = toQuestionKey(questionHash, sent, repeats.get(own.id) ?? 0);
    const shownIn = seed === undefined ? () => own : shuffleChoices(own, seed);
    return numbers.flatMap((trial) => {
      const sample = shownIn(trial);
      const order = toOrderKey(sample);
      return lanes.map(({ lane, agent, name }) => {
        const meta = toTrialMeta(plan, lane, own, questionHash, trial, run);
        if (lane.cache === null) return { sample, lane, meta, deadlineMs, key: null, cached: null };
        const key = { agent, name, prompt: lane.prompt.hash, question, order, ...limits, trial };
        const cached = toCachedFact(findCached(lane, key));
        return { sample, lane, meta, deadlineMs, key, attachmentHashes: hashes, cached };
      });
    });
  });
}

/** A lane, and its agent as keys of the cache have it. */
function describeLane(lane: AgentLane, { cacheKey }: EvalConfig) {
  const { fingerprint, name, parts } = lane.agent;
  const agent = shortHash(JSON.stringify([fingerprint, cacheKey]));
  const key = cacheKey === null ? {} : { EVAL_CACHE_KEY: shortHash(cacheKey) };
  if (parts !== undefined) lane.cache?.describeAgent(agent, { ...parts, ...key });
  return { lane, agent, name: shortHash(name) };
}

function toTrialMeta(
  { suite, dataset }: SuitePlan,
  lane: AgentLane,
  { id, group, groups, cluster }: Sample,
  questionHash: string,
  trial: number,
  run: string,
): TrialMeta {
  return {
    suite: suite.name,
    dataset: dataset.name,
    run,
    ...variantOf(lane),
    id,
    trial,
    group,
    groups,
    cluster,
    prompt_hash: lane.prompt.hash,
    question_hash: questionHash,
  };
}

/** Not the answer, which may have a long trace: a run has many. */
function toCachedFact(found: Outcome | null): Trial['cached'] {
  if (found === null) return null;
  return {
    at: found.answered_at,
    cost: found.outcome === 'answered' ? (found.answer.costUsd ?? null) : null,
  };
}

/**
 * What a run is about to do with each agent: how many trials are cached, how many it asks, and at
 * what cost.
 */
export function planAgents(
  lanes: readonly AgentLane[],
  trials: readonly Trial[],
): readonly AgentPlan[] {
  return lanes.map((lane) => {
    const { agent, cache, spec } = lane;
    const ofLane = trials.filter((trial) => trial.lane === lane);
    const cached = ofLane.flatMap((trial) => trial.cached ?? []);
    const ages = cached.map(({ at }) => at).sort();
    const costs = cached.flatMap(({ cost }) => cost ?? []);
    const toAsk = cache?.mode === 'only' ? 0 : ofLane.length - cached.length;
    const mean =
      costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    return {
      ...variantOf(lane),
      kept: cache !== null,
      trials: ofLane.length,
      cached: cached.length,
      oldest: ages[0] ?? null,
      newest: ages.at(-1) ?? null,
      to_ask: toAsk,
      expected_cost_usd: mean === null ? null : mean * toAsk,
      price: agent.price,
      own: (spec.setting !== undefined && !kindOf(spec).isModel) || undefined,
      seen_edits: describeUnseen(lane),
      missed_because: explainMisses(lane, ofLane),
    };
  });
}

/** What the cache cannot follow of an agent; absent where a suite caches nothing anyway. */
function describeUnseen({ agent, cache, secrets }: AgentLane): string | undefined {
  const { cacheCoverage } = agent;
  if (cacheCoverage === undefined || cache?.isOn === false) return undefined;
  return redactMessage(cacheCoverage, secrets);
}

/** The agent and prompt of a lane, as rows name them. */
export function variantOf({ agent, prompt }: AgentLane) {
  return pickVariant({ agent: agent.name, prompt: prompt.label });
}

/**
 * Records with equal questions get cache entries of their own: by id, how many equal ones come
 * before.
 */
function countRepeats(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  const repeats = new Map<string, number>();
  for (const sample of samples) {
    const question = hashQuestion(sample);
    const before = seen.get(question) ?? 0;
    seen.set(question, before + 1);
    if (before > 0) repeats.set(sample.id, before);
  }
  return repeats;
}

function toQuestionKey(
  questionHash: string,
  attachments: readonly string[],
  repeat: number,
): string {
  const key =
    attachments.length === 0
      ? questionHash
      : shortHash(JSON.stringify([questionHash, attachments]));
  return repeat === 0 ? key : `${key} ${repeat}`;
}

/** Undefined for the dataset's own order, also where a shuffle led back to it. */
function toOrderKey({ presentation }: Sample): string | undefined {
  const [labels, order] = [Object.keys, Object.values].map((list) =>
    JSON.stringify(list(presentation?.ownLabels ?? {})),
  );
  return order === undefined || order === labels ? undefined : shortHash(order);
}

/** Why trials are not cached; null if the agent was asked none of them before. */
function explainMisses({ cache, tools }: AgentLane, trials: readonly Trial[]): string | null {
  const missed = trials.flatMap(({ key, cached }) =>
    cached !== null || key === null ? [] : [key],
  );
  if (cache === null || missed.length === 0) return null;
  if (!cache.isOn) return '"cache: false" of the suite caches nothing';
  if (tools?.records === true && cache.mode === 'refresh')
    return 'EVAL_TOOLS=record asks all again';
  if (cache.mode === 'off' || cache.mode === 'refresh')
    return `EVAL_CACHE=${cache.mode} asks all again`;
  const counts = Map.groupBy(missed, (key) => nameMiss(cache.explainMiss(key), cache.mode));
  const reasons = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  const [[only = NEW] = []] = reasons;
  if (reasons.length === 1 && only === NEW) return null;
  if (reasons.length === 1 && missed.length === trials.length) return `all: ${only}`;
  return reasons.map(([reason, { length }]) => `${length}: ${reason}`).join('; ');
}

const NEW = 'not asked before';

function nameMiss(changed: readonly string[] | null, mode: EvalConfig['cache']): string {
  if (changed === null) return NEW;
  if (changed.length === 0)
    return mode === 'retry' ? 'failed before (EVAL_CACHE=retry)' : 'damaged in the cache';
  if (changed[0] === 'trial') return 'new trial';
  const names = changed
    .slice(0, MOST_NAMED)
    .map((each) => escapeLine(PART_NAMES[each] ?? each, 200));
  const more = changed.length - MOST_NAMED;
  const listed = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(' and ');
  return `${listed} changed`;
}

const MOST_NAMED = 3;

const PART_NAMES: Readonly<Record<string, string>> = {
  steps: 'step limit',
  order: 'order of options',
};
