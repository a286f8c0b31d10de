import type { RunOutcome } from '../../src/figures/evaluate-run.ts';
import { groupByVariant, toSuiteKey } from '../../src/figures/groups.ts';
import { isCorrect, isCounted, type SampleResult } from '../../src/words/row.ts';
import { toText, toTextOrNull } from '../../src/words/show.ts';
import { formatRate } from '../format-figures.ts';
import { toSuiteTitle, toTable } from '../tables.ts';
import { html, htmlTable, type Markup, NOTHING } from './markup.ts';

type ReportedRun = Pick<RunOutcome, 'summary' | 'results' | 'isHidden'>;

/** For each suite whose expected answers are labels: which label got which answer. */
export function renderConfusion({ summary, results, isHidden }: ReportedRun): Markup {
  const variants = groupByVariant(results);
  const matrices = summary.suites.flatMap((suite) => {
    const rows = (variants.get(toSuiteKey(suite)) ?? []).filter(isCounted);
    if (isHidden(suite.suite)) return [];
    const labels = listLabels(rows);
    return labels === null ? [] : [renderMatrix(toSuiteTitle(suite, summary), labels, rows)];
  });
  return matrices.length === 0 ? NOTHING : html`${matrices}`;
}

/** More do not fit beside each other, and a longer text is not a label. */
const MOST_LABELS = 12;
const LONGEST_LABEL = 30;

/**
 * The expected answers, if they are labels: few, short, and each the answer to two questions on
 * average. Null for multiple choice, where a letter means another thing in each question.
 */
function listLabels(rows: readonly SampleResult[]): readonly string[] | null {
  const labels = [...new Set(rows.map(({ target }) => toText(target ?? '').trim()))].sort();
  const questions = new Set(rows.map(({ id }) => id)).size;
  const areLabels =
    rows.every(({ options }) => options === undefined) &&
    labels.every((label) => label !== '' && label.length <= LONGEST_LABEL) &&
    labels.length >= 2 &&
    labels.length <= MOST_LABELS &&
    questions >= 2 * labels.length;
  return areLabels ? labels : null;
}

function renderMatrix(
  name: string,
  labels: readonly string[],
  rows: readonly SampleResult[],
): Markup {
  // An answer that is no label, and no answer at all: a label may be "other" too.
  const names = [...labels, '(other)', '(none)'];
  const places = rows.map((row) => ({
    expected: toText(row.target ?? '').trim(),
    column: findColumn(row, labels),
  }));
  const columns = [...names.keys()].filter(
    (at) => at < labels.length || places.some(({ column }) => column === at),
  );
  const body = labels.map((label, place) => {
    const own = places.filter(({ expected }) => expected === label);
    const counts = columns.map((at) => own.filter(({ column }) => column === at).length);
    const right = formatRate((counts[place] ?? 0) / own.length);
    const cells = counts.map((count) => (count === 0 ? '·' : String(count)));
    return [label, ...cells, String(own.length), right];
  });
  const heads = columns.map((at) => names[at] ?? '');
  return htmlTable(
    `${name}: a row for each expected answer, a column for each answer`,
    toTable(['expected', ...heads, 'n', 'right'], body),
  );
}

/** A right answer is in its own column, however it is spelled. */
function findColumn(row: SampleResult, labels: readonly string[]): number {
  const { answer, target } = row;
  const given = toTextOrNull(isCorrect(row) ? target : answer)?.trim();
  if (given === undefined) return labels.length + 1;
  const exact = labels.indexOf(given);
  const alike = labels.findIndex((label) => label.toLowerCase() === given.toLowerCase());
  return [exact, alike, labels.length].find((at) => at >= 0) ?? labels.length;
}
