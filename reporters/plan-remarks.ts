import type { AgentPlan, JudgeFacts, SuiteManifest } from '../src/store/manifest.ts';
import type { PlannedMeta } from '../src/store/trial-meta.ts';
import { lineIf, plural } from '../src/text/show.ts';
import { isOfVariant, pickVariant } from '../src/text/wording.ts';
import { formatCost } from './html/page/format.js';
import type { Remark } from './remarks.ts';

/**
 * How many answers are cached, how many will be asked for, their cost, and which edits the cache
 * cannot see; nothing for a replay.
 */
export function toPlanRemarks({
  suite,
  plans,
  trials,
  judges = [],
  user,
}: PlannedSuite): readonly Remark[] {
  const most = plans.reduce((sum, plan) => sum + plan.trials, 0);
  const played =
    user && `users played by ${user.name}, ${describeCost({ expected_cost_usd: null, ...user })}`;
  const ofSuite = [
    ...lineIf(judges.length > 0, describeJudges(judges, most)),
    ...(played ? [played] : []),
  ];
  return [
    ...ofSuite.map((text) => ({ suite, agent: null, text })),
    ...plans
      .filter(({ kept }) => kept)
      .flatMap((plan) =>
        [describePlan(plan, trials)]
          .concat(plan.seen_edits ?? [])
          .map((text) => ({ suite, ...pickVariant(plan), text })),
      ),
  ];
}

type PlannedSuite = Pick<SuiteManifest, 'suite' | 'plans' | 'trials' | 'judges' | 'user'>;

function describePlan(plan: AgentPlan, repeats: number): string {
  const { trials, cached, oldest, newest, to_ask, missed_because } = plan;
  const why = missed_because === null ? '' : ` (${missed_because})`;
  const open = trials - cached;
  const unasked = open === 0 ? 'nothing to ask' : `EVAL_CACHE=only leaves out ${open}${why}`;
  const asked = to_ask === 0 ? unasked : `${to_ask} to ask${why}, ${describeCost(plan)}`;
  const known = `${plural(trials, repeats === 1 ? 'question' : 'trial')}, ${cached} cached${showAges(oldest, newest)}`;
  return `${known}, ${asked}`;
}

/** Who will judge a run's answers, and at what price. */
export function describeJudges(judges: readonly JudgeFacts[], trials: number): string {
  const each = judges.map(
    ({ judge, ...costs }) => `${judge}, ${describeCost({ expected_cost_usd: null, ...costs })}`,
  );
  return `judged by ${each.join('; ')}: at most ${trials} verdicts by each criterion`;
}

function describeCost({
  expected_cost_usd,
  price,
}: Pick<AgentPlan, 'expected_cost_usd' | 'price'>): string {
  if (expected_cost_usd !== null) {
    return `cost about ${formatCost(expected_cost_usd)}${price === undefined ? '' : ' (estimated)'}`;
  }
  if (price === undefined) return 'cost not known';
  return price.input + price.output === 0 ? 'free' : 'cost not known before the first answer';
}

/** " (3 h to 2 days old)"; '' if the times (ISO 8601) are not known. */
function showAges(...times: readonly (string | null)[]): string {
  const ages = new Set(times.flatMap((time) => (time === null ? [] : showAge(time))));
  return ages.size === 0 ? '' : ` (${[...ages].join(' to ')} old)`;
}

function showAge(time: string): string {
  const minutes = (Date.now() - Date.parse(time)) / 60_000;
  if (minutes < 120) return `${Math.max(0, Math.round(minutes))} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

/**
 * The plans of a suite, limited to the tests that a name, a tag or --last-failed selects. Ages, and
 * the reasons why answers are not cached, are known for the whole suite only.
 */
export function toPickedPlans(
  plans: readonly AgentPlan[],
  tests: readonly Readonly<{ meta: PlannedMeta; picked: boolean }>[],
): readonly AgentPlan[] {
  if (tests.every(({ picked }) => picked)) return plans;
  return plans.flatMap((plan) => {
    const own = tests.filter(({ meta, picked }) => picked && isOfVariant(meta, plan));
    if (own.length === 0) return [];
    const cached = own.filter(({ meta }) => meta.cached === true).length;
    // Under EVAL_CACHE=only nothing is asked, though not all is cached.
    const to_ask = plan.to_ask === 0 ? 0 : own.length - cached;
    const { expected_cost_usd: whole } = plan;
    const expected_cost_usd =
      whole === null || plan.to_ask === 0 ? null : (whole / plan.to_ask) * to_ask;
    const unknown = { oldest: null, newest: null, missed_because: null };
    return [{ ...plan, ...unknown, trials: own.length, cached, to_ask, expected_cost_usd }];
  });
}
