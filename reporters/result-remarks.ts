import { describeHidden } from '../src/data/describe-dataset.ts';
import { hasVerdict, listCriteria } from '../src/figures/judge-calibration.ts';
import { findRareLabels } from '../src/figures/labels.ts';
import { isOpen, listScores } from '../src/figures/named-scores.ts';
import { formatSeconds } from '../src/words/amounts.js';
import type { ConversationFacts } from '../src/words/answer.ts';
import { findModel, toCutShort } from '../src/words/audience.ts';
import { isSplit } from '../src/words/panel.ts';
import {
  type CriterionVerdicts,
  ERROR_NAMES,
  hasRun,
  hasTarget,
  isAskedAgain,
  isCorrect,
  isCounted,
  type SampleResult,
  STATES,
} from '../src/words/row.ts';
import { cut, lineIf, listIds, listUp, partOf, plural, quote } from '../src/words/show.ts';
import { adviseCuts } from '../src/words/unfinished.ts';

/** The results of a variant, and whether their texts must be hidden. */
export type VariantRows = Readonly<{ rows: readonly SampleResult[]; isHidden: boolean }>;

/** A row has the time of a wait, not its cause. */
export function describeWaits({ rows }: VariantRows): readonly string[] {
  const waits = rows.flatMap(({ cached, waited_ms }) =>
    cached || waited_ms === 0 ? [] : waited_ms,
  );
  const time = formatSeconds(waits.reduce((sum, ms) => sum + ms, 0));
  const why = 'rate limits, server errors or lost connections';
  return lineIf(
    waits.length > 0,
    `${plural(waits.length, 'call')} waited ${time} in total to retry after ${why}; latency excludes this`,
  );
}

export function describeDisagreement({ rows }: VariantRows): readonly string[] {
  const judged = listJudged(rows);
  const { length } = judged.filter((row) => listCriteria(row).some(disagree));
  const text = `the judges disagree on ${length} of ${plural(judged.length, 'answer')}; report.html has their reasons`;
  return lineIf(length > 0, text);
}

export function describeOwnJudges({ rows }: VariantRows): readonly string[] {
  const models = new Set(rows.flatMap(({ agent, model }) => [findModel(agent), model]));
  const judges = new Set(rows.flatMap((row) => listCriteria(row).flatMap((each) => each.models)));
  return [...judges]
    .filter((judge) => models.has(findModel(judge) ?? judge))
    .map((judge) => `${judge} judges answers of its own model, which it may prefer`);
}

/** What simulated users did that people do not do. */
export function describeUserFaults({ rows }: VariantRows): readonly string[] {
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

/** Where simulated users failed: the agent's answers are neither right nor wrong. */
export function describeFailedUsers({ rows, isHidden }: VariantRows): readonly string[] {
  const failed = rows.flatMap((row) => (!hasRun(row) && row.reason === 'user' ? [row] : []));
  const why = quoteFirst(
    failed.map(({ explanation }) => explanation.replace(/^The simulated user failed: /, '')),
    isHidden,
  );
  const of = partOf(failed.length, rows.length, 'conversation', 'was', 'were');
  return lineIf(failed.length > 0, `${of} not played, since the simulated user failed${why}`);
}

/** Wrong answers that another rule accepts: only their form may be wrong. */
export function describeRules({ rows }: VariantRows): readonly string[] {
  const wrong = rows.filter((row) => row.answer !== null && isCounted(row) && !isCorrect(row));
  const rules = new Set(wrong.flatMap((row) => Object.keys(row.rules ?? {})));
  // A short number overlaps with many others by chance.
  rules.delete('bidirectional');
  const accepting = [...rules].flatMap((rule) => {
    const ids = wrong.filter((row) => row.rules?.[rule] === true).map(({ id }) => id);
    const answers = plural(ids.length, 'wrong answer');
    const named = listIds([...new Set(ids)], 240);
    return lineIf(ids.length > 0, `the rule ${rule} accepts ${answers} (${named})`);
  });
  return lineIf(accepting.length > 0, accepting.join('; '));
}

/** Labels except for a text or two, if nothing is missing: their figures would be expected. */
export function describeRareLabels({ rows, isHidden }: VariantRows): readonly string[] {
  const { rare, of } = findRareLabels(rows);
  const texts = isHidden
    ? ''
    : ` (${listUp(
        rare.map((text) => quote(text)),
        3,
      )})`;
  const only = `${partOf(rare.length, of, 'expected answer', 'is', 'are')} of one question alone`;
  return lineIf(
    rare.length > 0 && rows.every((row) => !hasTarget(row) || hasRun(row)),
    `no macro F1 and no table of labels, because ${only}${texts}`,
  );
}

/** An agent that is asked until it succeeds looks better than it is. */
export function describeRetries({ rows }: VariantRows): readonly string[] {
  const { length } = rows.filter(({ attempts }) => attempts > 1);
  const are = partOf(length, rows.length, 'answer', 'is a retry', 'are retries');
  return lineIf(
    length > 0,
    `${are} (EVAL_CACHE=retry): do not compare this accuracy with one of first attempts`,
  );
}

export function describeCuts({ rows }: VariantRows): readonly string[] {
  const reasons = rows.flatMap(({ reason }) => toCutShort(reason) ?? []);
  const outputs = plural(reasons.length, 'output was', 'outputs were');
  const graded = reasons.length === 1 ? 'graded as it is' : 'graded as they are';
  return lineIf(
    reasons.length > 0,
    `${outputs} cut short (${countTexts(reasons)}) and ${graded}. ${adviseCuts(reasons)}`,
  );
}

/** Of the questions that were asked, by whatever agents. */
export function describeNoTarget(rows: readonly SampleResult[]): readonly string[] {
  const asked = rows.filter(hasRun);
  const graded = new Set(asked.filter(hasTarget).map(({ id }) => id));
  const all = new Set(asked.map(({ id }) => id));
  return describeHidden(all.size - graded.size, all.size);
}

/** Where judges reached no verdict. */
export function describeNoVerdict({ rows, isHidden }: VariantRows): readonly string[] {
  const judged = listJudged(rows);
  const names = [...listScores(judged).keys()];
  const open = judged.filter((row) => isUndecided(row) || names.some((name) => isOpen(row, name)));
  const whys = open.map(explainNoVerdict);
  const none = `${partOf(open.length, judged.length, 'judged answer', 'has', 'have')} no verdict (${countTexts(whys)})`;
  const { length: undecided } = open.filter(isUndecided);
  const decided = open.length - undecided;
  // A grade that is missing decides nothing.
  const isWrong = !open.some(isCorrect);
  const ends = [
    ...lineIf(undecided > 0, `${decided > 0 ? `${undecided} ` : ''}neither right nor wrong`),
    ...lineIf(
      decided > 0,
      `${undecided > 0 ? `${decided} ` : ''}${isWrong ? 'wrong' : 'decided'} by another score`,
    ),
  ];
  const lacking = judged.filter((row) => listCriteria(row).some(hasFailed));
  const { length: failed } = lacking;
  // Those of a panel that has a verdict all the same.
  const { length: others } = lacking.filter((row) => !open.includes(row));
  const change =
    others === 0 ? '' : `, which may change ${plural(others, 'verdict')} of the others`;
  const first = quoteFirst(listJudgeErrors(lacking), isHidden);
  return [
    ...lineIf(open.length > 0, `${none}: ${ends.join(', ')}`),
    ...lineIf(
      failed > 0,
      `a judge failed on ${plural(failed, 'answer')} (the next run asks again${change})${first}`,
    ),
  ];
}

export function describeOpenScores({ rows }: VariantRows): readonly string[] {
  const judged = listJudged(rows);
  return [...listScores(judged).keys()].flatMap((name) => {
    const { length } = judged.filter((row) => isOpen(row, name));
    const answers = plural(length, 'answer has', 'answers have');
    const text = `${answers} no verdict for the score ${quote(name)}: its mean is not known`;
    return lineIf(length > 0, text);
  });
}

/**
 * The errors of each kind, and how many of them the table counts as ungraded: "2 crashes (1 ungraded);
 * first: TypeError: x is not a function".
 */
export function describeErrors({ rows, isHidden }: VariantRows): readonly string[] {
  const failed = rows.filter(({ state }) => STATES[state].isError);
  const isGraded = rows.some(hasTarget);
  const byKind = Map.groupBy(failed, ({ error }) => error?.kind ?? 'agent_crash');
  return [...byKind].map(([kind, same]) => {
    const [one, several] = ERROR_NAMES[kind];
    const messages = same.flatMap(({ error }) => error?.message ?? []);
    return `${plural(same.length, one, several)}${describeSame(same, isGraded)}${quoteFirst(messages, isHidden)}`;
  });
}

function listJudged(rows: readonly SampleResult[]): readonly SampleResult[] {
  return rows.filter(({ judge }) => judge !== undefined);
}

function disagree({ verdicts }: CriterionVerdicts): boolean {
  return isSplit(verdicts.filter((one) => one !== 'error'));
}

function isUndecided(row: SampleResult): boolean {
  return !hasRun(row) && row.reason === 'judge';
}

const FAILED = 'judge failed';

const listOpen = (row: SampleResult) => listCriteria(row).filter((one) => !hasVerdict(one));

function hasFailed({ verdicts }: CriterionVerdicts): boolean {
  return verdicts.includes('error');
}

function listJudgeErrors(rows: readonly SampleResult[]): readonly string[] {
  return rows
    .flatMap(listCriteria)
    .flatMap(({ verdicts, reasons }) => reasons.filter((_, index) => verdicts[index] === 'error'));
}

function explainNoVerdict(row: SampleResult): string {
  const verdicts = listOpen(row).flatMap((criterion) => criterion.verdicts);
  if (verdicts.includes('error')) return FAILED;
  return verdicts.every((verdict) => verdict === 'cannot_tell') ? 'cannot tell' : 'no majority';
}

/** How errors of a kind are counted and asked again. */
function describeSame(same: readonly SampleResult[], isGraded: boolean): string {
  const countOf = (some: readonly SampleResult[]) =>
    some.length === same.length ? '' : `${some.length} `;
  const cached = same.filter((row) => row.cached);
  // Only a call of this run has slots: a replay asks nothing.
  const asked = same.filter((row) => row.slots !== undefined && isAskedAgain(row.reason));
  const ungraded = same.filter((row) => !hasTarget(row));
  const ways = [
    ...lineIf(isGraded && ungraded.length > 0, `${countOf(ungraded)}ungraded`),
    ...lineIf(cached.length > 0, `${countOf(cached)}cached: EVAL_CACHE=retry asks again`),
    ...lineIf(asked.length > 0, `the next run asks ${countOf(asked)}again`),
  ];
  return ways.length === 0 ? '' : ` (${ways.join('; ')})`;
}

/** "; first: TypeError: x is not a function"; nothing where it may quote a hidden record. */
function quoteFirst([message = '']: readonly string[], isHidden: boolean): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return isHidden || line === '' ? '' : `; first: ${cut(line, 160)}`;
}

function countTexts(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].map(([text, { length }]) => `${text} ${length}`).join(', ');
}
