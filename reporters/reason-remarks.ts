import { toCutShort } from '../src/cut-short.ts';
import { partOf, plural } from '../src/text/plural.ts';
import type { SampleResult } from '../src/types.ts';
import type { Remark } from './remark.ts';

/** What the columns count without saying it: outputs that were cut short, errors by their kind, later attempts. */
export function toReasonRemarks(results: readonly SampleResult[]): readonly Remark[] {
  const byAgent = Map.groupBy(results, ({ suite, agent }) => JSON.stringify([suite, agent]));
  return [...byAgent.values()].flatMap((rows) =>
    [describeCuts(rows), describeErrors(rows), describeAttempts(rows)].flatMap((text) => toRemark(rows, text)),
  );
}

function toRemark([first]: readonly SampleResult[], text: string | null): readonly Remark[] {
  return first === undefined || text === null ? [] : [{ suite: first.suite, agent: first.agent, text }];
}

function describeCuts(rows: readonly SampleResult[]): string | null {
  const cut = rows.filter(({ reason }) => toCutShort(reason) !== null);
  if (cut.length === 0) return null;
  const remedy = "Raise the agent's limit of tokens (max_tokens, max_output_tokens).";
  return `${plural(cut.length, 'output was', 'outputs were')} cut short (${countReasons(cut)}) and graded as far as written. ${remedy}`;
}

/** Rate limits, servers and the like are asked again by the next run; what came from the cache will be there again. */
function describeErrors(rows: readonly SampleResult[]): string | null {
  const failed = rows.filter(({ state }) => state === 'errored');
  if (failed.length === 0) return null;
  const kept = failed.filter(({ cached }) => cached);
  const again = `; ${kept.length} from the cache, which EVAL_CACHE=retry asks again`;
  return `${plural(failed.length, 'error')} (${countReasons(failed)})${kept.length === 0 ? '' : again}`;
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
