import { childAt, textOf, type XmlElement } from '../xml.ts';
import type { Conditional } from './conditional.ts';
import { toDateText } from './dates.ts';
import { moveFormula, type Place } from './references.ts';
import { toRichText } from './rich-text.ts';
import { describeLook, isDateStyle } from './styles.ts';
import type { Workbook } from './workbook.ts';

/** The formulas of a sheet that several cells share: they are written out at the first of them alone. */
export class Formulas {
  readonly #shared = new Map<string, { readonly text: string; readonly place: Place }>();

  /** The formula of a cell as it would stand there; "" without one. */
  read(cell: XmlElement, place: Place): string {
    const formula = childAt(cell, 'f');
    if (formula === null) return '';
    const text = textOf(formula);
    const id = formula.attributes.get('si');
    if (formula.attributes.get('t') !== 'shared' || id === undefined) return text;
    if (text !== '') this.#shared.set(id, { text, place });
    const first = this.#shared.get(id);
    return first === undefined ? '' : moveFormula(first.text, first.place, place);
  }
}

/** What describes the cells of a sheet beside themselves. */
export type SheetParts = {
  readonly workbook: Workbook;
  readonly formulas: Formulas;
  readonly conditional: Conditional;
};

/** "value {=FORMULA; fill #FF0000 red}" with what there is of these; "" for an empty cell without a colour. */
export function describeCell(cell: XmlElement, place: Place, sheet: SheetParts): string {
  const { workbook, formulas, conditional } = sheet;
  const value = toValue(cell, workbook);
  const formula = formulas.read(cell, place);
  const look = describeLook(workbook.styles, cell.attributes.get('s'), value !== '');
  const ruled = value === '' ? '' : conditional.lookOf(place, toComparable(cell, value));
  const facts = [formula === '' ? '' : `=${toOneLine(formula)}`, look, ruled].filter((fact) => fact !== '');
  const shown = toOneLine(value);
  return facts.length === 0 ? shown : `${shown}${shown === '' ? '' : ' '}{${facts.join('; ')}}`;
}

/** Dates are compared as the numbers that they are. */
function toComparable(cell: XmlElement, value: string): number | string {
  const number = Number(textOf(childAt(cell, 'v')));
  return (cell.attributes.get('t') ?? 'n') === 'n' && Number.isFinite(number) ? number : value;
}

function toValue(cell: XmlElement, { texts, styles, from1904 }: Workbook): string {
  const written = textOf(childAt(cell, 'v'));
  const type = cell.attributes.get('t') ?? 'n';
  if (type === 'inlineStr') return unescapeText(toRichText(childAt(cell, 'is')));
  if (type === 's') return unescapeText(texts[Number(written)] ?? '');
  if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || written === '') return unescapeText(written);
  const number = Number(written);
  if (!Number.isFinite(number)) return written;
  // As Excel shows them: to 15 digits, so that 0.1 + 0.2 reads 0.3.
  if (!isDateStyle(styles, cell.attributes.get('s'))) return String(Number(number.toPrecision(15)));
  return toDateText(number, from1904);
}

/** Control characters are written as "_x000D_". */
function unescapeText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function toOneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\\n').replaceAll('\t', '\\t');
}
