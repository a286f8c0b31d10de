import { attributeOf, findWithin, type HtmlNode, textOf } from './html-tree.ts';

type ToCellText = (cell: HtmlNode) => string;

const LONG_CELL = 2_000;
const MAX_COLUMNS = 200;

/** A cell that spans rows or columns is repeated in each; a page may ask for millions. */
const MAX_REPEATS = 20_000;
const MAX_REPEATED = 200;

const NOT_IN_CELLS = ['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre'];

/** Whether a table only places things on the page: it has no cells, or tables, headings or long text in them. */
export function isLayout(table: HtmlNode): boolean {
  const cells = rowsOf(table).flatMap(cellsOf);
  const hasBlocks = cells.length === 0 || findWithin(table, NOT_IN_CELLS).length > 0;
  return hasBlocks || cells.some((cell) => textOf(cell).length > LONG_CELL);
}

/** Whether a row of such a table can still be written as one line. */
export function isLine(row: HtmlNode): boolean {
  return cellsOf(row).length > 1 && findWithin(row, NOT_IN_CELLS).length === 0 && textOf(row).length <= LONG_CELL;
}

/** The table as Markdown, its columns not aligned; "" for a table without text. */
export function toTableText(table: HtmlNode, toCellText: ToCellText): string {
  const rows = toGrid(table, toCellText).filter((row) => row.some((text) => text !== ''));
  const width = rows.slice(0, 1_000).reduce((widest, { length }) => Math.max(widest, length), 0);
  const [first, ...rest] = rows.map((row) => toLine([...row, ...repeat('', width - row.length)]));
  const caption = findWithin(table, ['caption'], ['tr', 'table']).slice(0, 1).map(toCellText);
  const lines = first === undefined ? [] : [first, toLine(repeat('---', width)), ...rest];
  return [...caption.flatMap((text) => (text === '' ? [] : [text, ''])), ...lines].join('\n');
}

/** One row as a line. */
export function toRowText(row: HtmlNode, toCellText: ToCellText): string {
  return toLine(cellsOf(row).map(toCellText));
}

function toLine(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

function repeat(text: string, count: number): readonly string[] {
  return Array.from({ length: Math.max(0, count) }, () => text);
}

/** The texts by row and column. A cell that spans several is repeated in each, but a title of the whole width is not. */
function toGrid(table: HtmlNode, toCellText: ToCellText): readonly (readonly string[])[] {
  /** By column: a cell from above, and in how many more rows it is repeated. */
  let spanning = new Map<number, { readonly text: string; readonly rows: number }>();
  let repeats = 0;
  return rowsOf(table).map((row) => {
    const texts: string[] = [];
    const next: typeof spanning = new Map();
    const put = (text: string, rows: number) => {
      if (rows > 0) next.set(texts.length, { text, rows });
      texts.push(text);
    };
    const putSpanning = () => {
      for (let above = spanning.get(texts.length); above !== undefined; above = spanning.get(texts.length)) {
        put(above.text, ++repeats > MAX_REPEATS ? 0 : above.rows - 1);
      }
    };
    const cells = cellsOf(row);
    const isTitle = cells.length === 1 && spanning.size === 0;
    for (const cell of cells) {
      putSpanning();
      const text = toCellText(cell);
      const repeated = text.length > MAX_REPEATED ? `${text.slice(0, MAX_REPEATED)}…` : text;
      const rows = spanOf(cell, 'rowspan') - 1;
      const columns = Math.min(spanOf(cell, 'colspan'), MAX_COLUMNS);
      put(text, rows);
      for (let more = 1; more < columns && ++repeats <= MAX_REPEATS; more++) put(isTitle ? '' : repeated, rows);
    }
    putSpanning();
    spanning = next;
    return texts;
  });
}

/** Zero means to the end of the table. */
function spanOf(cell: HtmlNode, name: string): number {
  const span = Number.parseInt(attributeOf(cell, name), 10);
  return span === 0 && name === 'rowspan' ? MAX_REPEATS : Math.max(1, span || 1);
}

function rowsOf(table: HtmlNode): readonly HtmlNode[] {
  return findWithin(table, ['tr'], ['table']);
}

function cellsOf(row: HtmlNode): readonly HtmlNode[] {
  return findWithin(row, ['td', 'th'], ['table']);
}
