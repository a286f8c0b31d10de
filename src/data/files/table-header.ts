import { quote } from '../../words/show.ts';
import { RecordError, type RecordFile, type TableHeader } from './record.ts';

/**
 * Whether the first line of a table has what names of columns do not have: a number, a sentence or a
 * long text.
 *
 * @example
 * looksLikeData(['What is 2 + 2?', '4']); // true
 */
export function looksLikeData(cells: readonly string[]): boolean {
  return cells.some((cell) => {
    const words = cell.trim().split(/\s+/);
    const isNumber = /^\s*-?\d+(?:[.,]\d+)*\s*$/.test(cell);
    return isNumber || words.length > 6 || (words.length > 2 && /[?.!]"?\s*$/.test(cell));
  });
}

/** The error for a table whose first line is its first record. `rows` are all lines, also the first. */
export function toHeaderError(
  file: string,
  { separator }: TableHeader,
  rows: readonly (readonly string[])[],
): RecordError {
  return new RecordError({
    file,
    line: 1,
    problem: 'the first line looks like data, not like the names of the columns',
    value: rows[0]?.join(separator) ?? '',
    remedy: adviseHeader(separator, rows),
  });
}

/** The remedy for a table that has no header: the line to add, by what the columns contain. */
export function adviseHeader(separator: string, rows: readonly (readonly string[])[]): string {
  const header = suggestHeader(rows);
  const line = separator === '\t' ? header.join(', ') : header.join(separator);
  const tabs = separator === '\t' ? ', with tabs between the names' : '';
  return `Add a header line above it, such as ${quote(line)}${tabs}.`;
}

/** The lines of a table again, from its records. */
export function rowsOf({ records }: RecordFile, { cells }: TableHeader) {
  const rows = records.slice(0, SEARCHED).map(({ value }) =>
    cells.map((name) => {
      const cell: unknown = Object.hasOwn(Object(value), name) && Reflect.get(Object(value), name);
      return typeof cell === 'string' ? cell : '';
    }),
  );
  return [cells, ...rows];
}

const SEARCHED = 100;

/** The names that the columns of a table should have. */
function suggestHeader(rows: readonly (readonly string[])[]): readonly string[] {
  const count = rows[0]?.length ?? 0;
  const columns = Array.from({ length: count }, (_, at) => rows.map((row) => row[at] ?? ''));
  const lengths = columns.map((column) => column.join('').length);
  const question = lengths.indexOf(Math.max(...lengths));
  const answer = question === count - 1 ? (count > 1 ? 0 : -1) : count - 1;
  const between = answer - question - 1;
  const isChoice = between > 1 && between <= 26 && isLettered(columns[answer] ?? []);
  const others = ['id', 'group', 'notes'];
  return columns.map((_, at) => {
    if (at === question) return 'question';
    if (at === answer) return 'answer';
    if (isChoice && at > question && at < answer) return String.fromCharCode(64 + at - question);
    return others.shift() ?? `column ${at + 1}`;
  });
}

function isLettered(cells: readonly string[]): boolean {
  return cells.every((cell) => /^(?:[A-J](?:\s?,\s?[A-J])*)?$/i.test(cell.trim()));
}
