import { childAt, childrenOf, type LongPart, type XmlElement } from '../xml.ts';
import { describeCell, Formulas, type SheetParts } from './cell.ts';
import { type Conditional, readConditional } from './conditional.ts';
import { toColumnName, toColumnNumber } from './references.ts';
import { describeLook } from './styles.ts';
import type { Workbook } from './workbook.ts';

/** Beyond this column a cell is written with its name, so that one far cell does not cost thousands of tabs. */
const MAX_COLUMN = 100;

/** A line for each row that holds something, cells apart by tabs, under a line of column names. */
export function describeSheet(sheet: LongPart, workbook: Workbook, comments: ReadonlyMap<string, string>): string {
  const conditional = readConditional(sheet.root, workbook.ruleLooks);
  const rows = readRows(sheet.elements, workbook, conditional);
  const filled = rows.filter(({ cells }) => cells.size > 0);
  const near = filled.flatMap(({ cells }) => [...cells.keys()].filter((column) => column <= MAX_COLUMN));
  const width = near.reduce((widest, column) => Math.max(widest, column), 0);
  const columns = Array.from({ length: width }, (_, index) => toColumnName(index + 1));
  const lines = filled.map(({ number, cells }) => toLine(number, cells, width));
  const table = lines.length === 0 ? ['(no cells)'] : [['row', ...columns].join('\t'), ...lines];
  return [...table, ...describeRest(sheet.root, rows, workbook, comments, conditional)].join('\n');
}

type Row = {
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
  readonly isHidden: boolean;
  /** Of the whole row: "" mostly. */
  readonly look: string;
};

/** Rows may leave out which they are: then they follow the one before. */
function readRows(elements: Iterable<XmlElement>, workbook: Workbook, conditional: Conditional): readonly Row[] {
  const formulas = new Formulas();
  const rows: Row[] = [];
  for (const row of elements) {
    const number = Number(row.attributes.get('r') ?? (rows.at(-1)?.number ?? 0) + 1);
    const look = describeLook(workbook.styles, row.attributes.get('s'));
    rows.push({
      number,
      cells: readCells(row, number, { workbook, formulas, conditional }),
      isHidden: isHidden(row),
      look,
    });
  }
  return rows;
}

/** The same holds for cells. */
function readCells(row: XmlElement, number: number, sheet: SheetParts): Row['cells'] {
  const cells = new Map<number, string>();
  let column = 0;
  for (const cell of childrenOf(row, 'c')) {
    const name = cell.attributes.get('r');
    column = name === undefined ? column + 1 : toColumnNumber(name);
    const text = describeCell(cell, { column, row: number }, sheet);
    if (text !== '') cells.set(column, text);
  }
  return cells;
}

function toLine(number: number, cells: Row['cells'], width: number): string {
  const last = [...cells.keys()].filter((column) => column <= width).reduce((a, b) => Math.max(a, b), 0);
  const near = Array.from({ length: last }, (_, index) => cells.get(index + 1) ?? '');
  const far = [...cells].filter(([column]) => column > width);
  return [number, ...near, ...far.map(([column, text]) => `${toColumnName(column)}${number}: ${text}`)].join('\t');
}

function describeRest(
  sheet: XmlElement,
  rows: readonly Row[],
  workbook: Workbook,
  comments: ReadonlyMap<string, string>,
  conditional: Conditional,
): readonly string[] {
  const merged = childrenOf(childAt(sheet, 'mergeCells'), 'mergeCell').map(({ attributes }) => attributes.get('ref'));
  const hiddenRows = rows.filter((row) => row.isHidden).map(({ number }) => number);
  const columns = childrenOf(childAt(sheet, 'cols'), 'col');
  const looks = [
    ...columns.map((column) => [
      `column ${toSpan(column)}`,
      describeLook(workbook.styles, column.attributes.get('style')),
    ]),
    ...rows.map(({ number, look }) => [`row ${number}`, look]),
  ];
  const facts = [
    ['Merged cells', merged],
    ['Hidden rows', hiddenRows],
    ['Hidden columns', columns.filter(isHidden).map(toSpan)],
    ['Colours of whole columns and rows', looks.flatMap(([what, look]) => (look === '' ? [] : [`${what} ${look}`]))],
    ['Formats that depend on values, shown in the cells', conditional.known],
    ['Formats and colours that depend on values, not worked out here', conditional.unknown],
    ['Comments', [...comments].map(([cell, text]) => `${cell} ${JSON.stringify(text)}`)],
  ] as const;
  return facts.flatMap(([title, values]) => (values.length === 0 ? [] : [`${title}: ${values.join(', ')}`]));
}

function isHidden({ attributes }: XmlElement): boolean {
  return ['1', 'true'].includes(attributes.get('hidden') ?? '');
}

function toSpan({ attributes }: XmlElement): string {
  const [first, last] = ['min', 'max'].map((name) => toColumnName(Number(attributes.get(name))));
  return first === last ? `${first}` : `${first} to ${last}`;
}
