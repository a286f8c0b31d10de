/** 1 for A, 28 for AB; 0 for what names no column. Takes "AB" and "AB7". */
export function toColumnNumber(name: string): number {
  const [letters = ''] = /^[A-Z]{1,3}/.exec(name) ?? [];
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

export function toColumnName(number: number): string {
  if (!(number >= 1)) return '';
  const rest = (number - 1) % 26;
  return toColumnName((number - 1 - rest) / 26) + String.fromCharCode(65 + rest);
}

export type Place = { readonly column: number; readonly row: number };

/** A formula as it reads when it is copied from one cell to another: references without "$" move along. */
export function moveFormula(formula: string, from: Place, to: Place): string {
  const [right, down] = [to.column - from.column, to.row - from.row];
  return formula.replace(TOKEN, (token) => {
    const [, column, row] = REFERENCE.exec(token) ?? [];
    if (column === undefined || row === undefined) return token;
    const moved = column.startsWith('$') ? column : toColumnName(toColumnNumber(column) + right);
    return moved + (row.startsWith('$') ? row : String(Number(row) + down));
  });
}

/** Texts, sheet names in quotes, and words: names of functions with their bracket, so that LOG10( is no reference. */
const TOKEN = /"[^"]*"|'[^']*'|[A-Za-z0-9_.$]+\(?/g;
const REFERENCE = /^(\$?[A-Z]{1,3})(\$?[0-9]{1,7})$/;
