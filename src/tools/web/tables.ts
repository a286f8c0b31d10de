import type { DomNode } from '@mixmark-io/domino';
import type { Rule } from 'turndown';

/** The rules for the tables of one page, since turndown's own plugin shifts columns below a span. */
export function createTableRules(): Readonly<Record<'cell' | 'table', Rule>> {
  const texts = new WeakMap<DomNode, string>();
  const textOf = (cell: DomNode) => texts.get(cell) ?? '';
  return {
    cell: {
      filter: ['td', 'th', 'caption'],
      replacement: (content, cell) => {
        texts.set(cell, toLine(content));
        return `\n\n${content}\n\n`;
      },
    },
    table: {
      filter: 'table',
      replacement: (content, table) =>
        `\n\n${isLayout(table, textOf) ? content : toTableText(table, textOf)}\n\n`,
    },
  };
}

type TextOf = (cell: DomNode) => string;

/** A cell is one line, with " / " in place of its line breaks, and no marks of lists. */
function toLine(content: string): string {
  const lines = content.split('\n').map((line) => line.trim().replace(/^\* /, ''));
  return lines
    .filter((line) => line !== '')
    .join(' / ')
    .replaceAll('|', '\\|');
}

const LONG_CELL = 2_000;

/**
 * Whether a table is only for layout: it has no cells, or its cells contain tables, headings or
 * long text.
 */
function isLayout(table: DomNode, textOf: TextOf): boolean {
  if (table.querySelector('table, h1, h2, h3, h4, h5, h6, pre') !== undefined) return true;
  const cells = rowsOf(table).flatMap(cellsOf);
  return cells.length === 0 || cells.some((cell) => textOf(cell).length > LONG_CELL);
}

/** The table as Markdown without aligned columns; "" for a table without text. */
function toTableText(table: DomNode, textOf: TextOf): string {
  const rows = toGrid(table, textOf).filter((row) => row.some((text) => text !== ''));
  const width = rows.slice(0, 1_000).reduce((widest, { length }) => Math.max(widest, length), 0);
  const pad = (row: readonly string[]) =>
    Array.from({ length: Math.max(width, row.length) }, (_, x) => row[x] ?? '');
  const [first, ...rest] = rows.map((row) => `| ${pad(row).join(' | ')} |`);
  const caption = table.querySelector('caption');
  const lines = first === undefined ? [] : [first, `|${' --- |'.repeat(width)}`, ...rest];
  return [caption === undefined ? '' : textOf(caption), lines.join('\n')].join('\n\n');
}

const MAX_COLUMNS = 200;

/**
 * The most repeats of cells in one table: a page may ask to repeat a cell in millions of places.
 */
const MAX_REPEATS = 20_000;

const MAX_REPEATED = 200;

/**
 * The texts by row and column. A cell that spans several rows or columns is repeated in each, but a
 * title over the whole width is not.
 */
function toGrid(table: DomNode, textOf: TextOf): readonly (readonly string[])[] {
  const rows = rowsOf(table);
  const grid: string[][] = rows.map(() => []);
  let repeats = 0;
  for (const [y, row] of rows.entries()) {
    const cells = cellsOf(row);
    let x = 0;
    for (const cell of cells) {
      while (grid[y]?.[x] !== undefined) x++;
      const text = textOf(cell);
      const isTitle = cells.length === 1 && x === 0;
      const repeated = text.length > MAX_REPEATED ? `${text.slice(0, MAX_REPEATED)}…` : text;
      const [height, width] = [
        spanOf(cell, 'rowspan'),
        Math.min(spanOf(cell, 'colspan'), MAX_COLUMNS),
      ];
      for (let at = 0; at < height * width && (at === 0 || ++repeats <= MAX_REPEATS); at++) {
        const across = at % width;
        const line = grid[y + Math.floor(at / width)];
        if (line === undefined) break;
        line[x + across] ??= at === 0 ? text : isTitle && across > 0 ? '' : repeated;
      }
    }
  }
  return grid;
}

/**
 * The number of rows or columns that a cell spans. A rowspan of zero means to the end of the table.
 */
function spanOf(cell: DomNode, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '', 10);
  return span === 0 && name === 'rowspan' ? Number.POSITIVE_INFINITY : Math.max(1, span || 1);
}

function rowsOf(table: DomNode): readonly DomNode[] {
  return Array.from(table.querySelectorAll('tr'));
}

function cellsOf(row: DomNode): readonly DomNode[] {
  return Array.from(row.childNodes).filter(
    ({ nodeName }) => nodeName === 'TD' || nodeName === 'TH',
  );
}
