import { isCorrect, isCounted, type SampleResult } from '../../src/words/row.ts';
import { toText, toTextOrNull } from '../../src/words/show.ts';
import type { Confusion } from './data.ts';

/**
 * Which label got which answer, of one variant; null where expected answers are not labels: few,
 * short, and each the answer to two questions on average. Letters of options are none, since a letter
 * means another thing in each question.
 */
export function countConfusion(results: readonly SampleResult[]): Confusion | null {
  const rows = results.filter(isCounted);
  const labels = listLabels(rows);
  if (labels === null) return null;
  // An answer that is no label, and no answer at all: a label may be "other" too.
  const names = [...labels, '(other)', '(none)'];
  const places = rows.map((row) => ({
    expected: toText(row.target ?? '').trim(),
    column: findColumn(row, labels),
  }));
  const columns = [...names.keys()].filter(
    (at) => at < labels.length || places.some(({ column }) => column === at),
  );
  const counts = labels.map((label) => {
    const own = places.filter(({ expected }) => expected === label);
    return columns.map((at) => own.filter(({ column }) => column === at).length);
  });
  return { labels, columns: columns.map((at) => names[at] ?? ''), counts };
}

/** More do not fit beside each other, and a longer text is not a label. */
const MOST_LABELS = 12;
const LONGEST_LABEL = 30;

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

/** A right answer is in its own column, however it is spelled. */
function findColumn(row: SampleResult, labels: readonly string[]): number {
  const { answer, target } = row;
  const given = toTextOrNull(isCorrect(row) ? target : answer)?.trim();
  if (given === undefined) return labels.length + 1;
  const exact = labels.indexOf(given);
  const alike = labels.findIndex((label) => label.toLowerCase() === given.toLowerCase());
  return [exact, alike, labels.length].find((at) => at >= 0) ?? labels.length;
}
