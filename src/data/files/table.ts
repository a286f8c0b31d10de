import { quote } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';
import { counted, told } from '../../words/told.ts';
import { type RawRecord, RecordError, type RecordFile, type TableHeader } from './record.ts';

/**
 * The records of a table (CSV or TSV) with a header row; every cell is text. Adds what is wrong with
 * rows that have too few or too many cells to `bad`; without it, or where most rows are so, throws the
 * first.
 */
export async function parseTable(
  file: string,
  text: string,
  bad?: RecordError[],
): Promise<RecordFile> {
  // csv-parse counts a CRLF inside quotes as two lines.
  const unix = text.replace(/\r\n?/g, '\n');
  const separator = findDelimiter(unix);
  const all = await parseRows(file, unix, separator);
  if (lacksHeader(all)) return { file, records: toRecords(file, NUMBERED, all, bad) };
  const [header, ...rows] = all;
  if (header === undefined) {
    const problem = told`the table has no rows`;
    throw new RecordError({ file, problem, remedy: 'Write a header row and the records.' });
  }
  const { cells } = header;
  assertDistinct(file, header, () =>
    toHeaderError(
      file,
      { cells, separator },
      all.map((row) => row.cells),
    ),
  );
  const records = toRecords(file, cells, rows, bad);
  return { file, records, header: { cells, separator } };
}

function toRecords(
  file: string,
  header: readonly string[],
  rows: readonly Row[],
  bad: RecordError[] | undefined,
): readonly RawRecord[] {
  const broken: RecordError[] = [];
  const records: RawRecord[] = [];
  for (const row of rows) {
    const record = toRecord(file, header, row);
    if (record instanceof RecordError) broken.push(record);
    else records.push(record);
  }
  const [first] = broken;
  if (first !== undefined && (bad === undefined || broken.length > records.length)) throw first;
  bad?.push(...broken);
  return records;
}

type Row = Readonly<{ line: number; cells: readonly string[] }>;

const NUMBERED = Array.from({ length: 6 }, (_, index) => `column ${index + 1}`);

/**
 * A table of six columns whose first row, and nearly every other, ends in a letter from A to D:
 * question, options and answer, without names. Some question has several words, or ids come before
 * the questions. The header "question,answer,A,B,C,D" ends in a letter too, but its rows do not.
 */
function lacksHeader(rows: readonly Row[]): boolean {
  const records = rows.filter(
    ({ cells }) => cells.length === NUMBERED.length && /^\s*[A-D]\s*$/.test(cells[5] ?? ''),
  );
  return (
    rows[0] !== undefined &&
    records[0] === rows[0] &&
    records.length >= rows.length * 0.95 &&
    records.some(({ cells }) => /\S\s+\S/.test(cells[0] ?? ''))
  );
}

/**
 * The rows of a table, each with the line on which it starts. Blank rows are left out. Quotes of a
 * table with tabs may be part of its texts: they are, where only then all rows are as long as the
 * header.
 */
async function parseRows(file: string, text: string, delimiter: string): Promise<readonly Row[]> {
  const literal = delimiter === '\t' ? splitLines(text) : [];
  const [first] = literal;
  const isEven =
    first !== undefined && literal.every(({ cells }) => cells.length === first.cells.length);
  try {
    const quoted = await parseQuoted(file, text, delimiter);
    return isEven && quoted.length !== literal.length ? literal : quoted;
  } catch (error) {
    if (isEven) return literal;
    throw error;
  }
}

/** The rows of a table in which quotes mean nothing. */
function splitLines(text: string): readonly Row[] {
  return text.split('\n').flatMap((source, index) => {
    const cells = source.split('\t');
    return cells.every((cell) => cell.trim() === '') ? [] : [{ line: index + 1, cells }];
  });
}

async function parseQuoted(file: string, text: string, delimiter: string): Promise<readonly Row[]> {
  // Loaded on first use: few runs read a table.
  const { parse } = await import('csv-parse/sync');
  const rows: Row[] = [];
  let line = 1;
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      on_record: (cells: string[], { lines }) => {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
        line = lines + 1;
        return null;
      },
    });
  } catch (cause) {
    throw new RecordError({
      file,
      line,
      problem: told`the row that starts here is not valid CSV`,
      detail: messageOf(cause),
      remedy: 'Put cells with quotes or line breaks into double quotes.',
      cause,
    });
  }
  return rows;
}

/**
 * Spreadsheets separate by comma, semicolon or tab. The header row has the right one most often.
 */
function findDelimiter(text: string): string {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best), ',');
}

function toRecord(
  file: string,
  header: readonly string[],
  { line, cells }: Row,
): RawRecord | RecordError {
  const extra = cells.slice(header.length).some((cell) => cell.trim() !== '');
  if (extra || cells.length < header.length) {
    return new RecordError({
      file,
      line,
      problem: told`the row has ${counted(cells.length, told`column`)}, the header has ${header.length}`,
      remedy: 'Put cells that contain the separator into double quotes.',
    });
  }
  const fields = header.flatMap((name, index) => (name === '' ? [] : [[name, cells[index] ?? '']]));
  return { line, value: Object.fromEntries(fields) };
}

/** Throws a RecordError for a name of two columns, or `toError()` where the names are no names. */
function assertDistinct(file: string, { line, cells }: Row, toError: () => RecordError): void {
  const seen = new Set<string>();
  // `add` returns the set, which is true.
  const twice = cells.find((name) => name !== '' && (seen.has(name) || !seen.add(name)));
  if (twice === undefined) return;
  if (looksLikeData(cells)) throw toError();
  throw new RecordError({
    file,
    line,
    field: twice,
    problem: told`is the name of two columns`,
    remedy: 'Rename one.',
  });
}

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
    problem: told`the first line looks like data, not like the names of the columns`,
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
  const rows = records.slice(0, SEARCHED_ROWS).map(({ value }) =>
    cells.map((name) => {
      const cell: unknown = Object.hasOwn(Object(value), name) && Reflect.get(Object(value), name);
      return typeof cell === 'string' ? cell : '';
    }),
  );
  return [cells, ...rows];
}

const SEARCHED_ROWS = 100;

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
