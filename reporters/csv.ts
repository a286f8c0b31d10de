import { writeOutControls } from '../src/text/visible-text.ts';

/** Rows of cells as CSV (RFC 4180, CRLF), with cells that a spreadsheet would take for a formula disarmed. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(text: string): string {
  if (/^[a-z0-9][a-z0-9 .:-]*$/i.test(text)) return text;
  const safe = disarm(writeOutLines(text));
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines stay lines; what acts on a terminal that prints the file is written out. */
function writeOutLines(text: string): string {
  if (!/[^ -~]/.test(text)) return text;
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part : writeOutControls(part, part.length)))
    .join('');
}

/** A spreadsheet runs a cell that begins with one of these; a quote before it makes it text. Plain numbers stay. */
function disarm(text: string): string {
  if (/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text)) return text;
  return /^[=+\-@\t\r\n]/.test(text) || /^\s*[=@]/.test(text) ? `'${text}` : text;
}
