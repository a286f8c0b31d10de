import type { Audit, RuleFigures, SuiteAudit } from '../src/compare/audit.ts';
import { type FullSplit, isGaiaItself, recogniseFullSplit, referencesFor } from '../src/metrics/full-split.ts';
import { hasRun, STATES } from '../src/states.ts';
import type { Manifest, SuiteManifest } from '../src/store/manifest.ts';
import { toCutShort } from '../src/text/hide-records.ts';
import { partOf, plural, when } from '../src/text/wording.ts';
import type { SampleResult, Summary } from '../src/types.ts';
import { submissionIds } from './gaia-files.ts';
import { formatCost } from './html/page/format.js';
import type { Remark } from './remarks.ts';
import { formatRate } from './tables.ts';

/** Details behind the columns: outputs that were cut short, errors by their kind, later attempts. */
export function toReasonRemarks(results: readonly SampleResult[]): readonly Remark[] {
  const byAgent = Map.groupBy(results, ({ suite, agent }) => JSON.stringify([suite, agent]));
  return [...byAgent.values()].flatMap((rows) =>
    [describeCuts(rows), describeErrors(rows), describeAttempts(rows)].flatMap((text) => {
      const [first] = rows;
      return first === undefined || text === null ? [] : [{ suite: first.suite, agent: first.agent, text }];
    }),
  );
}

function describeCuts(rows: readonly SampleResult[]): string | null {
  const cut = rows.filter(({ reason }) => toCutShort(reason) !== null);
  if (cut.length === 0) return null;
  const remedy = "Raise the agent's limit of tokens (max_tokens, max_output_tokens).";
  return `${plural(cut.length, 'output was', 'outputs were')} cut short (${countReasons(cut)}) and graded as far as written. ${remedy}`;
}

/** Rate limits, servers and the like are asked again by the next run; errors in the cache are not. */
function describeErrors(rows: readonly SampleResult[]): string | null {
  const failed = rows.filter(({ state }) => STATES[state].isError);
  if (failed.length === 0) return null;
  const cached = failed.filter((row) => row.cached).length;
  const again = cached === 0 ? '' : `; ${cached} from the cache, which EVAL_CACHE=retry asks again`;
  return `${plural(failed.length, 'error')} (${countReasons(failed)})${again}`;
}

/** Failures that are asked until they succeed make any agent look good. */
function describeAttempts(rows: readonly SampleResult[]): string | null {
  const { length } = rows.filter(({ attempts }) => attempts > 1);
  if (length === 0) return null;
  const are = partOf(length, rows.length, 'answer', 'is a second or later attempt', 'are second or later attempts');
  return `${are} (EVAL_CACHE=retry): not comparable with a first attempt`;
}

function countReasons(rows: readonly SampleResult[]): string {
  const counts = Map.groupBy(rows, ({ reason }) => reason ?? '-');
  return [...counts].map(([reason, { length }]) => `${reason} ${length}`).join(', ');
}

/** How many calls of an agent had to wait, and how far the number of calls at once was cut. */
export function toRateRemarks(results: readonly SampleResult[]): readonly string[] {
  const asked = results.filter(({ cached }) => !cached);
  return [...Map.groupBy(asked, ({ agent }) => agent)].flatMap(([agent, rows]) => {
    const slots = rows.flatMap((row) => row.slots ?? []).sort((a, b) => a - b);
    const [least = 0, most = 0] = [slots[0], slots.at(-1)];
    const waits = rows.map(({ waited_ms }) => waited_ms).filter((ms) => ms > 0);
    const seconds = (waits.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1);
    // Rows tell of a wait and not of its cause.
    const why = 'for repeats after rate limits, server errors or lost connections, which counts in no latency';
    const waited = `${plural(waits.length, 'call')} waited ${seconds} s in all ${why}`;
    const cut = `rate limits cut the calls at once from ${most} to ${least}`;
    const said = [...when(waits.length > 0, waited), ...when(least < most, cut)];
    return said.length === 0 ? [] : [`${agent}: ${said.join('; ')}`];
  });
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
  const known = calls.flatMap(({ cost_usd }) => cost_usd ?? []);
  const spent = formatCost(known.reduce((sum, cost) => sum + cost, 0));
  const unknown = calls.length - known.length;
  const [least, silent] = unknown === 0 ? ['', ''] : ['at least ', `, ${plural(unknown, 'answer')} without a cost`];
  return [`EVAL_MAX_COST=${limit}: ${least}${spent} were spent by ${plural(calls.length, 'call')}${silent}`];
}

/** What is said of GAIA itself: whether the submission is complete, and what others reached. */
export function toGaiaRemarks(entry: SuiteManifest, results: readonly SampleResult[]): readonly Remark[] {
  if (!isGaiaItself(entry)) return [];
  const { suite, ids, agents } = entry;
  const split = recogniseFullSplit(entry);
  const tasks = plural(submissionIds(entry).length, 'task');
  const own = agents.flatMap((agent) => {
    const rows = results.filter((row) => row.suite === suite && row.agent === agent);
    const ran = new Set(rows.filter(hasRun).map(({ id }) => id));
    // `-t`, a shard or Ctrl-C leave a part. A dry run has no submission.
    return rows.length === 0 ? [] : [{ agent, isWhole: split !== null && ids.every((id) => ran.has(id)) }];
  });
  return [
    ...own.map(({ agent, isWhole }) => {
      const part = isWhole ? `the whole ${split} split.` : 'a part, and the leaderboard takes whole splits only.';
      return { suite, agent, text: `the submission has ${tasks} in the leaderboard's form: ${part}` };
    }),
    ...(split !== null && own.some(({ isWhole }) => isWhole) ? toReferenceRemarks(suite, split) : []),
  ];
}

function toReferenceRemarks(suite: string, split: FullSplit): readonly Remark[] {
  const bySource = Map.groupBy(referencesFor(split), ({ source, date }) => `${source}, ${date}`);
  return [...bySource].map(([source, figures]) => {
    const of = figures.some((figure) => figure.split === 'both') ? 'both splits together' : split;
    const said = figures.map(({ who, group, accuracy, verified }) => {
      const part = group === 'all' ? '' : `, ${group}`;
      return `${who}${part} ${formatRate(accuracy)}${verified ? '' : ' (unverified)'}`;
    });
    return { suite, agent: null, text: `reference, not measured here (${source}; ${of}): ${said.join(', ')}` };
  });
}

/** Where other rules disagree with the verdicts that count, for each suite and agent; nothing where none does. */
export function toAuditRemarks({ suites }: Audit): readonly Remark[] {
  return suites.flatMap((audit) => {
    const [onAnswers, onOutputs] = [listRules(audit, 'answer'), listRules(audit, 'output')];
    const parts = [onAnswers, onOutputs === '' ? '' : `on whole outputs: ${onOutputs}`].filter((part) => part !== '');
    const text = `rule audit (+ wrongly accepts, - wrongly rejects): ${parts.join('; ')}`;
    return parts.length === 0 ? [] : [{ suite: audit.suite, agent: audit.agent, text }];
  });
}

function listRules({ rules }: SuiteAudit, on: RuleFigures['on']): string {
  return rules
    .filter((figures) => figures.on === on && figures.false_positives + figures.false_negatives > 0)
    .map(({ rule, false_positives, false_negatives }) => `${rule} +${false_positives} -${false_negatives}`)
    .join(', ');
}
