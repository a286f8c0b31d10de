import { type OnLink, toCellText } from './cell-text.ts';
import { type DomNode, findWithin } from './dom-node.ts';

const LONG_CELL = 2_000;
const MAX_COLUMNS = 200;

/** A cell over many rows or columns is written in each of them; a page may ask for millions. */
const MAX_REPEATS = 20_000;
const MAX_REPEATED = 200;

/** Whether it only places things on the page: it holds tables, headings or long text. Its parts are read as they stand. */
export function isLayout(table: DomNode): boolean {
  if (findWithin(table, NOT_IN_CELLS).length > 0) return true;
  return rowsOf(table).some((row) => cellsOf(row).some((cell) => (cell.textContent ?? '').length > LONG_CELL));
}

/** Of a table for layout: whether this row reads as a line. */
export function isLine(row: DomNode): boolean {
  const isShort = (row.textContent ?? '').length <= LONG_CELL;
  return isShort && cellsOf(row).length > 1 && findWithin(row, [...NOT_IN_CELLS, 'tr']).length === 0;
}

const NOT_IN_CELLS = ['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre'];

/** The table as Markdown, its columns not aligned; "" for one without text. */
export function toTableText(table: DomNode, onLink: OnLink): string {
  const rows = toGrid(table, onLink).filter((row) => row.some((text) => text !== ''));
  const width = Math.max(0, ...rows.slice(0, 1_000).map(({ length }) => length));
  const lines = rows.map((row) => toLine(fill(row, width)));
  const [caption] = findWithin(table, ['caption'], ['tr', 'table']).map((found) => toCellText(found, onLink));
  const rule = toLine(Array.from({ length: width }, () => '---'));
  const [first, ...rest] = lines;
  return [...(caption ? [caption, ''] : []), ...(first === undefined ? [] : [first, rule, ...rest])].join('\n');
}

/** One row as a line. */
export function toRowText(row: DomNode, onLink: OnLink): string {
  return toLine(cellsOf(row).map((cell) => toCellText(cell, onLink)));
}

function toLine(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

function fill(row: readonly string[], width: number): readonly string[] {
  return [...row, ...Array.from({ length: Math.max(0, width - row.length) }, () => '')];
}

/** A cell that goes on in the rows below: the text and for how many more. */
type Hanging = { readonly text: string; readonly rows: number };

/** The texts by rows and columns: what spans several stands in each, but a title over the whole width stands once. */
function toGrid(table: DomNode, onLink: OnLink): readonly (readonly string[])[] {
  let hanging = new Map<number, Hanging>();
  let repeats = 0;
  return rowsOf(table).map((row) => {
    const texts: string[] = [];
    const next = new Map<number, Hanging>();
    const put = (text: string, rows: number) => {
      if (rows > 0) next.set(texts.length, { text, rows });
      texts.push(text);
    };
    const takeHanging = () => {
      for (let above = hanging.get(texts.length); above !== undefined; above = hanging.get(texts.length)) {
        put(above.text, ++repeats > MAX_REPEATS ? 0 : above.rows - 1);
      }
    };
    const cells = cellsOf(row);
    const isTitle = cells.length === 1 && hanging.size === 0;
    for (const cell of cells) {
      takeHanging();
      const text = toCellText(cell, onLink);
      const again = text.length > MAX_REPEATED ? `${text.slice(0, MAX_REPEATED)}…` : text;
      const rows = spanOf(cell, 'rowspan') - 1;
      const columns = Math.min(spanOf(cell, 'colspan'), MAX_COLUMNS);
      put(text, rows);
      for (let more = 1; more < columns && ++repeats <= MAX_REPEATS; more++) put(isTitle ? '' : again, rows);
    }
    takeHanging();
    hanging = next;
    return texts;
  });
}

/** Zero means to the end of the table. */
function spanOf(cell: DomNode, name: string): number {
  const span = Number.parseInt(cell.getAttribute?.(name) ?? '1', 10);
  return span === 0 && name === 'rowspan' ? MAX_REPEATS : Math.max(1, span || 1);
}

/** Also those that a cell or row before them was not closed for. */
function rowsOf(table: DomNode): readonly DomNode[] {
  return findWithin(table, ['tr'], ['table']).flatMap((row) => [row, ...rowsOf(row)]);
}

function cellsOf(row: DomNode): readonly DomNode[] {
  return findWithin(row, ['td', 'th'], ['table', 'tr']);
}
