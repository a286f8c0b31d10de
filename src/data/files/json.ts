import type { Json } from '../../words/sample.ts';
import { quote, tryOrUndefined } from '../../words/show.ts';

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
  const type = [Map, Set, Promise].find((each) => value instanceof each);
  return type?.name ?? typeof value;
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
    json += JSON.stringify(decodeEscapes(text.slice(1, -1)));
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

function decodeEscapes(text: string): string {
  return text.replace(ESCAPE, (_, byte?: string, unit?: string, other = '') => {
    const code = byte ?? unit;
    return code === undefined
      ? (CHARACTERS.get(other) ?? other)
      : String.fromCharCode(Number.parseInt(code, 16));
  });
}
