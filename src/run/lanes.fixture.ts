import type { Agent } from '../words/answer.ts';
import type { AgentLane } from './lanes.ts';
import { ProviderQueue } from './queue.ts';
import { Workdir } from './workdir.ts';

/** What else a run says of lanes, where nothing was spent and nothing is hidden. */
export const UNSPENT = { spentUsd: 0, secrets: [], mcp: null, blockedBecause: null };

/** The names of a trial, as its row has them. */
export const NAMED = {
  ...{ suite: 'gaia', dataset: 'made-up', agent: 'fake', id: 'a', trial: 1, group: 'level 1' },
  ...{ prompt_hash: '', question_hash: '', run: 'r' },
};

/** The limits of a call that nothing ends. */
export const CALL = {
  trial: 1,
  deadlineMs: 60_000,
  maxSteps: null,
  workdir: new Workdir([]),
  cancelled: new AbortController().signal,
};

/** A lane without budget and cache, before an agent that never answers unless another is given. */
export function makeLane({
  agent,
  ...facts
}: Partial<Omit<AgentLane, 'agent'>> & { agent?: Partial<Agent> } = {}) {
  const queue = new ProviderQueue({ concurrency: 2, budget: null, pilot: false });
  const answer = () => new Promise<never>(() => {});
  const lane: AgentLane = {
    agent: { name: 'fake', answer, ...agent },
    spec: { kind: 'openai', target: 'm', text: 'openai:m' },
    prompt: { text: '{{question}}', hash: '', name: null },
    ...{ queue, budget: null, cache: null, secrets: [], isHidden: false },
    ...facts,
  };
  return lane;
}
