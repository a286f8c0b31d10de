import type { AgentPlan, SuiteManifest } from '../src/runs/manifest.ts';
import { partOf, plural } from '../src/text/plural.ts';
import type { SampleResult } from '../src/types.ts';
import { formatCost } from './figures.ts';
import type { Remark } from './remark.ts';

type Plans = Pick<SuiteManifest, 'suite' | 'plans'>;

/** What is about to come from the answer cache, and what is about to be asked; nothing of a replay. */
export function toPlanRemarks({ suite, plans }: Plans): readonly Remark[] {
  return plans
    .filter(({ kept }) => kept)
    .flatMap((plan) =>
      [describePlan(plan), ...(plan.shared === true ? [SHARED] : [])].map((text) => ({
        suite,
        agent: plan.agent,
        text,
      })),
    );
}

const SHARED = 'another run is using this answer cache: a question that both ask is paid for twice';

/** What came from the answer cache, and how old it is; nothing where nothing did. */
export function toCacheRemarks({ suite, plans }: Plans, results: readonly SampleResult[]): readonly Remark[] {
  return plans.flatMap(({ agent, kept }) => {
    const own = results.filter((row) => row.suite === suite && row.agent === agent);
    const cached = own.filter((row) => row.cached);
    if (!kept || cached.length === 0) return [];
    const times = cached.flatMap(({ answered_at }) => answered_at ?? []).sort();
    const age = showAges(times[0] ?? null, times.at(-1) ?? null);
    const text = `${partOf(cached.length, own.length, 'result', 'is', 'are')} from the cache${age}`;
    // What a command imports cannot be known: an answer of before an edit there would pass for one of after it.
    const hint = agent.startsWith('command:') ? [{ suite, agent, text: COMMAND_HINT }] : [];
    return [{ suite, agent, text }, ...hint];
  });
}

const COMMAND_HINT =
  'kept answers count for the files named on its line, not for what these import: set EVAL_CACHE_KEY when that changes';

function describePlan(plan: AgentPlan): string {
  const missed = plan.missed_because === null ? '' : `; ${plan.missed_because}`;
  const asked = plan.to_ask === 0 ? 'nothing to ask' : `${plan.to_ask} to ask, ${describeCost(plan)}`;
  return `${plural(plan.trials, 'trial')}, ${plan.cached} from the cache${showAges(plan.oldest, plan.newest)}, ${asked}${missed}`;
}

/** Before a first answer nobody knows how many tokens one takes. */
function describeCost({ expected_cost_usd, price }: AgentPlan): string {
  if (price === undefined)
    return expected_cost_usd === null ? 'cost not known' : `cost about ${formatCost(expected_cost_usd)}`;
  if (expected_cost_usd !== null) return `cost about ${formatCost(expected_cost_usd)} (estimated)`;
  const { input, output, source } = price;
  const list = `${formatCost(input)} for a million tokens in, ${formatCost(output)} out`;
  return `cost not known before a first answer (estimated by ${source}: ${list})`;
}

function showAges(oldest: string | null, newest: string | null): string {
  if (oldest === null || newest === null) return '';
  const ages = [...new Set([showAge(oldest), showAge(newest)])];
  return ` (${ages.join(' to ')} old)`;
}

function showAge(time: string): string {
  const minutes = (Date.now() - Date.parse(time)) / 60_000;
  if (minutes < 120) return `${Math.max(0, Math.round(minutes))} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
