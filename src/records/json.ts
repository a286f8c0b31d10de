import { quote } from '../text/show.ts';
import { plural } from '../text/wording.ts';
import type { RawRecord, RecordFile, RecordFormat } from './read-text.ts';
import { RecordError } from './record-error.ts';

/** One JSON value per line. The reader of last resort: text in no other format is reported as a broken line. */
export const jsonl: RecordFormat = {
  name: 'JSONL',
  reads: () => true,
  parse: (file, text): RecordFile => ({ file, records: parseJsonl(file, text), notes: noteRepeatedKeys(text) }),
};

/** Parses JSON lines; a byte order mark, CRLF, blank lines and a missing last line break are no errors. */
export function parseJsonl(file: string, text: string): RawRecord[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((source, index) => {
    const line = index + 1;
    return source.trim() === '' ? [] : [{ line, value: parseLine(file, line, source) }];
  });
}

function parseLine(file: string, line: number, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new RecordError({
      file,
      line,
      problem: 'the line is not valid JSON',
      value: source.trim(),
      detail: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Write one JSON object per line, or make the file one JSON array.',
      cause,
    });
  }
}

/** A file that is one JSON array of records, or one object: a single record, or one that holds the list of them. */
export const jsonArray: RecordFormat = {
  name: 'JSON',
  reads: (_file, text) => isArrayText(text) || isOneObject(text),
  parse: (file, text): RecordFile => ({
    file,
    records: isArrayText(text) ? parseJsonArray(file, text) : parseObject(file, text),
    notes: noteRepeatedKeys(text),
  }),
};

/**
 * `{"response_code": 0, "results": [{...}, ...]}` holds records where just one field is a list of objects. Beside a
 * question such a list is that of its options.
 */
function parseObject(file: string, text: string): RawRecord[] {
  const value: unknown = JSON.parse(text);
  const fields = Object.entries(value ?? {});
  const [list, ...others] = fields.filter(([, field]) => isListOfObjects(field));
  if (list === undefined || others.length > 0 || fields.some(([name]) => QUESTION.test(name))) {
    return [{ line: firstLine(text), value }];
  }
  // Of a field that is named twice the last counts, as for JSON.parse.
  const field = splitElements(text).findLast(({ source }) => JSON.parse(readKey(source)) === list[0]);
  const { line = 1, source = '' } = field ?? {};
  const written = source.trimStart();
  // Without the name; blank lines for what stands before it keep the numbers of the lines.
  const unnamed = written.slice(readKey(written).length).replace(':', ' ');
  return parseJsonArray(file, '\n'.repeat(line - 1) + unnamed);
}

const QUESTION = /^(?:question|input|prompt|stem)$/i;

function isListOfObjects(value: unknown): boolean {
  const isObject = (item: unknown) => typeof item === 'object' && item !== null && !Array.isArray(item);
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** The name with which a field's text begins, in its quotes. */
function readKey(source: string): string {
  const start = source.indexOf('"');
  return source.slice(0, findStringEnd(source, start) + 1);
}

/** Parses a JSON array into its elements, each with the line on which it starts. */
export function parseJsonArray(file: string, text: string): RawRecord[] {
  const elements = splitElements(text);
  const values = parseWhole(file, text, elements);
  return values.map((value, index) => ({ line: elements[index]?.line ?? 1, value }));
}

function parseWhole(file: string, text: string, elements: readonly JsonElement[]): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch (cause) {
    throw new RecordError({
      file,
      line: findBrokenElement(elements)?.line,
      problem: 'the JSON array is broken here',
      detail: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Correct the JSON, or write one JSON object per line.',
      cause,
    });
  }
}

function findBrokenElement(elements: readonly JsonElement[]): JsonElement | undefined {
  return elements.find(({ source }) => !isJson(source)) ?? elements.at(-1);
}

function isArrayText(text: string): boolean {
  return text.trimStart().startsWith('[');
}

/** The whole text, also over several lines: JSON lines would stop at its first line. */
function isOneObject(text: string): boolean {
  const trimmed = text.trim();
  const firstBreak = trimmed.indexOf('\n');
  const isLines = firstBreak !== -1 && isJson(trimmed.slice(0, firstBreak));
  return trimmed.startsWith('{') && !isLines && isJson(trimmed);
}

function firstLine(text: string): number {
  return countBreaks(text.slice(0, text.length - text.trimStart().length)) + 1;
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

/** The source text of one element of a JSON array. */
type JsonElement = { readonly line: number; readonly source: string };

/**
 * Cuts the text of a JSON array at the commas between its elements, so that each gets the line on which it starts.
 * Right for valid JSON, a good guess for broken JSON; linear, and without a regular expression over whole strings,
 * since those overflow the stack at some megabytes.
 */
function splitElements(text: string): JsonElement[] {
  const cuts = findCuts(text);
  let [line, counted] = [1, 0];
  return cuts.slice(0, -1).flatMap((cut, index) => {
    const source = text.slice(cut + 1, cuts[index + 1]);
    const start = cut + 1 + source.length - source.trimStart().length;
    line += countBreaks(text.slice(counted, start));
    counted = start;
    return source.trim() === '' ? [] : [{ line, source }];
  });
}

/** How many lines a text ends after its first. */
function countBreaks(text: string): number {
  let breaks = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) breaks++;
  return breaks;
}

/** Positions of the opening bracket, the commas at depth 1 and the closing bracket (or the end of the text). */
function findCuts(text: string): number[] {
  const cuts: number[] = [];
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = findStringEnd(text, index);
    else if (character === '[' || character === '{') {
      if (depth++ === 0) cuts.push(index);
    } else if (character === ']' || character === '}') {
      if (--depth === 0) return [...cuts, index];
    } else if (character === ',' && depth === 1) cuts.push(index);
  }
  return [...cuts, text.length];
}

function findStringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** A note of the objects in a JSON text that name a field twice: JSON.parse keeps the last one, and says nothing. */
export function noteRepeatedKeys(text: string): readonly string[] {
  const repeats = findRepeats(text);
  const [first] = repeats;
  if (first === undefined) return [];
  const line = text.slice(0, first.at).split('\n').length;
  return [
    `${plural(repeats.length, 'field is', 'fields are')} named twice in one object, first ${quote(first.key)} on line ${line}; the last value counts.`,
  ];
}

type Repeat = { readonly key: string; readonly at: number };

/**
 * One pass, without a regular expression over whole strings, for text that is known to be valid. Nearly all of it is
 * long strings, over which `indexOf` leaps.
 */
function findRepeats(text: string): readonly Repeat[] {
  const repeats: Repeat[] = [];
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === OPENING_BRACE) open.push(new Set());
    else if (sign === OPENING_BRACKET) open.push(null);
    else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) open.pop();
    else if (sign === QUOTE) {
      const end = stringEnd(text, at);
      const keys = open.at(-1);
      if (keys !== undefined && keys !== null && isKey(text, end + 1)) {
        const key = text.slice(at + 1, end);
        if (keys.has(key)) repeats.push({ key, at });
        keys.add(key);
      }
      at = end;
    }
  }
  return repeats;
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscapedQuote(text, end)) return end;
  }
  return text.length;
}

/** By an odd number of backslashes before it: of an even number each second one is the escaped one. */
function isEscapedQuote(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1;
  return text[at] === ':';
}
