import { relative } from 'node:path';
import { hasRun } from '../src/states.ts';
import type { Manifest, SuiteManifest } from '../src/store/manifest.ts';
import { partOf, plural } from '../src/text/wording.ts';
import type { SampleResult, Summary } from '../src/types.ts';
import { toFlipRemarks } from './comparison.ts';
import type { Conclusion, SuiteTrials } from './conclude-run.ts';
import { toCacheRemarks, toGateRemark, toPlanRemarks } from './plan-remarks.ts';
import { type Remark, toLines } from './remark.ts';
import { toAuditNotes, toAuditRemarks, toGaiaRemarks, toReasonRemarks } from './result-remarks.ts';
import { explainNotRun } from './settle.ts';
import { formatCost, formatRate } from './tables.ts';

/** What is said below the tables, a sentence each: how the data was read, what is wrong with the figures, the gates. */
export function toRemarks(conclusion: Conclusion): readonly string[] {
  const { manifest, summary, settled, audit } = conclusion;
  const { suites } = manifest;
  return [
    ...toLines(
      [
        ...suites.flatMap(toNoteRemarks),
        // A dry run is its plan; before every other run it was printed.
        ...suites.flatMap((suite) =>
          manifest.config['dryRun'] === true ? toPlanRemarks(suite) : toCacheRemarks(suite, conclusion.fresh),
        ),
        ...conclusion.trials.flatMap((trials) => toTrialRemarks(trials, summary)),
        ...suites.flatMap((suite) => toPriceRemarks(suite, settled.results)),
        ...toCostRemarks(summary),
        ...toReasonRemarks(settled.results),
        ...suites.flatMap((suite) => toGaiaRemarks(suite, settled.results)),
        ...toAuditRemarks(audit, listAudited(manifest)),
      ],
      summary.suites,
    ),
    ...toAuditNotes(audit, listAudited(manifest)),
    ...toBudgetRemarks(manifest, settled.results),
    ...toRateRemarks(settled.results),
    ...conclusion.flips.flatMap(toFlipRemarks),
    ...toWarnings(conclusion),
    ...conclusion.gates.map((gate) => toGateRemark(gate, conclusion)),
    `Run folder: ${showFolder(conclusion.folder)}`,
    conclusion.exit.reason,
  ];
}

/** What loaders and agents had to say; a note that begins with an agent's name is about that agent. */
function toNoteRemarks({ suite, agents, notes }: SuiteManifest): readonly Remark[] {
  return notes.map((note) => {
    const agent = agents.find((name) => note.startsWith(`${name}: `)) ?? null;
    return { suite, agent, text: agent === null ? note : note.slice(agent.length + 2) };
  });
}

/** The rules that EVAL_AUDIT names. */
function listAudited({ config }: Manifest): readonly unknown[] {
  const { audit } = config;
  return Array.isArray(audit) ? audit : [];
}

/** Whose prices the costs of the tables are made of. */
function toPriceRemarks({ suite, plans }: SuiteManifest, results: readonly SampleResult[]): readonly Remark[] {
  const estimated = results.filter((row) => row.suite === suite && row.cost_estimated === true);
  const agents = new Set(estimated.map(({ agent }) => agent));
  return plans.flatMap(({ agent, price }) =>
    price === undefined || !agents.has(agent)
      ? []
      : [{ suite, agent, text: `costs are estimated: tokens at the prices of ${price.source}` }],
  );
}

/** Relative inside the current folder, absolute elsewhere. */
function showFolder(folder: string): string {
  const path = relative(process.cwd(), folder);
  return path.startsWith('..') ? folder : path;
}

/** What makes the figures less than they look. */
function toWarnings({ settled, summary, unreadable, outside }: Conclusion): readonly string[] {
  const { leftOut, kept, missing, results, duplicates } = settled;
  const generated = leftOut + results.length;
  const { counts, stops } = explainNotRun(results);
  return [
    ...when(leftOut > 0, `PARTIAL: ${describeLeftOut(leftOut, generated)}`),
    ...when(kept > 0, `This turn ran ${describeKept(results.length - kept, kept)} from an earlier turn.`),
    ...when(
      missing.length > 0,
      `NOT COMPLETE: ${describeNotRun(missing.length, results.length)} (${counts})${describeBounds(summary)}`,
    ),
    ...stops.slice(0, 5).map((stop) => `STOPPED: ${stop}`),
    ...duplicates.slice(0, 5).map((name) => `DUPLICATE: ${name} has more than one result.`),
    ...when(unreadable > 0, `TORN: ${plural(unreadable, 'line')} of samples.jsonl cannot be read.`),
    ...outside.slice(0, 5).map((failure) => `OUTSIDE THE ANSWERS: ${failure}`),
    ...when(outside.length > 5, `OUTSIDE THE ANSWERS: ${plural(outside.length - 5, 'more failure')}.`),
  ];
}

/** Names the suites where others have an accuracy, because they lack nothing or only samples without a target. */
function describeBounds({ suites }: Summary): string {
  const lacking = suites.filter(({ groups }) => groups.some(({ accuracy, graded }) => accuracy === null && graded > 0));
  if (lacking.length === 0) return '.';
  const names = lacking.map(({ suite, dataset, agent }) => `${suite} (${dataset}, ${agent})`);
  const whose = lacking.length === suites.length ? '' : `of ${names.join(', ')} `;
  return `: ${whose}there is no accuracy, only its bounds.`;
}

function describeKept(ran: number, kept: number): string {
  return `${plural(ran, 'test')}; ${plural(kept, 'keeps its result', 'keep their result')}`;
}

function describeLeftOut(leftOut: number, generated: number): string {
  const were = partOf(leftOut, generated, 'generated test', 'was not picked and is', 'were not picked and are');
  return `${were} not counted.`;
}

function describeNotRun(missing: number, all: number): string {
  return `${partOf(missing, all, 'result', 'was', 'were')} not run`;
}

function when(holds: boolean, remark: string): readonly string[] {
  return holds ? [remark] : [];
}

/** pass@k (some of k trials right) and pass^k (all of them), and the questions whose trials differ. */
function toTrialRemarks(
  { suite, dataset, agent, rates, unstable }: SuiteTrials,
  { suites }: Summary,
): readonly Remark[] {
  const own = suites.find((other) => other.suite === suite && other.dataset === dataset && other.agent === agent);
  const { n = 0, questions = 0 } = own?.groups.at(-1) ?? {};
  const figures = rates.map(
    ({ k, pass_at_k, pass_hat_k }) => `k=${k} ${formatRate(pass_at_k)} / ${formatRate(pass_hat_k)}`,
  );
  const shown = unstable.slice(0, 10).join(', ');
  const more = unstable.length > 10 ? ` and ${unstable.length - 10} more` : '';
  const said = [
    `n counts ${plural(n, 'trial')} of ${plural(questions, 'question')}; the 95 % interval is over questions`,
    ...when(rates.length > 0, `pass@k / pass^k: ${figures.join(', ')}`),
    ...when(unstable.length > 0, `${plural(unstable.length, 'unstable question')}: ${shown}${more}`),
  ];
  return said.map((text) => ({ suite, agent, text }));
}

/**
 * How many calls of an agent had to wait, and how far the number of those at once was cut. Rows tell of a wait and not
 * of its cause, which may be a connection on which no status came back; only a refusal cuts the number.
 */
export function toRateRemarks(results: readonly SampleResult[]): readonly string[] {
  const asked = results.filter(({ cached }) => !cached);
  return [...Map.groupBy(asked, ({ agent }) => agent)].flatMap(([agent, rows]) => toRateRemark(agent, rows));
}

function toRateRemark(agent: string, rows: readonly SampleResult[]): readonly string[] {
  const slots = rows.flatMap((row) => (row.slots === undefined ? [] : [row.slots]));
  const waits = rows.filter(({ waited_ms }) => waited_ms > 0);
  const least = slots.reduce((low, count) => Math.min(low, count), Number.POSITIVE_INFINITY);
  const most = slots.reduce((high, count) => Math.max(high, count), 0);
  const seconds = waits.reduce((sum, { waited_ms }) => sum + waited_ms, 0) / 1000;
  const calls = plural(waits.length, 'call was', 'calls were');
  const waited = `${calls} put off, refused or not reached, for ${seconds.toFixed(1)} s in all, which count in no latency`;
  const cut = `calls were refused as too many, and as few as ${least} at once were asked instead of ${most}`;
  const said = [...(waits.length > 0 ? [waited] : []), ...(least < most ? [cut] : [])];
  return said.length === 0 ? [] : [`${agent}: ${said.join('; ')}`];
}

/** What each agent cost at least, where some of its answers have no cost. */
export function toCostRemarks({ suites }: Summary): readonly Remark[] {
  return suites.flatMap(({ suite, agent, groups }) => {
    const { cost_at_least_usd, without_cost = 0 } = groups.at(-1) ?? {};
    if (cost_at_least_usd === undefined) return [];
    const lacking = `${plural(without_cost, 'answer')} without a cost`;
    return [{ suite, agent, text: `cost: at least ${formatCost(cost_at_least_usd)}, ${lacking}` }];
  });
}

/** What a run with a budget has spent as far as that is known. Of a merge nothing is said: each shard had its own budget. */
export function toBudgetRemarks(
  { config, merged_from }: Manifest,
  results: readonly SampleResult[],
): readonly string[] {
  const limit = config['maxCost'];
  if (typeof limit !== 'number' || merged_from !== undefined) return [];
  const calls = results.filter((row) => hasRun(row) && row.attempts > 0 && !row.cached);
  const known = calls.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
  const spent = formatCost(known.reduce((sum, cost) => sum + cost, 0));
  const unknown = calls.length - known.length;
  const said = unknown === 0 ? spent : `at least ${spent}`;
  const silent = unknown === 0 ? '' : `, ${plural(unknown, 'answer')} without a cost`;
  return [`EVAL_MAX_COST=${limit}: ${said} were spent by ${plural(calls.length, 'call')}${silent}`];
}
