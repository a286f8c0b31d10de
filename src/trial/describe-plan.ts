import type { CacheParts } from '../runs/kept-answer.ts';
import type { AgentPlan } from '../runs/manifest.ts';
import type { Station } from './obtain.ts';
import type { Trial } from './run-trial.ts';

/** What a run is about to do with each agent: how many trials are kept already, how many it will ask, at what cost. */
export function describePlans(stations: readonly Station[], trials: readonly Trial[]): readonly AgentPlan[] {
  return stations.map((station) =>
    describePlan(
      station,
      trials.filter((trial) => trial.station === station),
    ),
  );
}

function describePlan({ agent, answers }: Station, trials: readonly Trial[]): AgentPlan {
  const found = trials.map(({ parts }) => (parts === null ? null : (answers?.find(parts) ?? null)));
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
    missed_because: kept.length > 0 ? null : explainMisses(missed, answers),
  };
}

/** Why nothing was found although the questions were answered before: what changed, when it is the same for all. */
function explainMisses(missed: readonly CacheParts[], answers: Station['answers']): string | null {
  const reasons = missed.map((parts) => answers?.explainMiss(parts) ?? null);
  const [first] = reasons;
  if (!first || first.length === 0) return null;
  return reasons.every((reason) => reason?.join() === first.join())
    ? `${first.map(nameOf).join(' and ')} changed`
    : null;
}

function nameOf(part: keyof CacheParts): string {
  return part === 'limits' ? 'deadline or step limit' : part;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
