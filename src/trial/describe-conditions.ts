import type { EvalConfig } from '../config.ts';
import type { AgentConditions } from '../runs/manifest.ts';
import type { Sample } from '../types.ts';
import type { Station } from './obtain.ts';
import { shortHash } from './question.ts';

/** What the answers of each agent depend on beside questions and prompt; the samples are those of all shards. */
export function describeConditions(
  stations: readonly Station[],
  samples: readonly Sample[],
  { cacheKey, maxSteps }: Pick<EvalConfig, 'cacheKey' | 'maxSteps'>,
  deadlineMs: (sample: Sample) => number,
): readonly AgentConditions[] {
  const deadlines = [...new Map(samples.map((sample) => [sample.group, deadlineMs(sample) / 1000]))];
  return stations.map(({ agent }) => ({
    agent: agent.name,
    fingerprint: agent.fingerprint === undefined ? null : shortHash(agent.fingerprint),
    cache_key: cacheKey === null ? null : shortHash(cacheKey),
    deadlines,
    max_steps: maxSteps,
  }));
}
