import type { AgentPlan, SuiteManifest } from '../src/store/manifest.ts';
import type { PlannedMeta } from '../src/store/trial-meta.ts';
import { formatDollars } from '../src/words/amounts.js';
import { lineIf, plural } from '../src/words/show.ts';
import { isOfVariant } from '../src/words/variant.ts';

/** What is known of a suite before its first question. */
export type PlannedSuite = Pick<
  SuiteManifest,
  'suite' | 'plans' | 'trials' | 'judges' | 'prefer' | 'user'
>;

/** How many answers are cached, how many will be asked for, and their cost; nothing for a replay. */
export function describePlan(plan: AgentPlan, { trials: repeats }: PlannedSuite) {
  if (!plan.kept) return [];
  const { trials, cached, oldest, newest, to_ask, missed_because } = plan;
  const why = missed_because === null ? '' : ` (${missed_because})`;
  const open = trials - cached;
  const unasked = open === 0 ? 'nothing to ask' : `EVAL_CACHE=only leaves out ${open}${why}`;
  const asked = to_ask === 0 ? unasked : `${to_ask} to ask${why}, ${describeExpectedCost(plan)}`;
  const counts = `${plural(trials, repeats === 1 ? 'question' : 'trial')}, ${cached} cached${showAges(oldest, newest)}`;
  return [`${counts}, ${asked}`];
}

/** What the cache cannot follow; nothing for a replay. */
export function describeUnseenEdits({ kept, seen_edits }: AgentPlan): readonly string[] {
  return kept && seen_edits !== undefined ? [seen_edits] : [];
}

/** Who will judge a run's answers, and at what price. */
export function describeAskedJudges({ judges = [], plans }: PlannedSuite): readonly string[] {
  const most = plans.reduce((sum, plan) => sum + plan.trials, 0);
  const each = judges.map(({ judge, ...costs }) => `${judge}, ${describeExpectedCost(costs)}`);
  const text = `judged by ${each.join('; ')}: at most ${most} verdicts by each criterion`;
  return lineIf(judges.length > 0, text);
}

/** Who will judge which answers in pairs, and at what price. */
export function describeAskedPairs({ prefer }: PlannedSuite): readonly string[] {
  if (prefer === undefined) return [];
  const { judges, pairs, known = 0 } = prefer;
  if (judges.length === 0)
    return ['"prefer" compares nothing: one agent, one prompt and no EVAL_BASELINE'];
  const each = judges.map(({ judge, ...costs }) => `${judge}, ${describeExpectedCost(costs)}`);
  const asked = plural(2 * pairs * judges.length, 'verdict');
  const left = known === 0 ? '' : `, ${known} of them known`;
  return [
    `${plural(pairs, 'pair')} judged by ${each.join('; ')}: at most ${asked}, two by each${left}`,
  ];
}

/** Who will play the users of conversations, and at what price. */
export function describeAskedUser({ user }: PlannedSuite): readonly string[] {
  return user === undefined ? [] : [`users played by ${user.name}, ${describeExpectedCost(user)}`];
}

function describeExpectedCost({
  expected_cost_usd = null,
  price,
  own,
}: Partial<Pick<AgentPlan, 'expected_cost_usd' | 'price' | 'own'>>): string {
  if (expected_cost_usd !== null) {
    return `cost about ${formatDollars(expected_cost_usd)}${price === undefined ? '' : ' (estimated)'}`;
  }
  const free = own === true ? ' (free: true in the suite if it costs nothing)' : '';
  if (price === undefined) return `cost not known${free}`;
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
    const ofPlan = tests.filter(({ meta, picked }) => picked && isOfVariant(meta, plan));
    if (ofPlan.length === 0) return [];
    const cached = ofPlan.filter(({ meta }) => meta.cached === true).length;
    // Under EVAL_CACHE=only nothing is asked, though not all is cached.
    const to_ask = plan.to_ask === 0 ? 0 : ofPlan.length - cached;
    const { expected_cost_usd: whole } = plan;
    const expected_cost_usd =
      whole === null || plan.to_ask === 0 ? null : (whole / plan.to_ask) * to_ask;
    const unknown = { oldest: null, newest: null, missed_because: null };
    return [{ ...plan, ...unknown, trials: ofPlan.length, cached, to_ask, expected_cost_usd }];
  });
}
