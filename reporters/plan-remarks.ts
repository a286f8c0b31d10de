import type { AgentPlan, JudgeFacts, SuiteManifest } from '../src/store/manifest.ts';
import type { PlannedMeta } from '../src/store/sample-log.ts';
import { countVariants, isOfVariant, lineIf, pickVariant, plural } from '../src/text/wording.ts';
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
}: PlannedSuite): readonly Remark[] {
  const ofSides = plans.filter(({ kept }) => kept);
  const most = plans.reduce((sum, plan) => sum + plan.trials, 0);
  const ofSuite = [
    ...describeProduct(plans, trials),
    ...lineIf(judges.length > 0, describeJudges(judges, most)),
  ];
  return [
    ...ofSuite.map((text) => ({ suite, agent: null, text })),
    ...ofSides.flatMap((plan) =>
      [describePlan(plan, trials)]
        .concat(plan.seen_edits ?? [])
        .map((text) => ({ suite, ...pickVariant(plan), text })),
    ),
  ];
}

type PlannedSuite = Pick<SuiteManifest, 'suite' | 'plans' | 'trials' | 'judges'>;

/** With several prompts: "2 prompts x 2 agents x 30 questions = 120 questions". */
function describeProduct(plans: readonly AgentPlan[], trials: number): readonly string[] {
  const [first] = plans;
  const isEven = plans.every((plan) => plan.trials === first?.trials);
  if (first?.prompt === undefined || !isEven) return [];
  const repeated = trials === 1 ? '' : ` x ${trials} trials`;
  const product = `${countVariants(plans)} x ${plural(first.trials / trials, 'question')}${repeated}`;
  return [`${product} = ${plural(plans.length * first.trials, 'question')}`];
}

function describePlan(plan: AgentPlan, repeats: number): string {
  const { trials, cached, oldest, newest, to_ask, missed_because, shared } = plan;
  const why = missed_because === null ? '' : ` (${missed_because})`;
  const open = trials - cached;
  const unasked = open === 0 ? 'nothing to ask' : `EVAL_CACHE=only leaves out ${open}${why}`;
  const asked = to_ask === 0 ? unasked : `${to_ask} to ask${why}, ${describeCost(plan)}`;
  const known = `${plural(trials, repeats === 1 ? 'question' : 'trial')}, ${cached} cached${showAges(oldest, newest)}`;
  return `${known}, ${asked}${shared === true ? SHARED : ''}`;
}

/** Who will judge a run's answers, and at what price. */
export function describeJudges(judges: readonly JudgeFacts[], trials: number): string {
  const each = judges.map(({ judge, to_ask, ...costs }) => {
    if (to_ask === 0) return `${judge}: nothing to ask`;
    const most = `at most ${trials} verdicts by each criterion`;
    const count = to_ask === undefined ? most : plural(Math.min(to_ask, trials), 'verdict');
    return `${judge}: ${count} to ask, ${describeCost({ expected_cost_usd: null, ...costs })}`;
  });
  return `judged by ${each.join('; ')}`;
}

const SHARED =
  '; another run uses this answer cache now, and both pay for a question that both ask';

function describeCost({
  expected_cost_usd,
  price,
}: Pick<AgentPlan, 'expected_cost_usd' | 'price'>): string {
  if (expected_cost_usd !== null) {
    return `cost about ${formatCost(expected_cost_usd)}${price === undefined ? '' : ' (estimated)'}`;
  }
  if (price === undefined) return 'cost not known';
  const { input, output, source } = price;
  if (input + output === 0) return 'free';
  const list = `${formatCost(input)} per million input tokens, ${formatCost(output)} per million output tokens`;
  return `cost not known before the first answer (${source}: ${list})`;
}

/** " (3 h to 2 days old)"; '' if the times (ISO 8601) are not known. */
export function showAges(
  oldest: string | null,
  newest: string | null,
  now = new Date().toISOString(),
): string {
  if (oldest === null || newest === null) return '';
  return ` (${[...new Set([showAge(oldest, now), showAge(newest, now)])].join(' to ')} old)`;
}

function showAge(time: string, now: string): string {
  const minutes = (Date.parse(now) - Date.parse(time)) / 60_000;
  if (minutes < 120) return `${Math.max(0, Math.round(minutes))} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

/**
 * The plans of a suite, limited to the tests that a name, a tag or --last-failed selects. Ages, and
 * the reasons why answers are not cached, are known for the whole suite only.
 */
export function toPickedPlans(
  plans: readonly AgentPlan[],
  tests: readonly { readonly meta: PlannedMeta; readonly picked: boolean }[],
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
    const isForAll = cached < own.length && plan.missed_because?.startsWith('all: ') === true;
    const unknown = { oldest: null, newest: null, ...(isForAll ? {} : { missed_because: null }) };
    return [{ ...plan, ...unknown, trials: own.length, cached, to_ask, expected_cost_usd }];
  });
}
