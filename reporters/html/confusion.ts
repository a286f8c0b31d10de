import { groupByVariant, toSuiteKey } from '../../src/metrics/groups.ts';
import { isCorrect, isCounted } from '../../src/states.ts';
import { gateSettingsOf } from '../../src/store/manifest.ts';
import { hidesDataset } from '../../src/text/hide-records.ts';
import { toText, toTextOrNull } from '../../src/text/show.ts';
import type { SampleResult } from '../../src/types.ts';
import type { RunOutcome } from '../evaluate-run.ts';
import { formatRate } from '../format-figures.ts';
import { nameSuite } from '../tables.ts';
import { html, type Markup, NOTHING } from './markup.ts';

type ReportedRun = Pick<RunOutcome, 'manifest' | 'summary' | 'results'>;

/** For each suite whose expected answers are labels: which label got which answer. */
export function renderConfusion({ manifest, summary, results }: ReportedRun): Markup {
  const settings = gateSettingsOf(manifest);
  const variants = groupByVariant(results);
  const matrices = summary.suites.flatMap((suite) => {
    const rows = (variants.get(toSuiteKey(suite)) ?? []).filter(isCounted);
    if (hidesDataset(suite, settings)) return [];
    const labels = listLabels(rows);
    return labels === null ? [] : [renderMatrix(nameSuite(suite, summary), labels, rows)];
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

/** The columns behind the labels: an answer that is not a label, and no answer at all. */
const OTHER = 'other';
const NONE = 'none';

function renderMatrix(
  name: string,
  labels: readonly string[],
  rows: readonly SampleResult[],
): Markup {
  const places = rows.map((row) => ({
    expected: toText(row.target ?? '').trim(),
    column: findColumn(row, labels),
  }));
  const extra = [labels.length, labels.length + 1].filter((at) =>
    places.some(({ column }) => column === at),
  );
  const columns = [...labels.keys(), ...extra];
  const heads = columns.map((at) => nameColumn(labels, at));
  const body = labels.map((label, place) => {
    const own = places.filter(({ expected }) => expected === label);
    const counts = columns.map((at) => own.filter(({ column }) => column === at).length);
    const cells = counts.map((count, column) => renderCell(count, own.length, column === place));
    const right = formatRate((counts[place] ?? 0) / own.length);
    return html`<tr><th scope="row" dir="auto">${label}</th>${cells}<td class="right">${own.length}</td><td class="right">${right}</td></tr>
`;
  });
  const totals = columns.map((at) => places.filter(({ column }) => column === at).length);
  return html`<div class="scroll"><table class="matrix">
<caption>${name}: a row for each expected answer, a column for each answer</caption>
<thead><tr><th scope="col">expected</th>${heads}<th scope="col" class="right">n</th><th scope="col" class="right">right</th></tr></thead>
<tbody>${body}</tbody>
<tfoot><tr><th scope="row">n</th>${totals.map((total) => html`<td class="right">${total}</td>`)}<td class="right">${rows.length}</td><td></td></tr></tfoot>
</table></div>
`;
}

/** A label may be "other" too, so the columns that are not labels look different. */
function nameColumn(labels: readonly string[], at: number): Markup {
  const label = labels[at];
  return label === undefined
    ? html`<th scope="col" class="right"><i>${at === labels.length ? OTHER : NONE}</i></th>`
    : html`<th scope="col" class="right" dir="auto">${label}</th>`;
}

/** A right answer stands in its own column, however it is spelled. */
function findColumn(row: SampleResult, labels: readonly string[]): number {
  const { answer, target } = row;
  const given = toTextOrNull(isCorrect(row) ? target : answer)?.trim();
  if (given === undefined) return labels.length + 1;
  const exact = labels.indexOf(given);
  const alike = labels.findIndex((label) => label.toLowerCase() === given.toLowerCase());
  return Math.max(exact, alike) < 0 ? labels.length : exact >= 0 ? exact : alike;
}

/** A cell is the darker the larger its share of the row. */
function renderCell(count: number, of: number, isRight: boolean): Markup {
  const shade = count === 0 ? '' : ` shade-${Math.min(4, Math.ceil((4 * count) / of))}`;
  return html`<td class="right ${isRight ? 'hit' : 'miss'}${shade}">${count === 0 ? '·' : count}</td>`;
}
