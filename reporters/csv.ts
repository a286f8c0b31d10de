import { writeOutControls } from '../src/text/visible-text.ts';

/**
 * Rows of cells as CSV (RFC 4180, CRLF), in which a spreadsheet finds no formula, whichever of comma, semicolon, tab or
 * bar separates its lists.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(text: string): string {
  if (/^[a-z0-9][a-z0-9 .:-]*$/i.test(text)) return text;
  const safe = disarm(writeOutLines(text));
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines stay lines; what acts on a terminal that prints the file is written out. */
function writeOutLines(text: string): string {
  if (!/[^ -~]/.test(text)) return text;
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part : writeOutControls(part, part.length)))
    .join('');
}

/** What separates cells or rows in the sheet of some user, beside the comma. */
const SEPARATOR = /([;|\t\r\n])/;

/**
 * A spreadsheet runs a cell that begins with one of these; an apostrophe before it makes it text. Plain numbers stay.
 * A part behind another separator gets one too: a sheet that separates by it takes our quotes for text of the cell
 * before, and begins a new cell there.
 */
function disarm(text: string): string {
  if (/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text)) return text;
  const parts = text.split(SEPARATOR).map((part) => (/^["\s]*[=+\-@]/.test(part) ? `'${part}` : part));
  return `${/^[\t\r\n]/.test(text) ? "'" : ''}${parts.join('')}`;
}
