import { isFields } from '../../words/fields.ts';
import { plainName } from '../../words/plain-name.ts';
import { listUp, quote, tryOrUndefined } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';
import { listCalled, told } from '../../words/told.ts';
import {
  BARE_OUTPUTS,
  EXTRACTED_OUTPUTS,
  IDS,
  INPUTS,
  OUTPUTS,
  SECOND_INPUTS,
  WRAPPER_FIELDS,
} from './field-names.ts';
import { type RawRecord, RecordError } from './record.ts';

/**
 * The records in a JSON text: those of an array, one object (a single record, or an object that
 * contains the records), or one JSON value per line. Text in no known format is reported as a
 * broken line. Adds what is wrong with single lines to `bad`; without it, throws the first.
 */
export function parseJson(file: string, text: string, bad?: RecordError[]): RawRecord[] {
  if (text.trimStart().startsWith('[')) return parseJsonArray(file, text);
  return isOneObject(text) ? parseObject(file, text) : parseJsonl(file, text, bad);
}

/**
 * Parses JSON lines; CRLF, blank lines and a missing last line break are allowed. Broken lines go
 * to `bad`; where most lines are broken, the file is something else, and the first one is thrown.
 */
function parseJsonl(file: string, text: string, bad: RecordError[] | undefined): RawRecord[] {
  const records: RawRecord[] = [];
  for (const [index, source] of text.split('\n').entries()) {
    const line = index + 1;
    if (source.trim() === '') continue;
    const parsed = tryOrUndefined(() => parseNumbers(source)) ?? explainLine(file, line, source);
    if (!(parsed instanceof RecordError)) records.push({ line, ...parsed });
    else if (bad === undefined) throw parsed;
    else bad.push(parsed);
  }
  if (bad?.[0] !== undefined && bad.length > records.length) throw bad[0];
  return records;
}

function explainLine(file: string, line: number, source: string): Parsed | RecordError {
  try {
    return parseNumbers(source);
  } catch (cause) {
    return new RecordError({
      file,
      line,
      problem: told`the line is not valid JSON`,
      value: source.trim(),
      // Its line 1 is this line.
      detail: messageOf(cause).replace(/at position.* column (\d+)\)$/, 'at column $1'),
      remedy: 'Write one JSON object per line, or make the file one JSON array.',
      cause,
    });
  }
}

type Parsed = Pick<RawRecord, 'value' | 'written'>;

/** A number that may lose digits: most texts have none, and are parsed fast. */
const MAY_LOSE_DIGITS = /(?:^|[[:,])\s*-?(?:\d{16}|\d+(?:\.(?:\d{15}|\d*0(?!\d))|(?:\.\d+)?[eE]))/;

/**
 * Parses JSON. A whole number beyond 2^53 becomes text, as in a Parquet file; `written` has
 * decimals as text too.
 */
function parseNumbers(text: string): Parsed {
  if (!MAY_LOSE_DIGITS.test(text)) return { value: JSON.parse(text) };
  let isLossy = false;
  const parse = (keeps: (source: string) => boolean): unknown =>
    JSON.parse(text, (_, value: unknown, { source }: { readonly source?: string } = {}) => {
      if (!Number.isFinite(value) || source === undefined) return value;
      if (Number.isSafeInteger(value) || String(value) === source) return value;
      isLossy = true;
      return keeps(source) ? source : value;
    });
  const value = parse((source) => /^-?\d+$/.test(source));
  return isLossy ? { value, written: parse(() => true) } : { value };
}

/** One JSON value may take several lines; as JSON lines, its first line would be an error. */
function isOneObject(text: string): boolean {
  const trimmed = text.trim();
  const firstBreak = trimmed.indexOf('\n');
  const isLines = firstBreak !== -1 && isJson(trimmed.slice(0, firstBreak));
  return trimmed.startsWith('{') && !isLines && isJson(trimmed);
}

/** Parses a JSON array into its elements, each with the line on which it starts. */
function parseJsonArray(file: string, text: string): RawRecord[] {
  const elements = splitElements(text, text.indexOf('[')).toArray();
  try {
    const { value, written } = parseNumbers(text);
    return toRecords(elements, value, written);
  } catch (cause) {
    const broken = elements.find(({ source }) => !isJson(source)) ?? elements.at(-1);
    throw new RecordError({
      file,
      line: broken?.line,
      problem: told`the JSON array is broken here`,
      detail: messageOf(cause),
      remedy: 'Correct the JSON, or write one JSON object per line.',
      cause,
    });
  }
}

/**
 * The records of an object: its own members by id, `{"q1": {...}, "q2": {...}}`; its columns,
 * `{"question": [...], "answer": [...]}`; or those of one field, as a list or by id:
 * `{"version": 2, "data": [...]}`. In an object with a question or an output a list has options or
 * steps, and the object is one record.
 */
function parseObject(file: string, text: string): RawRecord[] {
  const { value, written } = parseNumbers(text);
  const line = countBreaks(text.slice(0, text.indexOf('{'))) + 1;
  const isLine = /\.(?:jsonl|ndjson)$/i.test(file) && !text.trim().includes('\n');
  const part = findPart(file, line, value, isLine);
  if (part === null) return [{ line, value, written }];
  const { name, form } = part;
  const key = name === null ? '' : JSON.stringify(name);
  const open = form === 'list' ? '[' : '{';
  const elements = splitElements(
    text,
    text.indexOf(open, text.indexOf(key) + key.length),
  ).toArray();
  const [inner, innerWritten] = [value, written].map((whole) =>
    name === null || !isFields(whole) ? whole : whole[name],
  );
  if (form === 'list') return toRecords(elements, inner, innerWritten);
  if (form === 'columns') return toRows(line, inner, innerWritten);
  return toNamed(file, elements, inner, innerWritten);
}

/** Where an object has its records: in which field (null for itself), and how. */
type Part = Readonly<{ name: string | null; form: 'list' | 'by id' | 'columns' }>;

function findPart(file: string, line: number, value: unknown, isLine: boolean): Part | null {
  if (!isFields(value)) return null;
  if (isKeyed(value, isLine)) return { name: null, form: 'by id' };
  if (!isLine && areColumns(file, line, value)) return { name: null, form: 'columns' };
  const fields = Object.entries(value);
  if (isLine || isRecord(value)) return null;
  const lists = fields.filter(([, field]) => isRecordList(field)).map(([name]) => name);
  const keyed = fields.filter(([, field]) => isKeyed(field, true)).map(([name]) => name);
  const form = lists.length > 0 ? 'list' : 'by id';
  const [name, other] = form === 'list' ? lists : keyed;
  if (name === undefined) return null;
  if (other === undefined) return { name, form };
  const problem = told`${listCalled([name, other])} are both lists of records`;
  throw new RecordError({ file, line, problem, remedy: 'Write each to a separate file.' });
}

/** Whether a value is a list, most of whose members are records. The others are bad. */
function isRecordList(value: unknown): boolean {
  return Array.isArray(value) && value.filter(isFields).length * 2 > value.length;
}

/**
 * Whether an object has records by id: most have a question or an output, or (unless `isStrict`)
 * all of several have two names in common. One that wraps a record is no such object.
 */
function isKeyed(value: unknown, isStrict: boolean): boolean {
  if (!isFields(value) || isRecord(value)) return false;
  if (Object.keys(value).some((name) => Object.hasOwn(WRAPPER_FIELDS, name))) return false;
  const records = Object.values(value);
  // The others are bad.
  if (records.filter(isRecord).length * 2 > records.length) return true;
  const names = records.map((record) => new Set(isFields(record) ? Object.keys(record) : []));
  const [first = new Set<string>(), ...others] = names;
  const common = [...first].filter((name) => others.every((each) => each.has(name)));
  return !isStrict && others.length > 0 && common.length > 1;
}

/** Whether an object is one record: it has what is asked or what was answered. */
function isRecord(value: unknown): boolean {
  return isFields(value) && Object.keys(value).some((name) => OF_RECORD.has(plainName(name)));
}

const ASKED: ReadonlySet<string> = new Set([...INPUTS, ...SECOND_INPUTS].map(plainName));
const OF_RECORD: ReadonlySet<string> = new Set([
  ...ASKED,
  ...[...OUTPUTS, ...EXTRACTED_OUTPUTS, ...BARE_OUTPUTS, 'answer'].map(plainName),
]);

/**
 * Whether an object has columns: a list, or an object by the same numbers, for each field. Throws a
 * RecordError where they do not fit together.
 */
function areColumns(file: string, line: number, value: Readonly<Record<string, unknown>>): boolean {
  const fields = Object.entries(value);
  const columns = fields.filter(([, column]) => keysOf(column) !== null);
  if (columns.length < 2 || !isRecord(value)) return false;
  const areAsked = columns.some(([name, column]) => ASKED.has(plainName(name)) && areTexts(column));
  const areSame = new Set(columns.map(([, column]) => keysOf(column))).size === 1;
  const rows = sizeOf(columns[0]?.[1]);
  if (columns.length === fields.length && areSame && rows > 0)
    // Lists of one member may be those of a record.
    return rows > 1 || areAsked || isFields(columns[0]?.[1]);
  if (!areAsked) return false;
  const sizes = fields.map(
    ([name, column]) => `${quote(name)} has ${keysOf(column) ? sizeOf(column) : 'none'}`,
  );
  throw new RecordError({
    file,
    line,
    problem: told`the fields look like columns, but have different rows`,
    detail: listUp(sizes),
    remedy: 'Write one object for each record, or as many values in each column.',
  });
}

/** What the rows of a column are called; null where a value is no column. */
function keysOf(column: unknown): string | null {
  if (Array.isArray(column)) return `list of ${column.length}`;
  const keys = isFields(column) ? Object.keys(column).join() : '';
  return /^\d+(?:,\d+)*$/.test(keys) ? keys : null;
}

function sizeOf(column: unknown): number {
  return Object.values(Object(column)).length;
}

function areTexts(column: unknown): boolean {
  const cells: readonly unknown[] = Object.values(Object(column));
  return cells.length > 0 && cells.every((cell) => typeof cell === 'string');
}

/** The rows of an object of columns. All start on its line. */
function toRows(line: number, value: unknown, written: unknown): RawRecord[] {
  const [rows = [], rowsWritten] = [value, written].map((columns) => {
    if (!isFields(columns)) return undefined;
    const cells = Object.entries(columns).map(
      ([name, column]) => [name, Object.values(Object(column))] as const,
    );
    const count = cells[0]?.[1].length ?? 0;
    return Array.from({ length: count }, (_, row) =>
      Object.fromEntries(cells.map(([name, column]) => [name, column[row]])),
    );
  });
  return toRecords(
    rows.map(() => ({ line })),
    rows,
    rowsWritten,
  );
}

/** Records by id, in the order of the file; a record without an id of its own gets its name. */
function toNamed(
  file: string,
  elements: readonly Element[],
  value: unknown,
  written: unknown,
): RawRecord[] {
  const lines = new Map<string, number>();
  return elements.map(({ line, source }) => {
    const member = source.trimStart();
    const id = String(JSON.parse(member.slice(0, findStringEnd(member, 0) + 1)));
    const earlier = lines.get(id);
    if (earlier !== undefined) {
      const problem = told`the id is already on line ${earlier}`;
      const remedy = 'Give each record its own id, or leave one of the two out.';
      throw new RecordError({ file, line, problem, value: id, remedy });
    }
    lines.set(id, line);
    const [named, namedWritten] = [value, written].map((records) => {
      const record: unknown = isFields(records) ? records[id] : undefined;
      return isFields(record) && !hasId(record) ? { id, ...record } : record;
    });
    return { line, value: named, written: namedWritten };
  });
}

function hasId(record: object): boolean {
  return Object.keys(record).some((name) => OWN_ID.has(plainName(name)));
}

const OWN_ID: ReadonlySet<string> = new Set(IDS.map(plainName));

type Element = Readonly<{ line: number; source: string }>;

function toRecords(
  elements: readonly { readonly line: number }[],
  values: unknown,
  written: unknown,
): RawRecord[] {
  if (!Array.isArray(values)) return [];
  return values.map((value: unknown, index) => {
    const line = elements[index]?.line ?? 1;
    return Array.isArray(written) ? { line, value, written: written[index] } : { line, value };
  });
}

function isJson(source: string): boolean {
  return tryOrUndefined(() => JSON.parse(source)) !== undefined;
}

/**
 * The source texts of the elements of the array that opens at `open`, each with the line on which
 * it starts. Right for valid JSON, a good guess for broken JSON. It takes linear time and skips
 * strings: a regular expression on a string of some megabytes would overflow the stack.
 */
function* splitElements(text: string, open: number): Generator<Element> {
  let depth = 0;
  let start = open + 1;
  let line = 1;
  let counted = 0;
  for (let at = open; at <= text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = findStringEnd(text, at);
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    const isEnd = depth === 0 || at >= text.length;
    if (!isEnd && (sign !== ',' || depth > 1)) continue;
    const source = text.slice(start, at);
    const begin = start + source.length - source.trimStart().length;
    line += countBreaks(text.slice(counted, begin));
    counted = begin;
    if (source.trim() !== '') yield { line, source };
    if (isEnd) return;
    start = at + 1;
  }
}

/** The index of the quote that ends a string, or the length of the text. */
function findStringEnd(text: string, open: number): number {
  let end = open + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return Math.min(end, text.length);
}

function countBreaks(text: string): number {
  return text.split('\n').length - 1;
}
