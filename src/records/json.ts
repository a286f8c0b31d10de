import { messageOf, quote, tryOrUndefined } from '../text/show.ts';
import type { Json } from '../types.ts';
import { isFields, type RawRecord, RecordError } from './record.ts';

/**
 * The records in a JSON text: those of an array, one object (a single record, or an object that
 * contains the list of records), or one JSON value per line. Text in no known format is reported as
 * a broken line.
 */
export function parseJson(file: string, text: string): RawRecord[] {
  if (text.trimStart().startsWith('[')) return parseJsonArray(file, text);
  return isOneObject(text) ? parseObject(file, text) : parseJsonl(file, text);
}

/**
 * A copy of a value as JSON has it; fields without a value are left out. Throws a TypeError if JSON
 * has no such value: a function, NaN, a list that contains itself.
 */
export function toJson(value: unknown): Json {
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value, (name, each: unknown) => {
    const isNumber = typeof each === 'number';
    const type = ArrayBuffer.isView(each) ? 'list of bytes' : nameUnknown(each);
    if (isNumber ? Number.isFinite(each) : !UNKNOWN.has(type)) return each;
    throw new TypeError(`${quote(name)} is ${isNumber ? each : `a ${type}`}`);
  });
  if (json === undefined) throw new TypeError('it is missing');
  const copy: Json = JSON.parse(json);
  if (isDeeperThan(MAX_DEPTH, copy)) throw new TypeError(`it is nested deeper than ${MAX_DEPTH}`);
  return copy;
}

const UNKNOWN: ReadonlySet<string> = new Set([
  'function',
  'symbol',
  'bigint',
  'list of bytes',
  'Map',
  'Set',
  'Promise',
]);

/** What JSON would make an empty object of, by its class; of everything else the type. */
function nameUnknown(value: unknown): string {
  const known = [Map, Set, Promise].find((type) => value instanceof type);
  return known?.name ?? typeof value;
}

/** No value needs more levels, and functions that walk it would run out of stack. */
const MAX_DEPTH = 500;

function isDeeperThan(most: number, value: Json): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** Parses JSON lines; CRLF, blank lines and a missing last line break are allowed. */
function parseJsonl(file: string, text: string): RawRecord[] {
  const records: RawRecord[] = [];
  for (const [index, source] of text.split('\n').entries()) {
    const line = index + 1;
    if (source.trim() !== '') records.push({ line, ...parseLine(file, line, source) });
  }
  return records;
}

function parseLine(file: string, line: number, source: string): Parsed {
  try {
    return parseNumbers(source);
  } catch (cause) {
    throw new RecordError({
      file,
      line,
      problem: 'the line is not valid JSON',
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
      problem: 'the JSON array is broken here',
      detail: messageOf(cause),
      remedy: 'Correct the JSON, or write one JSON object per line.',
      cause,
    });
  }
}

/**
 * `{"response_code": 0, "results": [{...}, ...]}` has its records in a list. In an object with a
 * question or an output such a list has options or steps, and the object is one record.
 */
function parseObject(file: string, text: string): RawRecord[] {
  const { value, written } = parseNumbers(text);
  const fields: readonly [string, unknown][] = Object.entries(value ?? {});
  const line = countBreaks(text.slice(0, text.indexOf('{'))) + 1;
  const [list, other] = fields.flatMap(([name, field]) => {
    const isList = Array.isArray(field) && field.length > 0 && field.every(isFields);
    return isList ? [{ name, records: field }] : [];
  });
  const isLine = /\.(?:jsonl|ndjson)$/i.test(file) && !text.trim().includes('\n');
  if (isLine || list === undefined || fields.some(([name]) => ONE_RECORD.test(name))) {
    return [{ line, value, ...(written !== undefined && { written }) }];
  }
  if (other !== undefined) {
    const problem = `${quote(list.name)} and ${quote(other.name)} are both lists of records`;
    throw new RecordError({ file, line, problem, remedy: 'Write each to a separate file.' });
  }
  const key = JSON.stringify(list.name);
  const elements = splitElements(text, text.indexOf('[', text.indexOf(key) + key.length)).toArray();
  return toRecords(elements, list.records, isFields(written) ? written[list.name] : undefined);
}

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

const ONE_RECORD = /^(?:question|input|prompt|stem|output|model_answer)$/i;

function isJson(source: string): boolean {
  return tryOrUndefined(() => JSON.parse(source)) !== undefined;
}

/**
 * The source texts of the elements of the array that opens at `open`, each with the line on which
 * it starts. Right for valid JSON, a good guess for broken JSON. It takes linear time and skips
 * strings: a regular expression on a string of some megabytes would overflow the stack.
 */
function* splitElements(
  text: string,
  open: number,
): Generator<Readonly<{ line: number; source: string }>> {
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

/**
 * The value of a JSON text, or of a list or object as Python, pandas and numpy write it into a cell;
 * undefined for any other text. The text is searched, never evaluated.
 */
export function parseLiteral(text: string): unknown {
  const source = text.trim();
  if (!/^[[{].*[\]}]$/s.test(source)) return undefined;
  return tryOrUndefined(() => JSON.parse(source)) ?? tryOrUndefined(() => parsePython(source));
}

function parsePython(source: string): unknown {
  let json = '';
  let end = 0;
  for (const { 0: text, index } of source.matchAll(PYTHON_STRING)) {
    const gap = source.slice(end, index);
    // numpy writes no commas.
    json += end > 0 && gap.trim() === '' ? ',' : translate(gap);
    json += JSON.stringify(decode(text.slice(1, -1)));
    end = index + text.length;
  }
  return JSON.parse(json + translate(source.slice(end)));
}

const PYTHON_STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs;

/** What is between the strings of a Python value. */
function translate(gap: string): string {
  return gap
    .replace(/\b(?:None|nan)\b/g, 'null')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\barray\(|,\s{0,99}dtype=\w{1,20}\)|\)/g, '');
}

const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gis;

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

function decode(text: string): string {
  return text.replace(ESCAPE, (_, byte?: string, unit?: string, other = '') => {
    const code = byte ?? unit;
    return code === undefined
      ? (CHARACTERS.get(other) ?? other)
      : String.fromCharCode(Number.parseInt(code, 16));
  });
}
