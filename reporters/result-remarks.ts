import type { Audit } from '../src/compare/audit.ts';
import { findSplitOfSize, isGaiaItself } from '../src/datasets/gaia/splits.ts';
import { groupBySide } from '../src/metrics/groups.ts';
import { costOf, hasRun, STATES, wasAsked } from '../src/states.ts';
import { listSides, type Manifest, type SuiteManifest } from '../src/store/manifest.ts';
import { toCutShort } from '../src/text/hide-records.ts';
import { isOfVariant, lineIf, partOf, pickVariant, plural } from '../src/text/wording.ts';
import type { SampleResult, Summary } from '../src/types.ts';
import { submissionIds } from './gaia-files.ts';
import { formatCost } from './html/page/format.js';
import type { Remark } from './remarks.ts';
import { formatTotalCost } from './tables.ts';

/**
 * Details behind the columns: outputs that were cut short, errors by kind, answers that are
 * retries.
 */
export function toReasonRemarks(results: readonly SampleResult[]): readonly Remark[] {
  return [...groupBySide(results).values()].flatMap((rows) => {
    const [first] = rows;
    const said = [describeCuts(rows), describeErrors(rows), describeAttempts(rows)].filter(
      (text) => text !== null,
    );
    return said.map((text) => ({ suite: first.suite, ...pickVariant(first), text }));
  });
}

function describeCuts(rows: readonly SampleResult[]): string | null {
  const cut = rows.filter(({ reason }) => toCutShort(reason) !== null);
  if (cut.length === 0) return null;
  const remedy = "Raise the agent's token limit (max_tokens, max_output_tokens).";
  return `${plural(cut.length, 'output was', 'outputs were')} cut short (${countReasons(cut)}) and graded as they are. ${remedy}`;
}

/**
 * The next run asks again after a rate limit or a server error. A cached error is not asked again.
 */
function describeErrors(rows: readonly SampleResult[]): string | null {
  const failed = rows.filter(({ state }) => STATES[state].isError);
  if (failed.length === 0) return null;
  const cached = failed.filter((row) => row.cached).length;
  const again = cached === 0 ? '' : `, ${cached} of them cached: EVAL_CACHE=retry asks again`;
  return `${plural(failed.length, 'error')} (${countReasons(failed)})${again}`;
}

/** An agent that is asked until it succeeds looks better than it is. */
function describeAttempts(rows: readonly SampleResult[]): string | null {
  const { length } = rows.filter(({ attempts }) => attempts > 1);
  if (length === 0) return null;
  const are = partOf(length, rows.length, 'answer', 'is a retry', 'are retries');
  return `${are} (EVAL_CACHE=retry): do not compare this accuracy with one of first attempts`;
}

function countReasons(rows: readonly SampleResult[]): string {
  const counts = Map.groupBy(rows, ({ reason }) => reason ?? '-');
  return [...counts].map(([reason, { length }]) => `${reason} ${length}`).join(', ');
}

/** How long calls waited before retries, and how far rate limits lowered the concurrency. */
export function toRateRemarks(results: readonly SampleResult[]): readonly string[] {
  const asked = results.filter(({ cached }) => !cached);
  return [...Map.groupBy(asked, ({ agent }) => agent)].flatMap(([agent, rows]) => {
    const slots = rows.flatMap((row) => row.slots ?? []).sort((a, b) => a - b);
    const [least = 0, most = 0] = [slots[0], slots.at(-1)];
    const waits = rows.map(({ waited_ms }) => waited_ms).filter((ms) => ms > 0);
    const seconds = (waits.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1);
    // A row has the time of a wait, not its cause.
    const why = 'rate limits, server errors or lost connections';
    const waited = `${plural(waits.length, 'call')} waited ${seconds} s in total to retry after ${why}; latency excludes this`;
    const cut = `rate limits lowered the concurrency from ${most} to ${least}`;
    const said = [...lineIf(waits.length > 0, waited), ...lineIf(least < most, cut)];
    return said.length === 0 ? [] : [`${agent}: ${said.join('; ')}`];
  });
}

/** What each agent cost at least, if the cost of some answers is not known. */
export function toCostRemarks({ suites }: Summary): readonly Remark[] {
  return suites.flatMap(({ suite, groups, ...side }) => {
    const all = groups.at(-1);
    if (all?.cost_at_least_usd === undefined) return [];
    const { without_cost = 0 } = all;
    const answers = `the cost of ${plural(without_cost, 'answer')} is not known`;
    const unknown =
      without_cost > 0 ? answers : 'calls under way when the run stopped are not counted';
    return [
      {
        suite,
        ...pickVariant(side),
        text: `cost: ${formatTotalCost(all)}; ${unknown}`,
      },
    ];
  });
}

/** What a run with a budget has spent. A merge has no such line: each shard had its own budget. */
export function toBudgetRemarks(
  { config, merged_from }: Manifest,
  results: readonly SampleResult[],
): readonly string[] {
  const limit = config['maxCost'];
  if (typeof limit !== 'number' || merged_from !== undefined) return [];
  const paid = results.filter((row) => wasAsked(row) && row.attempts > 0);
  const calls = paid.filter(({ cached }) => !cached);
  const known = paid.flatMap((row) => costOf(row).newlySpent ?? []);
  const spent = formatCost(known.reduce((sum, cost) => sum + cost, 0));
  const unknown = paid.length - known.length;
  const judges = paid.some(({ judge }) => judge !== undefined) ? ', with the judges,' : '';
  const [least, rest] =
    unknown === 0
      ? ['', '']
      : ['at least ', `; the cost of ${plural(unknown, 'call')} is not known`];
  return [
    `EVAL_MAX_COST=${limit}: ${plural(calls.length, 'call')}${judges} cost ${least}${spent}${rest}`,
  ];
}

/** For GAIA itself: whether the submission is complete. */
export function toGaiaRemarks(
  entry: SuiteManifest,
  results: readonly SampleResult[],
): readonly Remark[] {
  if (!isGaiaItself(entry)) return [];
  const { suite, ids } = entry;
  const split = findSplitOfSize(entry.groups);
  const tasks = plural(submissionIds(entry).length, 'task');
  return listSides(entry).flatMap((side) => {
    const rows = results.filter((row) => row.suite === suite && isOfVariant(row, side));
    // A dry run has none.
    if (rows.length === 0) return [];
    const ran = new Set(rows.filter(hasRun).map(({ id }) => id));
    // With `-t`, a shard or Ctrl-C the submission is a part.
    const isWhole = split !== null && ids.every((id) => ran.has(id));
    const part = isWhole
      ? `the whole ${split} split`
      : 'not a whole split, which the leaderboard requires';
    return { suite, ...pickVariant(side), text: `the submission file has ${tasks}: ${part}` };
  });
}

/**
 * Wrong answers that another rule accepts: only their form may be wrong. report.html has the other
 * figures.
 */
export function toAuditRemarks({ suites }: Audit): readonly Remark[] {
  return suites.flatMap(({ suite, rules, ...side }) => {
    // A short number overlaps with many others by chance.
    const accepting = rules.filter(
      ({ rule, on, false_positives }) =>
        on === 'answer' && false_positives > 0 && rule !== 'bidirectional',
    );
    const said = accepting.map(({ rule, false_positives }) =>
      describeAccepting(rule, false_positives),
    );
    const text = `${said.join('; ')}. See "Rules" in report.html.`;
    return said.length === 0 ? [] : [{ suite, ...pickVariant(side), text }];
  });
}

function describeAccepting(rule: string, count: number): string {
  const answers = plural(count, 'wrong answer');
  if (rule === 'contains')
    return `${answers} ${count === 1 ? 'contains' : 'contain'} the expected answer`;
  return `the rule ${rule} accepts ${answers}`;
}
