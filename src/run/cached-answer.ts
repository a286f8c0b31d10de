import type { CacheKey } from '../store/cache.ts';
import type { Agent, Outcome, Progress } from '../words/answer.ts';
import type { AgentLane } from './lanes.ts';

/** The cached outcome of a question; null if it must be asked. */
export function findCached(lane: AgentLane, key: CacheKey): Outcome | null {
  const found = lane.cache?.find(key) ?? null;
  return found && withPrices(found, lane);
}

/**
 * A cached outcome with its cost by the prices of this run, where that is an estimate. What an agent or
 * its provider stated stays.
 */
function withPrices(outcome: Outcome, lane: Pick<AgentLane, 'agent' | 'user'>): Outcome {
  if (outcome.outcome === 'answered')
    return { ...outcome, answer: { ...outcome.answer, ...priceAgain(outcome.answer, lane) } };
  const { error } = outcome;
  const progress = { ...error.progress, ...priceAgain(error.progress, lane) };
  return { ...outcome, error: error.with({ progress }) };
}

function priceAgain(spent: Progress, { agent, user }: Pick<AgentLane, 'agent' | 'user'>): Progress {
  const { requests, userRequests, conversation } = spent;
  if (requests === undefined && userRequests === undefined) return {};
  const played = conversation?.user;
  const stated = played === undefined ? 0 : played.cost_usd;
  const ofUser = userRequests === undefined ? stated : (user?.estimate?.(userRequests) ?? null);
  const ofAgent =
    requests === undefined ? subtract(spent.costUsd, stated) : (agent.estimate?.(requests) ?? null);
  const cost = ofUser === null || ofAgent === null ? undefined : ofUser + ofAgent;
  return {
    costUsd: cost,
    costEstimated: cost === undefined ? undefined : true,
    trace: priceSteps(spent, agent),
    conversation: played &&
      conversation && { ...conversation, user: { ...played, cost_usd: ofUser } },
  };
}

function subtract(whole: number | undefined, part: number | null): number | null {
  return whole === undefined || part === null ? null : whole - part;
}

/** The steps of the model are its replies, in the order of the requests. */
function priceSteps(
  { trace, requests = [] }: Progress,
  { estimate }: Pick<Agent, 'estimate'>,
): Progress['trace'] {
  const replies = trace?.filter(({ role }) => role === undefined) ?? [];
  if (replies.length !== requests.length) return trace;
  const costs = new Map(replies.map((step, at) => [step, estimate?.(requests.slice(at, at + 1))]));
  return trace?.map((step) =>
    costs.has(step) ? { ...step, cost_usd: costs.get(step) ?? undefined } : step,
  );
}
