import { relative } from 'node:path';
import type { GateResult } from '../src/metrics/gates.ts';
import type { AgentPlan, SuiteManifest } from '../src/runs/manifest.ts';
import type { SampleResult, Summary } from '../src/types.ts';
import { toAuditRemarks } from './audit-remarks.ts';
import { toBudgetRemarks } from './budget-remarks.ts';
import type { Conclusion, SuiteTrials } from './conclude-run.ts';
import { formatCost, formatRate } from './figures.ts';
import { toFlipRemarks } from './flips.ts';
import { toGaiaRemarks } from './gaia-remarks.ts';
import { explainNotRun } from './not-run.ts';
import { toRateRemarks } from './rate-remarks.ts';
import { toReasonRemarks } from './reason-remarks.ts';

/** What is said below the tables, a sentence each: how the data was read, what is wrong with the figures, the gates. */
export function toRemarks(conclusion: Conclusion): readonly string[] {
  return [
    ...conclusion.flips.flatMap(toFlipRemarks),
    ...conclusion.manifest.suites.flatMap(({ suite, notes }) => notes.map((note) => `${suite}: ${note}`)),
    ...conclusion.manifest.suites.flatMap(toPlanRemarks),
    ...conclusion.trials.flatMap((trials) => toTrialRemarks(trials, conclusion.summary)),
    ...conclusion.manifest.suites.flatMap((suite) => toPriceRemarks(suite, conclusion.settled.results)),
    ...toBudgetRemarks(conclusion.manifest, conclusion.settled.results),
    ...toRateRemarks(conclusion.settled.results),
    ...toReasonRemarks(conclusion.settled.results),
    ...conclusion.manifest.suites.flatMap((suite) => toGaiaRemarks(suite, conclusion.settled.results)),
    ...toAuditRemarks(conclusion.audit),
    ...toWarnings(conclusion),
    ...conclusion.gates.map(toGateRemark),
    `Run folder: ${showFolder(conclusion.folder)}`,
    conclusion.exit.reason,
  ];
}

/** What came from the answer cache, and what a run asked or would ask; nothing of a replay. */
export function toPlanRemarks({ suite, plans }: SuiteManifest): readonly string[] {
  return plans
    .filter(({ kept }) => kept)
    .flatMap((plan) => {
      const age =
        plan.newest === null || plan.oldest === null ? '' : ` (${showAge(plan.oldest)} to ${showAge(plan.newest)} old)`;
      const missed = plan.missed_because === null ? '' : `; ${plan.missed_because}`;
      const asked = plan.to_ask === 0 ? 'nothing to ask' : `${plan.to_ask} to ask, ${describeCost(plan)}`;
      const trials = plan.trials === 1 ? '1 trial' : `${plan.trials} trials`;
      const said = `${suite}, ${plan.agent}: ${trials}, ${plan.cached} from the cache${age}, ${asked}${missed}`;
      return [said, ...when(reusesCommand(plan), `${suite}, ${plan.agent}: ${COMMAND_HINT}`)];
    });
}

/** What a command imports cannot be known: an answer of before an edit there would pass for one of after it. */
function reusesCommand({ agent, cached }: AgentPlan): boolean {
  return cached > 0 && agent.startsWith('command:');
}

const COMMAND_HINT =
  'kept answers count for the files named on its line, not for what these import: set EVAL_CACHE_KEY when that changes';

/** Before a first answer nobody knows how many tokens one takes. */
function describeCost({ expected_cost_usd, price }: AgentPlan): string {
  if (price === undefined)
    return expected_cost_usd === null ? 'cost not known' : `cost about ${formatCost(expected_cost_usd)}`;
  if (expected_cost_usd !== null) return `cost about ${formatCost(expected_cost_usd)} (estimated)`;
  const { input, output, source } = price;
  const list = `${formatCost(input)} for a million tokens in, ${formatCost(output)} out`;
  return `cost not known before a first answer (estimated by ${source}: ${list})`;
}

/** Whose prices the costs of the tables are made of. */
function toPriceRemarks({ suite, plans }: SuiteManifest, results: readonly SampleResult[]): readonly string[] {
  const estimated = results.filter((row) => row.suite === suite && row.cost_estimated === true);
  const agents = new Set(estimated.map(({ agent }) => agent));
  return plans.flatMap(({ agent, price }) =>
    price === undefined || !agents.has(agent)
      ? []
      : [`${suite}, ${agent}: costs are estimated: tokens at the prices of ${price.source}`],
  );
}

function showAge(time: string): string {
  const minutes = (Date.now() - Date.parse(time)) / 60_000;
  if (minutes < 120) return `${Math.max(0, Math.round(minutes))} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

/** Relative inside the current folder, absolute elsewhere. */
function showFolder(folder: string): string {
  const path = relative(process.cwd(), folder);
  return path.startsWith('..') ? folder : path;
}

/** What makes the figures less than they look. */
function toWarnings({ settled, unreadable, outside }: Conclusion): readonly string[] {
  const { leftOut, kept, missing, results, duplicates } = settled;
  const generated = leftOut + results.length;
  const { counts, stops } = explainNotRun(results);
  return [
    ...when(leftOut > 0, `PARTIAL: ${leftOut} of ${generated} generated tests were not picked and are not counted.`),
    ...when(kept > 0, `This turn ran ${results.length - kept} tests; ${kept} keep their result from an earlier turn.`),
    ...when(missing.length > 0, `NOT COMPLETE: ${missing.length} of ${results.length} ${whyNotRun(counts)}`),
    ...stops.slice(0, 5).map((stop) => `STOPPED: ${stop}`),
    ...duplicates.slice(0, 5).map((name) => `DUPLICATE: ${name} has more than one result.`),
    ...when(unreadable > 0, `TORN: ${unreadable} lines of samples.jsonl cannot be read.`),
    ...outside.slice(0, 5).map((failure) => `OUTSIDE THE ANSWERS: ${failure}`),
    ...when(outside.length > 5, `OUTSIDE THE ANSWERS: ${outside.length - 5} more failures.`),
  ];
}

function when(holds: boolean, remark: string): readonly string[] {
  return holds ? [remark] : [];
}

/** pass@k (some of k trials right) and pass^k (all of them), and the questions whose trials differ. */
function toTrialRemarks(
  { suite, dataset, agent, rates, unstable }: SuiteTrials,
  { suites }: Summary,
): readonly string[] {
  const own = suites.find((other) => other.suite === suite && other.dataset === dataset && other.agent === agent);
  const { n = 0, questions = 0 } = own?.groups.at(-1) ?? {};
  const figures = rates.map(
    ({ k, pass_at_k, pass_hat_k }) => `k=${k} ${formatRate(pass_at_k)} / ${formatRate(pass_hat_k)}`,
  );
  const shown = unstable.slice(0, 10).join(', ');
  const more = unstable.length > 10 ? ` and ${unstable.length - 10} more` : '';
  return [
    `${suite}, ${agent}: n counts ${n} trials of ${questions} questions; the 95 % interval is over questions`,
    ...when(rates.length > 0, `${suite}, ${agent}: pass@k / pass^k: ${figures.join(', ')}`),
    ...when(unstable.length > 0, `${suite}, ${agent}: ${unstable.length} unstable questions: ${shown}${more}`),
  ];
}

function whyNotRun(counts: string): string {
  return `results were not run (${counts}): there is no accuracy, only its bounds.`;
}

function toGateRemark({ gate, agent, holds, explanation }: GateResult): string {
  const verdict = holds === null ? 'gate not judged' : holds ? 'gate holds' : 'GATE MISSED';
  const weight = gate.advisory === true ? ' (advisory)' : '';
  return `${verdict}${weight}: ${gate.suite} (${gate.dataset}, ${agent}): ${explanation}`;
}
