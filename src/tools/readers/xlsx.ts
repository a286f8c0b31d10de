import { subscript, superscript } from '../web/formulas.ts';
import type { ReadText } from './file-kind.ts';
import {
  allWithin,
  childAt,
  childrenOf,
  OfficePackage,
  relationIdOf,
  textOf,
  type XmlElement,
} from './office.ts';
import { type CellStyle, readStyles, toDateText } from './xlsx-styles.ts';
import { ReadError } from './zip.ts';

/*
 * Own, because exceljs throws on ordinary fills, officeparser loses dates and formulas, and hucre
 * 1.0 is of July 2026 and by one author: look at it again in July 2027.
 */

/** The shared parts of a workbook that cells refer to. */
type Workbook = Readonly<{
  texts: readonly string[];
  styles: readonly CellStyle[];
  /** True when days are counted from 1904, as on old Macs. */
  from1904: boolean;
}>;

/**
 * The sheets of a workbook, a line for each row with values, formulas, fill and font colours; then
 * the comments and other facts about cells.
 */
export function readXlsx(bytes: Uint8Array, name: string): ReadText {
  const document = new OfficePackage(bytes);
  const part = document.findRelated('', 'officeDocument') ?? 'xl/workbook.xml';
  if (part.endsWith('.bin')) throw new ReadError('is a binary workbook (.xlsb), which is not read');
  const main = document.requireXml(part);
  const relations = document.readRelations(part);
  const readRelated = (type: string) => document.readXml(document.findRelated(part, type));
  const texts = document.findRelated(part, 'sharedStrings');
  const workbook: Workbook = {
    texts: texts ? childrenOf(document.requireXml(texts), 'si').map(toRichText) : [],
    styles: readStyles(readRelated('styles'), readRelated('theme')),
    from1904: isTrue(childAt(main, 'workbookPr'), 'date1904'),
  };
  const sheets = childrenOf(childAt(main, 'sheets'), 'sheet').map((sheet, index, { length }) => {
    const target = relations.get(relationIdOf(sheet))?.target ?? '';
    const title = `# Sheet ${JSON.stringify(sheet.attributes.get('name') ?? '')} (${index + 1} of ${length})`;
    const hidden = (sheet.attributes.get('state') ?? 'visible') === 'visible' ? '' : ', hidden';
    const comments = readComments(document, target);
    return `${title}${hidden}\n${describeSheet(document.requireXml(target), workbook, comments)}`;
  });
  return { text: [...sheets, ...document.listPictures(name)].join('\n\n') };
}

/** Each comment with its cell: 'A1 "text"'. */
function readComments(document: OfficePackage, sheet: string): readonly string[] {
  const comments = allWithin(document.readXml(document.findRelated(sheet, 'comments')), 'comment');
  return comments.map((comment) => {
    const text = allWithin(childAt(comment, 'text'), 't').map(textOf).join('');
    return `${comment.attributes.get('ref') ?? ''} ${JSON.stringify(text)}`;
  });
}

/**
 * A cell beyond this column is written with its name, so one far cell does not need thousands of
 * tabs.
 */
const MAX_COLUMN = 100;

/** A line of column names, then a line for each row that has cells. Tabs separate the cells. */
function describeSheet(sheet: XmlElement, workbook: Workbook, comments: readonly string[]): string {
  const rows = readRows(childrenOf(childAt(sheet, 'sheetData'), 'row'), workbook);
  const filled = rows.filter(({ cells }) => cells.size > 0);
  const width = filled.reduce((widest, { cells }) => Math.max(widest, lastNear(cells)), 0);
  const columns = Array.from({ length: width }, (_, index) => toColumnName(index + 1));
  const head = filled.length === 0 ? '(no cells)' : ['row', ...columns].join('\t');
  return [head, ...filled.map(toRowLine), ...describeRest(sheet, rows, comments)].join('\n');
}

type Row = Readonly<{
  number: number;
  cells: ReadonlyMap<number, string>;
  isHidden: boolean;
}>;

/** A row or cell without a position follows the one before. */
function readRows(elements: readonly XmlElement[], workbook: Workbook): readonly Row[] {
  const formulas = new Map<string, string>();
  const rows: Row[] = [];
  for (const row of elements) {
    const number = Number(row.attributes.get('r') ?? (rows.at(-1)?.number ?? 0) + 1);
    const cells = new Map<number, string>();
    let column = 0;
    for (const cell of childrenOf(row, 'c')) {
      const name = cell.attributes.get('r');
      column = name === undefined ? column + 1 : toColumnNumber(name);
      const formula = readFormula(cell, `${toColumnName(column)}${number}`, formulas);
      const text = describeCell(cell, formula, workbook);
      if (text !== '') cells.set(column, text);
    }
    rows.push({ number, cells, isHidden: isTrue(row, 'hidden') });
  }
  return rows;
}

function lastNear(cells: Row['cells']): number {
  const near = [...cells.keys()].filter((column) => column <= MAX_COLUMN);
  return near.reduce((last, column) => Math.max(last, column), 0);
}

function toRowLine({ number, cells }: Row): string {
  const near = Array.from({ length: lastNear(cells) }, (_, index) => cells.get(index + 1) ?? '');
  const far = [...cells].flatMap(([column, text]) =>
    column > MAX_COLUMN ? `${toColumnName(column)}${number}: ${text}` : [],
  );
  return [number, ...near, ...far].join('\t');
}

function describeRest(
  sheet: XmlElement,
  rows: readonly Row[],
  comments: readonly string[],
): readonly string[] {
  const columns = childrenOf(childAt(sheet, 'cols'), 'col');
  const conditional = childrenOf(sheet, 'conditionalFormatting');
  const merged = childrenOf(childAt(sheet, 'mergeCells'), 'mergeCell');
  const facts = [
    ['Merged cells', merged.map(({ attributes }) => attributes.get('ref'))],
    ['Hidden rows', rows.filter((row) => row.isHidden).map(({ number }) => number)],
    ['Hidden columns', columns.filter((column) => isTrue(column, 'hidden')).map(toColumnSpan)],
    [
      'Formats that depend on values, which are not shown',
      conditional.map(({ attributes }) => attributes.get('sqref')),
    ],
    ['Comments', comments],
  ] as const;
  return facts.flatMap(([title, values]) =>
    values.length === 0 ? [] : [`${title}: ${values.join(', ')}`],
  );
}

function isTrue(element: XmlElement | null, name: string): boolean {
  return ['1', 'true'].includes(element?.attributes.get(name) ?? '');
}

function toColumnSpan({ attributes }: XmlElement): string {
  const [first, last] = ['min', 'max'].map((name) => toColumnName(Number(attributes.get(name))));
  return first === last ? `${first}` : `${first} to ${last}`;
}

/**
 * "value {=FORMULA; fill #FF0000}", with the parts that the cell has; "" for an empty cell without
 * a colour.
 */
function describeCell(cell: XmlElement, formula: string, workbook: Workbook): string {
  const style = workbook.styles[Number(cell.attributes.get('s') ?? Number.NaN)];
  const { fill = '', font = '', isDate = false } = style ?? {};
  const value = toOneLine(toValue(cell, isDate, workbook));
  const shown = [formula, fill, value && font].filter(Boolean).join('; ');
  return [value, shown && `{${shown}}`].filter(Boolean).join(' ');
}

function toValue(cell: XmlElement, isDate: boolean, { texts, from1904 }: Workbook): string {
  const written = textOf(childAt(cell, 'v'));
  const type = cell.attributes.get('t') ?? 'n';
  if (type === 'inlineStr') return unescapeText(toRichText(childAt(cell, 'is')));
  if (type === 's') return unescapeText(texts[Number(written)] ?? '');
  if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || written === '') return unescapeText(written);
  const number = Number(written);
  if (!Number.isFinite(number)) return written;
  // Rounded to 15 digits as in Excel, so 0.1 + 0.2 is 0.3.
  return isDate ? toDateText(number, from1904) : String(Number(number.toPrecision(15)));
}

/** Joins text of different fonts, without the reading aids above Asian characters. */
function toRichText(item: XmlElement | null): string {
  const pieces = childrenOf(item).map((piece) => {
    if (piece.name === 't') return textOf(piece);
    if (piece.name !== 'r') return '';
    const text = textOf(childAt(piece, 't'));
    const place = childAt(piece, 'rPr', 'vertAlign')?.attributes.get('val');
    return place === 'superscript'
      ? superscript(text)
      : place === 'subscript'
        ? subscript(text)
        : text;
  });
  return pieces.join('');
}

/** Decodes control characters, which Excel writes as "_x000D_". */
function unescapeText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function toOneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\\n').replaceAll('\t', '\\t');
}

/**
 * The formula of a cell. When several cells share a formula, the others name the cell that has it.
 */
function readFormula(cell: XmlElement, place: string, shared: Map<string, string>): string {
  const formula = childAt(cell, 'f');
  const text = textOf(formula);
  const id = formula?.attributes.get('si') ?? '';
  if (text !== '') shared.set(id, place);
  const first = shared.get(id);
  return text === '' && id !== '' && first !== undefined
    ? `formula of ${first}, filled in`
    : text && `=${toOneLine(text)}`;
}

/**
 * The number of a column: 1 for A, 28 for AB; 0 if the text names no column. Accepts "AB" and
 * "AB7".
 */
export function toColumnNumber(name: string): number {
  const [letters = ''] = /^[A-Z]{1,3}/.exec(name) ?? [];
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

export function toColumnName(number: number): string {
  if (!(number >= 1)) return '';
  const rest = (number - 1) % 26;
  return toColumnName((number - 1 - rest) / 26) + String.fromCharCode(65 + rest);
}
