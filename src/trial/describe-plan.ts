import type { CacheParts } from '../runs/kept-answer.ts';
import type { AgentPlan } from '../runs/manifest.ts';
import type { CachedAnswers } from './cached-ask.ts';
import type { Station } from './obtain.ts';
import type { Trial } from './run-trial.ts';

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
