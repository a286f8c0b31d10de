import type { AgentPlan } from '../src/runs/manifest.ts';
import type { PlannedMeta } from '../src/runs/trial-meta.ts';

/** A generated test before it runs. */
type PlannedTest = { readonly meta: PlannedMeta; readonly picked: boolean };

/** The plans of a suite, of no more than the tests that a name, a tag or --last-failed picked. */
export function toPickedPlans(plans: readonly AgentPlan[], tests: readonly PlannedTest[]): readonly AgentPlan[] {
  if (tests.every(({ picked }) => picked)) return plans;
  return plans.flatMap((plan) => {
    const own = tests.filter(({ meta, picked }) => picked && meta.agent === plan.agent);
    return own.length === 0 ? [] : [toPickedPlan(plan, own)];
  });
}

/** Ages, and counts of why answers are missed, are known of the whole suite only. */
function toPickedPlan(plan: AgentPlan, own: readonly PlannedTest[]): AgentPlan {
  const cached = own.filter(({ meta }) => meta.kept === true).length;
  const to_ask = own.length - cached;
  const each = plan.expected_cost_usd === null || plan.to_ask === 0 ? null : plan.expected_cost_usd / plan.to_ask;
  return {
    ...plan,
    trials: own.length,
    cached,
    oldest: null,
    newest: null,
    to_ask,
    expected_cost_usd: each === null ? null : each * to_ask,
    missed_because: plan.missed_because?.startsWith('all missed') === true && to_ask > 0 ? plan.missed_because : null,
  };
}
