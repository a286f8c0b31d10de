import type { Audit, RuleFigures, SuiteAudit } from '../src/compare/audit.ts';
import { isGaiaItself, type ReferenceFigure, recogniseFullSplit, referencesFor } from '../src/metrics/full-split.ts';
import { hasRun, STATES } from '../src/states.ts';
import type { SuiteManifest } from '../src/store/manifest.ts';
import { toCutShort } from '../src/text/hide-records.ts';
import { partOf, plural } from '../src/text/wording.ts';
import type { SampleResult } from '../src/types.ts';
import { checkSubmission, renderSubmission, submissionIds } from './gaia-files.ts';
import type { Remark } from './remark.ts';
import { formatRate } from './tables.ts';

/** What is said of GAIA itself: whether the submission has the leaderboard's form, and what others reached. */
export function toGaiaRemarks(suite: SuiteManifest, results: readonly SampleResult[]): readonly Remark[] {
  if (!isGaiaItself(suite)) return [];
  const own = suite.agents.map((agent) => ({
    agent,
    rows: results.filter((row) => row.suite === suite.suite && row.agent === agent),
  }));
  const references = own.some(({ rows }) => ranWhole(suite, rows)) ? toReferenceRemarks(suite) : [];
  return [
    ...own.flatMap(({ agent, rows }) =>
      // A dry run has no submission.
      (rows.length === 0 ? [] : describeSubmission(suite, rows)).map((text) => ({ suite: suite.suite, agent, text })),
    ),
    ...references,
  ];
}

function describeSubmission(suite: SuiteManifest, results: readonly SampleResult[]): readonly string[] {
  const ids = submissionIds(suite);
  const size = `the submission has ${plural(ids.length, 'task')} in the leaderboard's form`;
  const split = recogniseFullSplit(suite);
  if (split === null || !ranWhole(suite, results))
    return [`${size}: a part, and the leaderboard takes whole splits only.`];
  const problems = checkSubmission([...renderSubmission(ids, results)].join(''), ids);
  if (problems.length > 0) return problems.slice(0, 5).map((problem) => `SUBMISSION: ${problem}.`);
  return [`${size}: the whole ${split} split.`];
}

/** Whether an agent was asked all that was selected: `-t`, a shard or Ctrl-C leave a part. */
function ranWhole({ ids }: SuiteManifest, results: readonly SampleResult[]): boolean {
  const asked = new Set(results.filter(hasRun).map(({ id }) => id));
  return ids.every((id) => asked.has(id));
}

function toReferenceRemarks(suite: SuiteManifest): readonly Remark[] {
  const split = recogniseFullSplit(suite);
  if (split === null) return [];
  const bySource = Map.groupBy(referencesFor(split), ({ source, date }) => `${source}, ${date}`);
  return [...bySource].map(([source, figures]) => {
    const of = figures.some((figure) => figure.split === 'both') ? 'both splits together' : split;
    const text = `reference, not measured here (${source}; ${of}): ${figures.map(describe).join(', ')}`;
    return { suite: suite.suite, agent: null, text };
  });
}

function describe({ who, group, accuracy, verified }: ReferenceFigure): string {
  const of = group === 'all' ? '' : `, ${group}`;
  return `${who}${of} ${formatRate(accuracy)}${verified ? '' : ' (unverified)'}`;
}

/**
 * Where other rules disagree with the verdicts that count, a sentence for each suite and agent; nothing where none does.
 * Of the rules that were asked for by name it is said too that they agree.
 */
export function toAuditRemarks({ suites }: Audit, named: readonly unknown[]): readonly Remark[] {
  return suites.flatMap((audit) => {
    const [onAnswers, onOutputs] = [list(audit, 'answer', named), list(audit, 'output', named)];
    const parts = [onAnswers, ...(onOutputs === '' ? [] : [`on whole outputs: ${onOutputs}`])];
    const text = `rule audit: ${parts.filter((part) => part !== '').join('; ')}`;
    return onAnswers === '' && onOutputs === '' ? [] : [{ suite: audit.suite, agent: audit.agent, text }];
  });
}

/** How the counts are to be read, and which rules could not be applied. */
export function toAuditNotes(audit: Audit, named: readonly unknown[]): readonly string[] {
  const legend = 'rule audit: + wrong answers that a rule would accept, - right ones that it would reject';
  return [
    ...(toAuditRemarks(audit, named).length > 0 ? [legend] : []),
    ...(isSemanticApplied(audit) ? [`rule audit: ${SEMANTIC_NOTE}`] : []),
    ...audit.problems.map((problem) => `rule audit: ${problem}`),
  ];
}

export const SEMANTIC_NOTE =
  'semantic is applied to extracted answers alone: the embedding of a whole output says little of the answer in it';

export function isSemanticApplied({ suites }: Audit): boolean {
  return suites.some(({ rules }) => rules.some(({ rule }) => rule.startsWith('semantic:')));
}

function list({ rules }: SuiteAudit, on: RuleFigures['on'], named: readonly unknown[]): string {
  const own = rules.filter((figures) => figures.on === on);
  const shown = own.filter(
    ({ rule, false_positives, false_negatives }) => false_positives + false_negatives > 0 || named.includes(rule),
  );
  return shown.map(describeAudit).join(', ');
}

/** "+" are wrong answers that the rule would accept, "-" right ones that it would reject. */
function describeAudit({ rule, false_positives, false_negatives }: RuleFigures): string {
  return `${rule} +${false_positives} -${false_negatives}`;
}

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
  const failed = rows.filter(({ state }) => STATES[state].isError);
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
