import { hash } from 'node:crypto';
import { toCsv } from '../../src/words/csv.ts';
import { toScriptJson } from './case-data.ts';
import { html, NOTHING } from './markup.ts';
import type { LabelData } from './page/data.ts';
import { readScript, renderDocument } from './render-page.ts';

/** The columns of a file of labels, in their order. */
export const LABEL_COLUMNS = [
  'id',
  'suite',
  'question',
  'output',
  'reference',
  'criterion',
  'label',
  'run',
  'row',
] as const;

/** An answer with its label in a file of labels: pass, fail or "". */
export type LabelRow = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>;

/** What a page of answers to label shows, and what its download has besides. */
type LabelPage = Readonly<{
  title: string;
  /** The name of its download. */
  file: string;
  /** Whether a banner says that its records may be gated. */
  isPrivate: boolean;
  /** The rows to label, each with a note to show if it needs one. */
  rows: readonly (LabelRow & { readonly note?: string })[];
  /** Rows that have their label. */
  settled?: readonly LabelRow[];
}>;

/**
 * A page that shows one answer after another to label by keyboard. It keeps the labels, and its
 * download is the file of labels.
 */
export function renderLabelPage(page: LabelPage): readonly string[] {
  const { title, isPrivate } = page;
  const banner = isPrivate
    ? html`<p class="banner" role="note"><strong>Keep this file private.</strong> It holds questions and answers that may be gated: do not publish this file or put it where it can be crawled.</p>`
    : NOTHING;
  const body = html`<header>
<h1>${title}</h1>
${banner}<noscript><p class="banner">This page needs JavaScript. "viva label" writes a table for a spreadsheet with --out labels.csv.</p></noscript>
</header>
<main id="label"></main>
<script type="application/json" id="data">`;
  const script = readScript(['elements', 'label']);
  return renderDocument(title, [body.text, toScriptJson(toData(page)), '</script>'], script);
}

function toData({ file, rows, settled = [] }: LabelPage): LabelData {
  const [before, after] = [LABEL_COLUMNS.slice(0, AT), LABEL_COLUMNS.slice(AT + 1)];
  const toCells = (row: LabelRow) => LABEL_COLUMNS.map((name) => row[name]);
  const items = rows.map((row) => {
    const { question, output, reference, criterion, note } = row;
    // Written here, so that one writer alone escapes cells.
    const line: LabelData['items'][number]['line'] = [
      `${toLine(before.map((name) => row[name]))},`,
      `,${toLine(after.map((name) => row[name]))}`,
    ];
    return { question, output, reference, criterion, note, line };
  });
  return {
    key: `viva label ${hash('sha256', rows.map(({ row }) => row).join()).slice(0, 16)}`,
    file,
    head: toCsv([LABEL_COLUMNS, ...settled.map(toCells)]),
    items,
  };
}

/** The place of the label in a row. */
const AT = LABEL_COLUMNS.indexOf('label');

/** Cells as CSV without a line break. */
function toLine(cells: readonly string[]): string {
  return toCsv([cells]).slice(0, -2);
}
