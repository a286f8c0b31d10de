import type { Audit } from '../src/compare/audit.ts';
import { groupByVariant } from '../src/metrics/groups.ts';
import { hasVerdict, listCriteria } from '../src/metrics/judge-calibration.ts';
import { isOpen, listScores } from '../src/metrics/named-scores.ts';
import { hasRun, isAskedAgain, STATES } from '../src/states.ts';
import { findModel, toCutShort } from '../src/text/hide-records.ts';
import { lineIf, partOf, plural, quote } from '../src/text/show.ts';
import { pickVariant } from '../src/text/wording.ts';
import type { ConversationFacts, CriterionVerdicts, SampleResult, Summary } from '../src/types.ts';
import { formatTotalCost } from './format-figures.ts';
import type { Remark } from './remarks.ts';

/** Why the figures of a variant are less than they seem, and what explains them. */
export function toResultRemarks(results: readonly SampleResult[]): readonly Remark[] {
  return [...groupByVariant(results).values()].flatMap((rows) => {
    const [first] = rows;
    const texts = [
      ...describeCuts(rows),
      ...describeErrors(rows),
      ...describeAttempts(rows),
      ...describeWaits(rows),
      ...describeVerdicts(rows),
      ...describeOwnJudges(rows),
      ...describeUsers(rows),
    ];
    return texts.map((text) => ({ suite: first.suite, ...pickVariant(first), text }));
  });
}

function describeCuts(rows: readonly SampleResult[]): readonly string[] {
  const cut = rows.filter(({ reason }) => toCutShort(reason) !== null);
  const outputs = plural(cut.length, 'output was', 'outputs were');
  const remedy = "Raise the agent's token limit (max_tokens, max_output_tokens).";
  return lineIf(
    cut.length > 0,
    `${outputs} cut short (${countReasons(cut)}) and graded as they are. ${remedy}`,
  );
}

function describeErrors(rows: readonly SampleResult[]): readonly string[] {
  const failed = rows.filter(({ state }) => STATES[state].isError);
  const cached = failed.filter((row) => row.cached).length;
  // Only a call of this run has slots: a replay asks nothing.
  const asked = failed.filter((row) => row.slots !== undefined && isAskedAgain(row.reason)).length;
  const again = [
    ...lineIf(cached > 0, `, ${cached} of them cached: EVAL_CACHE=retry asks again`),
    ...lineIf(asked > 0, `; the next run asks ${asked} of them again`),
  ];
  return lineIf(
    failed.length > 0,
    `${plural(failed.length, 'error')} (${countReasons(failed)})${again.join('')}`,
  );
}

/** An agent that is asked until it succeeds looks better than it is. */
function describeAttempts(rows: readonly SampleResult[]): readonly string[] {
  const { length } = rows.filter(({ attempts }) => attempts > 1);
  const are = partOf(length, rows.length, 'answer', 'is a retry', 'are retries');
  return lineIf(
    length > 0,
    `${are} (EVAL_CACHE=retry): do not compare this accuracy with one of first attempts`,
  );
}

function countReasons(rows: readonly SampleResult[]): string {
  return countTexts(rows.map(({ reason }) => reason ?? '-'));
}

function countTexts(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].map(([text, { length }]) => `${text} ${length}`).join(', ');
}

/** A row has the time of a wait, not its cause. */
function describeWaits(rows: readonly SampleResult[]): readonly string[] {
  const waits = rows.flatMap(({ cached, waited_ms }) =>
    cached || waited_ms === 0 ? [] : waited_ms,
  );
  const seconds = (waits.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1);
  const why = 'rate limits, server errors or lost connections';
  return lineIf(
    waits.length > 0,
    `${plural(waits.length, 'call')} waited ${seconds} s in total to retry after ${why}; latency excludes this`,
  );
}

/** Where verdicts of judges are missing or differ. */
function describeVerdicts(rows: readonly SampleResult[]): readonly string[] {
  const judged = rows.filter(({ judge }) => judge !== undefined);
  const isUndecided = (row: SampleResult) => !hasRun(row) && row.reason === 'judge';
  const scores = [...listScores(judged).keys()].map((name) => {
    return { name, open: judged.filter((row) => isOpen(row, name)) };
  });
  const open = new Set([...judged.filter(isUndecided), ...scores.flatMap((score) => score.open)]);
  const whys = [...open].map(explainNoVerdict);
  const error = [...open].flatMap(listJudgeErrors).find((reason) => reason !== '');
  const first = error === undefined ? '' : ` The first error: ${quote(error)}.`;
  const again = whys.includes(FAILED) ? `. The next run asks failed judges again.${first}` : '';
  const none = `${partOf(open.size, judged.length, 'judged answer', 'has', 'have')} no verdict (${countTexts(whys)})`;
  const { length: undecided } = [...open].filter(isUndecided);
  const decided = open.size - undecided;
  const ends = [
    ...lineIf(undecided > 0, `${decided > 0 ? `${undecided} ` : ''}neither right nor wrong`),
    ...lineIf(decided > 0, `${undecided > 0 ? `${decided} ` : ''}wrong by another score`),
  ];
  const differing = judged.filter((row) => listCriteria(row).some(disagree));
  return [
    ...lineIf(open.size > 0, `${none}: ${ends.join(', ')}${again}`),
    ...scores.flatMap(({ name, open: { length } }) =>
      lineIf(
        length > 0,
        `${plural(length, 'answer has', 'answers have')} no verdict for the score ${quote(name)}: its mean is not known`,
      ),
    ),
    ...lineIf(
      differing.length > 0,
      `the judges disagree on ${differing.length} of ${plural(judged.length, 'answer')}; report.html has their reasons`,
    ),
  ];
}

function disagree({ verdicts }: CriterionVerdicts): boolean {
  return new Set(verdicts.filter((one) => one !== 'error')).size > 1;
}

const FAILED = 'judge failed';

const listOpen = (row: SampleResult) => listCriteria(row).filter((one) => !hasVerdict(one));

/** What went wrong; '' where it is hidden. */
function listJudgeErrors(row: SampleResult): readonly string[] {
  return listOpen(row).flatMap(({ verdicts, reasons }) =>
    reasons.filter((_, index) => verdicts[index] === 'error'),
  );
}

function explainNoVerdict(row: SampleResult): string {
  const verdicts = listOpen(row).flatMap((criterion) => criterion.verdicts);
  if (verdicts.includes('error')) return FAILED;
  return verdicts.every((verdict) => verdict === 'cannot_tell') ? 'cannot tell' : 'no majority';
}

/** What simulated users did that people do not do. */
function describeUsers(rows: readonly SampleResult[]): readonly string[] {
  const played = rows.flatMap(({ conversation }) => (conversation?.user ? [conversation] : []));
  const count = (isMeant: (facts: ConversationFacts) => boolean | undefined) =>
    played.filter(isMeant).length;
  const kinds = [
    ['was cut off by maxTurns', count(({ ended }) => ended === 'max_turns')],
    ['was done at once', count(({ user }) => user?.faults.includes('says nothing'))],
    ['repeated itself', count(({ user }) => user?.faults.includes('repeats itself'))],
    ['spoke for the agent', count(({ user }) => user?.faults.includes('answers itself'))],
  ] as const;
  const shown = kinds
    .filter(([, found]) => found > 0)
    .map(([what, found]) => `${what} in ${found}`);
  const of = plural(played.length, 'conversation');
  return lineIf(
    shown.length > 0,
    `the simulated user ${shown.join(', ')} of ${of}. Read them, and change persona, goal or model.`,
  );
}

function describeOwnJudges(rows: readonly SampleResult[]): readonly string[] {
  const models = new Set(rows.flatMap(({ agent, model }) => [findModel(agent), model]));
  const judges = new Set(rows.flatMap((row) => listCriteria(row).flatMap((each) => each.models)));
  return [...judges]
    .filter((judge) => models.has(findModel(judge) ?? judge))
    .map((judge) => `${judge} judges answers of its own model, which it may prefer`);
}

/** What each agent cost at least, if the cost of some answers is not known. */
export function toCostRemarks({ suites }: Summary): readonly Remark[] {
  return suites.flatMap(({ suite, groups, ...variant }) => {
    const all = groups.at(-1);
    if (all?.cost_at_least_usd === undefined) return [];
    const { without_cost = 0 } = all;
    const answers = `the cost of ${plural(without_cost, 'answer')} is not known`;
    const unknown =
      without_cost > 0 ? answers : 'calls under way when the run stopped are not counted';
    const text = `cost: ${formatTotalCost(all)}; ${unknown}`;
    return [{ suite, ...pickVariant(variant), text }];
  });
}

/** Wrong answers that another rule accepts: only their form may be wrong. */
export function toAuditRemarks({ suites }: Audit): readonly Remark[] {
  return suites.flatMap(({ suite, rules, ...variant }) => {
    // A short number overlaps with many others by chance.
    const accepting = rules.filter(
      ({ rule, on, false_positives }) =>
        on === 'answer' && false_positives > 0 && rule !== 'bidirectional',
    );
    const counts = accepting.map(
      ({ rule, false_positives }) =>
        `the rule ${rule} accepts ${plural(false_positives, 'wrong answer')}`,
    );
    const text = `${counts.join('; ')}. See "Rules" in report.html.`;
    return counts.length === 0 ? [] : [{ suite, ...pickVariant(variant), text }];
  });
}
