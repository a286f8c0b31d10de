import type { AgentConditions } from '../runs/manifest.ts';
import type { ProvidedRun } from '../session/provided-run.ts';
import type { Agent, Sample } from '../types.ts';
import type { Station } from './obtain.ts';
import { shortHash } from './question.ts';

type Run = Pick<Extract<ProvidedRun, { readonly status: 'ready' }>, 'config' | 'shard'>;

/** What the answers of each agent depend on beside questions and prompt; the samples are those of all shards. */
export function describeConditions(
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
