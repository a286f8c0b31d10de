import { escapeControls } from './show.ts';

/**
 * Rows of cells as CSV (RFC 4180, CRLF). A spreadsheet finds no formula in it, whether it separates
 * cells by comma, semicolon, tab or bar.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(text: string): string {
  if (/^[a-z0-9][a-z0-9 .:-]*$/i.test(text)) return text;
  // Line breaks stay. Control characters are escaped: the file may be printed in a terminal.
  const shown = text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeControls(part)));
  const safe = disarm(shown.join(''));
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A spreadsheet runs a cell that begins with one of these characters; an apostrophe before it makes
 * it text. Plain numbers stay. With another separator than the comma, our quotes do not protect a
 * cell: a new cell begins after each such separator, so that part gets an apostrophe too.
 */
function disarm(text: string): string {
  if (/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text)) return text;
  const parts = text
    .split(/([;|\t\r\n])/)
    .map((part) => (/^["\s]*[=+\-@]/.test(part) ? `'${part}` : part));
  return `${/^[\t\r\n]/.test(text) ? "'" : ''}${parts.join('')}`;
}
