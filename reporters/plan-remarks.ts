import type { Exit } from '../src/metrics/exit-code.ts';
import type { GateResult } from '../src/metrics/gates.ts';
import type { AgentPlan, Manifest, SuiteManifest } from '../src/store/manifest.ts';
import type { PlannedMeta } from '../src/store/sample-log.ts';
import { partOf, plural } from '../src/text/wording.ts';
import type { GroupSummary, SampleResult, Summary } from '../src/types.ts';
import type { Remark } from './remark.ts';
import { formatCost } from './tables.ts';

type Plans = Pick<SuiteManifest, 'suite' | 'plans'>;

/** What is about to come from the answer cache, and what is about to be asked; nothing of a replay. */
export function toPlanRemarks({ suite, plans }: Plans): readonly Remark[] {
  return plans.filter(({ kept }) => kept).map((plan) => ({ suite, agent: plan.agent, text: describePlan(plan) }));
}

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

/** What a gate says of one agent, in a line; loud only where the gate decides the exit code. */
export function toGateRemark(
  result: GateResult,
  { manifest, summary, exit }: { readonly manifest: Manifest; readonly summary: Summary; readonly exit: Exit },
): string {
  const { gate, agent, holds, explanation } = result;
  const decides = gate.advisory !== true && exit.code !== null;
  const missed = decides ? 'GATE MISSED' : 'gate missed';
  const verdict = holds === null ? 'gate not judged' : holds ? 'gate holds' : missed;
  const weight = gate.advisory === true ? ' (advisory)' : '';
  const selection = describeSelection(findGroup(result, summary), countDataset(result, manifest));
  return `${verdict}${weight}: ${gate.suite} (${gate.dataset}, ${agent}): ${explanation}${selection}`;
}

/** A gate that holds for one question must not look like one that holds for the dataset. */
function describeSelection(group: GroupSummary | undefined, whole: number): string {
  if (group === undefined || group.questions >= whole) return '';
  const { n, graded, questions } = group;
  const facts = [
    `n = ${n}`,
    ...(questions < n ? [plural(questions, 'question')] : []),
    ...(graded < n ? [`${graded} graded`] : []),
    `a selection of ${whole}`,
  ];
  return ` (${facts.join(', ')})`;
}

function findGroup({ gate, agent }: GateResult, { suites }: Summary): GroupSummary | undefined {
  const own = suites.find(
    (suite) => suite.suite === gate.suite && suite.dataset === gate.dataset && suite.agent === agent,
  );
  return own?.groups.find(({ group }) => group === gate.group);
}

/** How many questions the whole dataset has in the gate's group; 0 where an older manifest does not say. */
function countDataset({ gate }: GateResult, { suites }: Manifest): number {
  const sizes = suites.find(({ suite }) => suite === gate.suite)?.group_sizes ?? [];
  const own = sizes.filter(([group]) => gate.group === 'all' || group === gate.group);
  return own.reduce((sum, [, samples]) => sum + samples, 0);
}
